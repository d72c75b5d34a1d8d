"""The layers of Tables S1 to S12 of the CReLU paper were typed as its text has them."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from printed_kernels import DIGEST, claims, parsed
from reactivate.documents.crelu.kernels import ALL
from reactivate.documents.crelu.tables_s1_to_s12_claims import PRINTED
from transcription import TEXTS, differences, digests, exhibits_that_differ

TYPED = claims(
    {
        name: [f"{k.size}x{k.reads}x{k.filters}" + "+" * k.doubled for k in kernels]
        for name, kernels in {**PRINTED, "S11": ALL}.items()
    }
)
KNOWN = json.loads(DIGEST.read_text(encoding="utf-8"))
with_texts = pytest.mark.skipif(not TEXTS.exists(), reason="the documents' text is not here")


@with_texts
def test_every_layer_is_typed_as_the_text_has_it():
    assert differences(TYPED, parsed(), {}) == []


@with_texts
def test_the_digest_of_the_layers_is_of_the_text():
    assert digests(parsed(), {}) == KNOWN


def test_every_table_of_layers_is_typed_as_it_was_parsed_once():
    assert len(TYPED) == 4 * 8 + 4 * 15 + 6 * 12
    assert exhibits_that_differ(TYPED, KNOWN, {}) == []


def test_a_layer_typed_wrongly_is_caught():
    wrong = {**TYPED, "crelu/S8/layer/5": "1x512x265"}
    assert exhibits_that_differ(wrong, KNOWN, {}) == ["crelu/S8"]
