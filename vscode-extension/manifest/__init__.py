"""What of the extension's manifest follows from the server's data?"""
