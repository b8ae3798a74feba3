"""Apple trees."""

SORTS = ("Boskoop", "Elstar")
