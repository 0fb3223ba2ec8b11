"""The pages for people: their links, figures and commands."""
