"""What do we call it in English, zh-cn, zh-tw?

A message is an identifier and named arguments; the catalogues in ``data/<locale>/<area>.json`` hold the
sentences. Numbers are grouped (``12,000``), nothing is ever joined from parts of sentences.
"""

from agentbrief.messages.catalogue import DEFAULT_LOCALE, LOCALES, Argument, locale_of, say

__all__ = ["DEFAULT_LOCALE", "LOCALES", "Argument", "locale_of", "say"]
