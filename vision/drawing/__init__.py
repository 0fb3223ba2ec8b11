"""What a card should look like, and where: faces drawn, bent, fitted to what is seen."""
