"""How things stand: for the page, live; for Prometheus; for whoever asks."""
