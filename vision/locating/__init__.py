"""Where the table is: markers, outlines of cards, and the plane, scale and lens that fit them."""
