// One claim: its words, evidence at every scale, runs, data, code, and the command for all of it.
function duration(seconds) {
  if (seconds < 60) return `${seconds.toPrecision(3)} s`;
  return seconds < 5400 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
const commit = e => e.commit === null ? "none: made outside a repository"
  : make("span", {}, make("code", {}, e.commit), e.dirty ? make("span", {className: "dirty"}, " with uncommitted changes") : " clean");
function record(run, open = false) {
  const where = data.environments[run.environment], set = data.datasets[run.dataset];
  const read = (run.read || []).map(r => typeof r === "number" ? record(data.runs[r]) : make("p", {}, make("code", {}, r.file), ` sha256 ${r.sha256}`));
  const packages = Object.entries(where.packages).map(p => p.join(" ")).join(", ");
  const {system, cpu, gpu, threads} = where.machine;
  return make("details", {className: "record", open}, make("summary", {}, make("code", {}, run.path), ` ${duration(run.seconds)}`),
    facts([["sha256", make("code", {}, run.sha256)], ["made by", run.made_by], ["seeds", (run.seeds || []).join(", ")],
      ["dataset", set && make("span", {}, `${set.name}, sha256 `, make("code", {}, set.sha256))],
      ["code digest", make("code", {}, run.code)], ["commit", commit(where)], ["took", duration(run.seconds)],
      ["with", `Python ${where.python}, ${packages}; ${system}, ${gpu || cpu}, ${plural(threads, "thread")}`],
      ["warnings", (run.warnings || []).join("; ")]]),
    ...(read.length ? [make("p", {className: "muted"}, "It read:"), ...read] : []));
}
function again(runs) {
  if (!runs.length) return "";
  const command = `${data.rerun} ${[...new Set(runs.map(r => r.path))].join(" ")}`;
  const took = runs.reduce((sum, r) => sum + r.seconds, 0);
  return make("div", {}, make("h3", {}, "Run it again"), make("div", {className: "command"}, make("code", {tabIndex: 0, role: "region", "aria-label": "Command"}, command), copier(command)),
    make("p", {className: "muted"}, `took ${duration(took)}; afterwards: ${data.rerun.replace(" --force", "")} results/${data.scale}/audit.html`));
}
function across(claim) {
  const line = ({scale, verdict, ours, interval: e}) => {
    const other = beside[scale], name = other ? make("a", {href: `${other.page}#${claim.id}`}, scale) : make("b", {}, scale);
    const effect = e.low ? `${short(+e.effect)} (${+(100 * e.level).toFixed(2)} %: ${short(+e.low)} to ${short(+e.high)})` : e.effect ? short(+e.effect) : "–";
    return make("tr", {}, make("th", {scope: "row"}, name), ...(claim.stated ? [] : [make("td", {}, ours || "–")]), make("td", {}, effect), make("td", {}, e.n || "–"), make("td", {}, badge(verdict)));
  };
  const head = ["scale", ...(claim.stated ? ["effect"] : ["ours", "ours minus printed"]), "replicates", "verdict"].map(text => make("th", {scope: "col"}, text));
  return scrolling(`${claim.id} at all scales`, make("table", {className: "across"}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...Object.values(claim.at).map(line))));
}
function number(claim, [protocol, ours, values, how, runs]) {
  const judged = protocol === claim.protocol ? " (judged)" : "";
  const meaning = papers[claim.paper].protocols[protocol] || "";
  return [make("h3", {}, `Ours: ${ours}, ${plain(protocol)}${judged}`), strip(claim.printed, values, `${claim.id}, ${plain(protocol)}: printed against our runs`),
    facts([["protocol", meaning], [values.length > 1 ? `${values.length} seeds` : "value", values.join(", ")], ["how", how]]),
    ...curves(runs), ...runs.map(i => record(data.runs[i], runs.length === 1 && judged !== ""))];
}
/** What a claim is called: the place of a number, or the name of a statement. */
const titled = claim => claim.stated ? `${claim.locator}: ${plain(claim.id.split("/").pop())}`
  : `${papers[claim.paper].exhibits.find(e => e.name === claim.exhibit).locator}: ${plain(claim.row)}, ${plain(claim.column)}`;
