"""A lamp and a buzzer beside the table, which say what the rig says of the last card."""
