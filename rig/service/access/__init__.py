"""Who asks: paired phones, access tokens, roles."""
