"""Calls players who are away when it is their turn: by push, webhooks, e-mail and a calendar."""
