"""Skerries: small boats race from the quay to the light."""
