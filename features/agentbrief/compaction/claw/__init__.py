"""How does the Claw family summarise a session, by the seed's rules and exactly as claw-code does?"""
