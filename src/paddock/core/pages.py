"""What a title's rooms for pages are made of: see ``rooms/page.py``, ``draw.py`` and ``forms.py``.

These protocols are not part of ``PROTOCOL``.
"""

from __future__ import annotations

from paddock.core.rooms.draw import Drawings as Drawings
from paddock.core.rooms.forms import Forms as Forms
from paddock.core.rooms.forms import Part as Part
from paddock.core.rooms.forms import Parts as Parts
from paddock.core.rooms.forms import Sample as Sample
from paddock.core.rooms.page import Account as Account
from paddock.core.rooms.page import Beat as Beat
from paddock.core.rooms.page import Chart as Chart
from paddock.core.rooms.page import Feat as Feat
from paddock.core.rooms.page import Hand as Hand
from paddock.core.rooms.page import Link as Link
from paddock.core.rooms.page import Moment as Moment
from paddock.core.rooms.page import Moves as Moves
from paddock.core.rooms.page import Page as Page
from paddock.core.rooms.page import Tally as Tally
from paddock.core.rooms.page import To as To
