"""For whoever runs a server: the page ``/admin``, the numbers at ``/metrics``, and commands."""
