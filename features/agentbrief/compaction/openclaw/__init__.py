"""What are the rules by which OpenClaw compacts, saves notes and queues messages?"""
