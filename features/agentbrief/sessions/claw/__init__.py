"""What do the session files of the Claw family share?"""
