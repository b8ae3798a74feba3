"""How are sessions told in the editor: lists, pages, findings, and how the one that runs stands?"""
