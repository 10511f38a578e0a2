"""What can be done at Paddock besides playing at a table: a package for each feature, and the list of them.

They never import each other, and nothing else in Paddock names one of them.
"""

from paddock.features import pairing, reach
from paddock.web.feature import Feature

# In the order of the home page
FEATURES: tuple[Feature, ...] = (pairing.FEATURE, reach.FEATURE)
SERVICES = tuple(feature.service for feature in FEATURES if feature.service)
