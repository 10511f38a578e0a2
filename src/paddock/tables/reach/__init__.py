"""Calls players who are away: what they want (``wishes``), what is sent (``words``), when (``sender``), how
(``post`` and the channels), and to which addresses (``net``)."""
