"""Parts that titles share: for their pages, drawings and positions. A title uses those that fit it."""
