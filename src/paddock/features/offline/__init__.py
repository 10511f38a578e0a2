"""A server offers Paddock itself for times without a network: its pack, and the page that leads there."""
