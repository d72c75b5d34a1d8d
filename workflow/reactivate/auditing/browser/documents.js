// The documents: on the first screen one sentence each, then their headline claims with answers.
const answered = (a, text = a.words) => make("span", {className: `verdict answer ${a.tone}`}, text);

function renderDocuments() {
  $("answers").replaceChildren(...data.papers.map(overview));
  $("headlines").replaceChildren(...data.papers.map(documentSection));
}
/** A document in one sentence, and a sign for each of its headline claims. */
function overview(paper) {
  const open = make("a", {href: `#document-${paper.name}`}, paper.title);
  open.onclick = event => { event.preventDefault(); $(`document-${paper.name}`).scrollIntoView(); $(`document-${paper.name}`).focus({preventScroll: true}); };
  const signs = paper.headlines.map(h => make("span", {className: `sign ${h.answer.tone}`, title: `${h.says} ${h.answer.words}.`}));
  return make("li", {className: "overview"}, make("h3", {}, open), make("p", {className: "signs", "aria-hidden": "true"}, ...signs), make("p", {className: "sentence"}, paper.sentence));
}
function documentSection(paper) {
  const before = new Set();
  const head = paper.address ? make("a", {href: paper.address, rel: "noreferrer"}, paper.cited) : paper.cited;
  const entry = make("details", {className: "bibtex"}, make("summary", {}, "BibTeX"), make("div", {className: "command"}, make("pre", {tabIndex: 0, "aria-label": `BibTeX of ${paper.title}`}, paper.bibtex), copier(paper.bibtex)));
  return make("section", {className: "promises", id: `document-${paper.name}`, tabIndex: -1, "aria-label": `Headline claims of ${paper.title}`}, make("h3", {}, paper.title),
    make("p", {className: "muted"}, head, ` (read ${paper.read})`), entry, make("p", {className: "sentence"}, paper.sentence),
    make("ol", {}, ...paper.headlines.map((h, i) => headline(h, paper.plots[i], before))));
}
/** A headline claim: its answer in words, what was found, the intervals, and every claim behind it. */
function headline(h, plots, before) {
  const found = f => make("li", {}, ...(f.verdict ? [badge(f.verdict), " ", link(f.claim, f.about)] : [`${f.about}.`]), make("span", {}, ` ${f.says}`),
    make("span", {className: "muted"}, ` At scale ${f.scale}${f.sure ? `: ${f.sure}` : ""}.`));
  return make("li", {className: "headline"}, make("p", {className: "says"}, h.says), make("p", {}, answered(h.answer), make("span", {className: "muted"}, ` (${h.answer.counted})`)),
    make("p", {className: "found"}, make("b", {}, "Found: "), h.summary), ...forests(plots, before),
    make("details", {className: "behind"}, make("summary", {}, "Words of the document, and claim by claim"), ...passages(h.passages, "span"), h.found.length ? make("ul", {}, ...h.found.map(found)) : ""));
}
/** What the words and signs of this page mean. */
function renderGlossary() {
  const of = {good: "It speaks for the document.", bad: "It speaks against the document as it is worded.", mixed: "A part of it does so.", open: "It is not decided, is a slip of the pen, or could not be compared.", none: "Nothing was run, or nothing that compares."};
  $("legend").replaceChildren(...["good", "bad", "mixed", "open", "none"].map(t => make("li", {}, make("span", {className: `verdict ${t}`}, ""), of[t])));
  $("verdict-words").replaceChildren(...data.verdicts.filter((v, i) => data.verdicts.findIndex(w => words(w).replace(/\d+/, "") === words(v).replace(/\d+/, "")) === i)
    .flatMap(v => [make("dt", {}, badge(v.replace(/\d+/, "N").replace(/sampled\(N\)/, "sampled"))), make("dd", {}, `The claim ${data.sentences[v].replace(/\d+/, "N")}.`)]));
  $("scale-words").replaceChildren(...SCALES.flatMap(s => [make("dt", {}, `scale ${s}`), make("dd", {}, s === data.scale ? data.says : beside[s].says)]));
}