function show(claim) {
  const dialog = $("details"), judged = claim.numbers.find(n => n[0] === claim.protocol);
  const {scale, verdict, ours} = claim.best, [metric, unit, better] = data.measures[claim.measure];
  const runs = (claim.stated ? claim.records : judged ? judged[4] : []).map(i => data.runs[i]);
  const run = Object.values(claim.at).filter(f => ruling(f.verdict) !== "not_run"), found = run.length ? run : [claim.best];
  const close = make("button", {type: "button", id: "close", autofocus: true}, "close");
  close.onclick = leave;
  const printed = make("div", {className: `beside ${tone(verdict)}`},
    make("div", {className: claim.stated ? "words" : ""}, make("span", {}, claim.stated ? "it says" : "printed"), make("div", {className: "big"}, claim.printed)),
    claim.stated ? "" : make("div", {}, make("span", {}, `ours at ${scale}`), make("div", {className: "big"}, ours || "–")),
    make("div", {}, make("span", {}, `verdict at ${scale}`), make("div", {className: "big"}, badge(verdict))));
  dialog.replaceChildren(
    make("div", {className: "bar-top"}, make("h2", {id: "details-title"}, titled(claim), make("code", {className: "address"}, claim.id)), step(claim, -1), step(claim, 1), copier(location.href, "copy link"), close),
    make("div", {className: "inside"}, printed, ...quoted(claim, "blockquote"),
      ...found.map(f => make("p", {className: "sentence"}, `At the scale ${f.scale} the ${claim.stated ? "claim" : "number"} ${data.sentences[f.verdict]}.`)), interval(claim.best.interval, claim.stated),
      scale === data.scale ? "" : make("p", {}, "The runs behind this verdict are on ", make("a", {href: `${beside[scale].page}#${claim.id}`}, `the page of the scale ${scale}`), "; below is what this scale has."),
      facts([["why", readable(why(claim))], ...proof(claim.evidence, claim.stated), ["where", `${papers[claim.paper].title}, ${claim.locator}`],
        ["metric", metric && `${plain(metric)}${unit ? `, ${unit}` : ""}${better ? `, ${better} is better` : ""}`],
        ["protocol", `${plain(claim.protocol)}${claim.stated || !judged ? `: ${papers[claim.paper].protocols[claim.protocol] || ""}` : ""}`.replace(/: $/, "")],
        ["beside", claim.others]]), answer(claim),
      Object.keys(claim.at).length > 1 ? make("h3", {}, "At all scales") : "", ...(Object.keys(claim.at).length > 1 ? across(claim) : []),
      ...claim.numbers.flatMap(n => number(claim, n)),
      ...(claim.stated && runs.length ? [...curves(claim.records), make("h3", {}, `Judged from ${plural(runs.length, "record")}`), ...runs.map(r => record(r, runs.length === 1))] : []),
      again(runs)));
  dialog.dataset.claim = claim.id;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}
/** The evidence of a verdict, as pairs of a word and a text. */
function proof(e, stated) {
  const level = e.level ? ` (${+(100 * e.level).toFixed(2)} % interval ${short(+e.low)} to ${short(+e.high)})` : "";
  const hours = e.core_hours ? `, about ${(+e.core_hours).toPrecision(2)} core-hours` : "";
  const seeds = e.seeds_to_decide ? `${+(e.n || 0) < 3 ? "at least " : ""}${e.seeds_to_decide > 100 ? "more than 100" : e.seeds_to_decide} replicates${hours}` : "";
  return [[e.level && !stated ? "ours minus printed" : "effect", e.effect && `${short(+e.effect)}${level}`], ["replicates", e.n], ["cases", e.cases], ["did not learn", e.unlearned && `${plural(+e.unlearned, "run")}, not in the mean`],
    ["size", e.size], ["of the list", e.counts], ["one by one", e.parts && make("ul", {}, ...e.parts.split(" | ").map(p => make("li", {}, readable(p))))],
    ["left open", e.choices], ["the scale changes", e.overrides && readable(e.overrides)], ["its own table", e.own_table], ["note", e.note], ["would decide it", seeds], ["would change it", e.would_change]];
}
/** What an author answers, and how to send an answer. */
function answer(claim) {
  if (claim.evidence.reply) return make("blockquote", {className: "reply"}, make("b", {}, "The author replies: "), claim.evidence.reply);
  if (!claim.stated) return "";
  return make("p", {className: "muted"}, `Is it yours, and is the verdict unfair? Send an answer: an issue or a change that adds reply: {author, date, says} to ${claim.id.split("/").pop()} in config/papers/${claim.paper}; it is shown here, beside the verdict.`);
}
/** A button to the claim before or after, among those that are shown. */
function step(claim, by) {
  const found = claims.filter(c => matches(c)), to = found[found.indexOf(claim) + by];
  const button = make("button", {type: "button", disabled: !to || !found.includes(claim), "aria-label": by < 0 ? "Claim before" : "Claim after"}, by < 0 ? "‹" : "›");
  button.onclick = () => { go({claim: to.id}); $("details").querySelector(`[aria-label="${by < 0 ? "Claim before" : "Claim after"}"]`).focus(); };
  return button;
}
function leave() {
  if (history.state?.opened) history.back(); else go({claim: ""});
}
/** Opens an exhibit and what it is folded in. */
function unfold(entry) {
  for (let node = entry.fold; node; node = node.parentElement.closest("details")) node.open = true;
  fill(entry, true);
  for (const inner of entry.body.querySelectorAll("details.idle")) inner.open = true;
}
/** Opens the exhibit of a claim and goes to it, so that it is there when the dialog is closed. */
function reveal(id) {
  const claim = byId[id], entry = claim && folds.find(f => f.paper.name === claim.paper && f.exhibit.name === claim.exhibit);
  if (!entry) return;
  unfold(entry);
  const place = entry.body.querySelector(`[data-claim="${CSS.escape(id)}"]`);
  (place || entry.fold).scrollIntoView({block: "nearest"});
  place?.focus({preventScroll: true});
}

