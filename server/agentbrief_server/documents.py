"""Which texts are open, and where in them is a position of the client?

A document is a value: an edit puts a new one in its place, so whoever holds one keeps the text of that
moment. Only texts the client opened are here. Files that are not open are read by ``agentbrief.disk``, never
by pygls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NoReturn, cast

from lsprotocol import types as lsp
from pygls.workspace import Workspace

from agentbrief.text.line_index import Encoding, LineIndex
from agentbrief.text.span import Span
from agentbrief_server.uris import path_of, uri_of

_KNOWN_INDEXES = 64
_indexes: dict[int, LineIndex] = {}


def line_index(text: str) -> LineIndex:
    """The lines of ``text``. Asked again with the very same string, the same object comes back."""
    found = _indexes.get(id(text))
    if found is None or found.text is not text:
        found = LineIndex(text)
        if len(_indexes) >= _KNOWN_INDEXES:
            _indexes.clear()
        # The index keeps the text alive, and with it the number that stands for it.
        _indexes[id(text)] = found
    return found


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One open text.

    ``uri`` as the client spells it, ``path`` the file it names (None: no file we may look at), ``encoding``
    the unit of the client's columns. Offsets are code points.
    """

    uri: str
    path: str | None
    text: str = field(repr=False)
    version: int
    language_id: str
    encoding: Encoding

    @property
    def lines(self) -> LineIndex:
        """The lines of the text."""
        return line_index(self.text)

    def offset_of(self, position: lsp.Position) -> int:
        """The offset of a position of the client; of one that does not exist see :meth:`LineIndex.offset`."""
        return self.lines.offset(position.line, position.character, self.encoding)

    def position_of(self, offset: int) -> lsp.Position:
        """The client's position of ``offset``."""
        return lsp.Position(*self.lines.position(offset, self.encoding))

    def span_of(self, place: lsp.Range) -> Span:
        """The span of a range of the client; one that ends before it starts is read the other way round."""
        start, end = self.offset_of(place.start), self.offset_of(place.end)
        return Span(min(start, end), max(start, end))

    def range_of(self, span: Span) -> lsp.Range:
        """The client's range of ``span``."""
        return lsp.Range(self.position_of(span.start), self.position_of(span.end))

    def changed(self, change: lsp.TextDocumentContentChangeEvent, version: int) -> OpenDocument:
        """This document after one change. We ask for whole texts; a range is understood too."""
        text = change.text
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            span = self.span_of(change.range)
            text = self.text[: span.start] + text + self.text[span.end :]
        return OpenDocument(self.uri, self.path, text, version, self.language_id, self.encoding)


class BriefWorkspace(Workspace):
    """The folders and the open documents of the client."""

    def __init__(
        self,
        encoding: lsp.PositionEncodingKind | str,
        root_uri: str | None = None,
        folders: Sequence[lsp.WorkspaceFolder] = (),
    ) -> None:
        super().__init__(None, lsp.TextDocumentSyncKind.Full, folders, encoding)
        self._root_uri = root_uri
        self._documents: dict[str, OpenDocument] = {}
        self._texts: Mapping[str, str] | None = None
        self.encoding: Encoding = cast("Encoding", str(getattr(encoding, "value", encoding)))

    @property
    def documents(self) -> Sequence[OpenDocument]:
        """All open documents, in the order they were opened."""
        return tuple(self._documents.values())

    def document(self, uri: str) -> OpenDocument | None:
        """The open document ``uri`` names, however it is escaped; None if it is not open."""
        return self._documents.get(uri) or self._documents.get(_key(uri))

    def document_at(self, path: str) -> OpenDocument | None:
        """The open document of the file ``path``; None if it is not open."""
        return self._documents.get(path)

    @property
    def texts(self) -> Mapping[str, str]:
        """The open texts of files by path. A mapping once handed out never changes."""
        if self._texts is None:
            self._texts = MappingProxyType(
                {document.path: document.text for document in self._documents.values() if document.path}
            )
        return self._texts

    def uri_of(self, path: str) -> str:
        """The URI of a file: for an open one, as the client spells it."""
        document = self._documents.get(path)
        return document.uri if document else uri_of(path)

    @property
    def folder_paths(self) -> tuple[str, ...]:
        """The absolute paths of the client's folders, of those we may look at; else its root, or none."""
        uris = [folder.uri for folder in self.folders.values()] or (
            [self._root_uri] if self._root_uri else []
        )
        return tuple(path for path in map(path_of, uris) if path)

    def put_text_document(self, text_document: lsp.TextDocumentItem, notebook_uri: str | None = None) -> None:
        uri = text_document.uri
        opened = OpenDocument(
            uri,
            path_of(uri),
            text_document.text,
            text_document.version,
            text_document.language_id,
            self.encoding,
        )
        self._put(opened)

    def update_text_document(
        self, text_doc: lsp.VersionedTextDocumentIdentifier, change: lsp.TextDocumentContentChangeEvent
    ) -> None:
        """Apply one change.

        Raises:
            LookupError: the document is not open.
        """
        document = self.document(text_doc.uri)
        if document is None:
            raise LookupError("a change of a document that is not open")
        self._put(document.changed(change, text_doc.version))

    def remove_text_document(self, doc_uri: str) -> None:
        self._documents.pop(_key(doc_uri), None)
        self._texts = None

    def get_text_document(self, doc_uri: str) -> NoReturn:
        """Never: pygls' own documents read the disk. Ask :meth:`document`.

        Raises:
            LookupError: always.
        """
        raise LookupError("ask document()")

    def _put(self, document: OpenDocument) -> None:
        self._documents[document.path or document.uri] = document
        self._texts = None


def _key(uri: str) -> str:
    return path_of(uri) or uri
