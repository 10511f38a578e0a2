"""The Great Race: what pages show and ask."""
