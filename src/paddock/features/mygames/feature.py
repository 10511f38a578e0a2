"""What «My games» adds to Paddock."""

from paddock.core.i18n import mark
from paddock.features.mygames import api, pages
from paddock.features.mygames.service import MyGames
from paddock.web.feature import Feature, OwnPage, Place

FEATURE = Feature(
    __name__,
    service=MyGames,
    pages=pages.router,
    api=api.router,
    own_page=OwnPage(
        "/me",
        more=mark("All my games and results"),
        shown=pages.shown,
        played="/me/played",
    ),
    place=Place("/me", mark("My games"), "games", rank=1, waiting=pages.waiting),
)
