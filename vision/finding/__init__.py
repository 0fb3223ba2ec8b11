"""Where cards lie: by badges, lines, ink, haze and neighbours, until nothing is left over."""
