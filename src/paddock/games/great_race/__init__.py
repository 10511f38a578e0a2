"""The Great Race: half-tracks cross Asia and America."""
