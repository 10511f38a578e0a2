"""Riders as a drawing: a lane for each rider, and a card where one is chosen."""

from paddock.parts.lanes import lanes

svg = lanes("at", "length", marked="chosen")
