"""A document as others find it: its title, its address, and its entry for a bibliography."""

import re

from reactivate.experiment.paper import Paper

# names up to the one after "&", or a single name; then the title, and where it stands
CITED = re.compile(
    r"(?P<authors>(?:[^,&]+, )*[^,&]+ & [^,]+|[^,]+), (?P<title>[^,]+)(?:, (?P<rest>.+))?"
)


def address(paper: Paper) -> str:
    """The address of a document; empty where none is on record."""
    return f"https://arxiv.org/abs/{paper.source.arxiv}" if paper.source.arxiv else ""


def bibtex(paper: Paper) -> str:
    """The entry of a document, made from what is cited of it and nothing else."""
    cited = paper.source.cited
    known = CITED.fullmatch(cited)
    fields: dict[str, str] = {"title": cited}
    if known is not None:
        authors = " and ".join(re.split(r", | & ", known["authors"]))
        fields = {"author": authors, "title": known["title"]}
        if known["rest"]:
            fields["howpublished"] = known["rest"]
        year = re.search(r"\b(?:19|20)\d\d\b", known["rest"] or "")
        if year:
            fields["year"] = year[0]
    if paper.source.arxiv:
        fields |= {"eprint": paper.source.arxiv, "archiveprefix": "arXiv", "url": address(paper)}
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return f"@misc{{{paper.paper},\n" + ",\n".join(lines) + "\n}"
