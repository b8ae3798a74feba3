"""What is wrong with a session store of OpenClaw, its settings and what its transcripts send?"""
