"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const FIELDS = ["id", "printed", "code", "protocol", "reason", "others", "locator", "measure", "numbers", "records", "about", "quotes", "text_is", "evidence"];
const GOOD = ["reproduced", "holds", "confirmed"], BAD = ["differs", "fails", "refuted", "self_contradictory"];
const TONES = ["good", "bad", "open", "none"];

/** A verdict without its reason or its number of draws: not_run(compute) is a not_run. */
const ruling = v => v.split("(")[0];
/** The tone of a verdict: good, bad, open (nothing is decided, or a slip) or none (not run). */
const tone = v => GOOD.includes(ruling(v)) ? "good" : BAD.includes(ruling(v)) ? "bad" : ruling(v) === "not_run" ? "none" : "open";
const plural = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;
const words = v => v.replace(/sampled\((\d+)\)/, "no counter-example in $1").replace(/\((.*)\)/, ": $1").replaceAll("_", " ");

/** An element with properties, attributes (those with a dash, and role) and children. */
function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties))
    key.includes("-") || key === "role" || key === "scope" ? node.setAttribute(key, value) : node[key] = value;
  node.append(...children.filter(child => child !== null && child !== ""));
  return node;
}
const badge = v => make("span", {className: `verdict ${tone(v)}`}, words(v));

// What was sent, put together: every claim with its place and its verdict at every scale.
const papers = Object.fromEntries(data.papers.map(p => [p.name, p]));
const RULINGS = [...new Set(data.verdicts.map(ruling))];
const SCALES = [data.scale, ...data.scales.map(s => s.name)];
const claims = data.claims.map((values, index) => {
  const claim = Object.fromEntries(FIELDS.map((field, i) => [field, values[i]]));
  const [paper, exhibit, row, column] = claim.id.split("/");
  Object.assign(claim, {paper, exhibit, row, column, stated: exhibit === "claims"});
  const table = papers[paper].exhibits.find(e => e.name === exhibit);
  if (!claim.stated && table) claim.locator = `${table.locator}, row ${row}, column ${column}`;
  const judged = claim.numbers.find(n => n[0] === claim.protocol);
  claim.at = {[data.scale]: {verdict: data.verdicts[claim.code], ours: judged ? judged[1] : ""}};
  for (const scale of data.scales)
    if (scale.told[index]) claim.at[scale.name] = {verdict: data.verdicts[scale.told[index][0]], ours: scale.told[index][1]};
  const measure = data.measures[claim.measure].join(" ");
  claim.text = [claim.id, claim.locator, claim.printed, claim.reason, claim.others, measure, ...claim.quotes.map(q => q[1])].join("\n").toLowerCase();
  return claim;
});
const byId = Object.assign(Object.create(null), Object.fromEntries(claims.map(claim => [claim.id, claim])));

// ---- the address: #claim?paper=..&verdict=..&scale=..&q=..
const NOTHING = {paper: "", verdict: "", scale: data.scale, q: ""};
let state = {...NOTHING, claim: ""};
/** The fragment of the address; one that is no encoding of a text is taken as it stands. */
function fragment() {
  const written = location.hash.slice(1);
  try { return decodeURIComponent(written); } catch { return written; }
}
function fromAddress() {
  const [claim, query] = fragment().split("?"), asked = new URLSearchParams(query || "");
  const found = {...NOTHING, claim: claim in byId ? claim : ""};
  for (const key of Object.keys(NOTHING)) if (asked.has(key)) found[key] = asked.get(key);
  if (!SCALES.includes(found.scale)) found.scale = data.scale;
  return found;
}
function address(of) {
  const set = Object.keys(NOTHING).filter(key => of[key] !== NOTHING[key]).map(key => [key, of[key]]);
  const query = new URLSearchParams(set).toString();
  return `#${of.claim}${query ? `?${query}` : ""}`;
}
function go(change, push = false) {
  state = {...state, ...change};
  if (push) history.pushState({opened: true}, "", address(state));
  else history.replaceState(history.state, "", address(state));
  render();
}
const now = claim => claim.at[state.scale] || {verdict: "", ours: ""};
function matches(claim, but = "") {
  const {verdict} = now(claim);
  if (!verdict) return false;
  const wanted = state.verdict;
  return (but === "paper" || !state.paper || claim.paper === state.paper)
    && (but === "verdict" || !wanted || verdict === wanted || ruling(verdict) === wanted)
    && (!state.q || state.q.toLowerCase().split(/\s+/).every(word => claim.text.includes(word)));
}
const filtered = () => Boolean(state.paper || state.verdict || state.q);

// ---- counts: verdicts down, papers across
function renderCounts() {
  const names = data.papers.map(p => p.name), count = {};
  for (const claim of claims) {
    const {verdict} = now(claim);
    if (!verdict) continue;
    for (const paper of [claim.paper, ""]) for (const v of [ruling(verdict), ""]) count[`${v} ${paper}`] = (count[`${v} ${paper}`] || 0) + 1;
  }
  const used = RULINGS.filter(v => count[`${v} `]);
  const choose = (verdict, paper, text, label) => {
    const on = Boolean(verdict || paper) && state.verdict === verdict && state.paper === paper;
    const button = make("button", {type: "button", "aria-pressed": String(on), "aria-label": label}, text);
    button.onclick = () => go(on ? {verdict: "", paper: ""} : {verdict, paper});
    return button;
  };
  const cell = (verdict, paper) => {
    const n = count[`${verdict} ${paper}`] || 0;
    const label = `${n} claims of ${paper || "all papers"}, ${verdict ? words(verdict) : "all verdicts"}`;
    return make("td", {className: verdict ? tone(verdict) : ""}, n ? choose(verdict, paper, String(n), label) : make("span", {className: "zero"}, "·"));
  };
  const head = make("tr", {}, make("td"), ...names.map(n => make("th", {scope: "col"}, choose("", n, n, `all claims of ${n}`))), make("th", {scope: "col"}, "all"));
  const line = (verdict, title) => make("tr", {}, make("th", {scope: "row"}, title), ...names.map(n => cell(verdict, n)), cell(verdict, ""));
  $("counts").replaceChildren(
    make("thead", {}, head),
    make("tbody", {}, ...used.map(v => line(v, choose(v, "", badge(v), `all claims that are ${words(v)}`)))),
    make("tfoot", {}, line("", make("span", {className: "muted"}, "claims"))));
}

// ---- exhibits: folded, filled when they are opened and come into view
const folds = [];
function build() {
  for (const paper of data.papers) {
    const mine = claims.filter(c => c.paper === paper.name);
    const section = make("section", {id: `paper-${paper.name}`, "aria-label": paper.title},
      make("h2", {}, paper.title), make("p", {className: "muted"}, `${paper.name}: ${paper.cited}`), ...beyond(paper));
    const listed = paper.exhibits.map(e => ({exhibit: e, of: mine.filter(c => c.exhibit === e.name || c.about === e.name)}));
    const stated = mine.filter(c => c.stated);
    if (stated.length) listed.push({exhibit: {name: "claims", locator: "In words", title: "statements that can be checked"}, of: stated});
    for (const {exhibit, of} of listed) {
      const summary = make("summary"), body = make("div", {className: "body"});
      const fold = make("details", {className: "exhibit", id: `${paper.name}-${exhibit.name}`}, summary, body);
      const entry = {paper, exhibit, of, fold, summary, body, filled: "", seen: false,
        text: [paper.name, exhibit.name, exhibit.locator, exhibit.title, exhibit.caption].join("\n").toLowerCase()};
      fold.ontoggle = () => fill(entry);
      fold.entry = entry;
      folds.push(entry);
      section.append(fold);
      near.observe(fold);
    }
    $("exhibits").append(section);
  }
}
/** What was found beside the claims: about programs, other works, readings and our own choices. */
function beyond(paper) {
  if (!paper.findings.length) return [];
  const line = f => make("li", {}, make("span", {className: "where"}, `${f.about} · ${f.locator}`), make("span", {className: "says"}, f.says),
    ...passages(f.passages, "span"), f.numbers ? make("span", {className: "why"}, f.numbers) : "");
  return [make("details", {className: "findings"}, make("summary", {}, `${plural(paper.findings.length, "finding")} without a verdict: programs, other works, readings, our own choices`),
    make("ul", {}, ...paper.findings.map(line)))];
}
/** The promises of every document first: what was claimed, what we found, where, how sure. */
function renderHeadlines() {
  const found = f => make("li", {}, ...(f.verdict ? [badge(f.verdict), " ", link(f.claim, f.about)] : [`${f.about}.`]), make("span", {}, ` ${f.says}`),
    make("span", {className: "muted"}, ` At scale ${f.scale}${f.sure ? `: ${f.sure}` : ""}.`));
  const one = h => make("li", {className: "headline"}, make("p", {className: "says"}, make("b", {}, "Claimed: "), h.says), make("p", {}, make("b", {}, "Found: "), h.summary),
    make("details", {}, make("summary", {}, "words of the document, and claim by claim"), ...passages(h.passages, "span"), h.found.length ? make("ul", {}, ...h.found.map(found)) : ""));
  $("headlines").replaceChildren(...data.papers.filter(p => p.headlines.length).map(p =>
    make("section", {className: "promises", "aria-label": `Promises of ${p.title}`}, make("h3", {}, p.title, tallied(p)), make("ul", {}, ...p.headlines.map(one)))));
}
/** How many of the claims behind the promises of a paper got which verdict. */
function tallied(paper) {
  const tally = {};
  for (const f of new Map(paper.headlines.flatMap(h => h.found).filter(f => f.verdict).map(f => [f.claim, f])).values()) tally[ruling(f.verdict)] = (tally[ruling(f.verdict)] || 0) + 1;
  return make("span", {className: "tally"}, ...RULINGS.filter(r => tally[r]).map(r => make("span", {className: `verdict ${tone(r)}`}, `${tally[r]} ${words(r)}`)));
}
function link(id, text) {
  const anchor = make("a", {href: `#${id}`}, text);
  anchor.onclick = event => { event.preventDefault(); go({claim: id}, true); };
  return anchor;
}
const near = new IntersectionObserver(changes => {
  for (const change of changes) { change.target.entry.seen = change.isIntersecting; if (change.isIntersecting) fill(change.target.entry); }
}, {rootMargin: "600px"});

function fill(entry, force = false) {
  if (!entry.fold.open || entry.fold.hidden || !(entry.seen || force)) return;
  const key = address({...state, claim: ""});
  if (entry.filled === key) return;
  entry.filled = key;
  const {exhibit, body} = entry;
  body.replaceChildren(make("p", {className: "muted"}, caption(entry)));
  if (exhibit.agreement) body.append(make("p", {className: "muted agreement"}, `Printed order against ours, Kendall's τ with its 95 % interval: ${exhibit.agreement}.`));
  if (exhibit.rows) body.append(make("div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": `${entry.paper.name} ${exhibit.locator}`}, grid(entry)));
  if (exhibit.picture) body.append(make("img", {className: "picture", src: exhibit.picture, alt: exhibit.caption, width: exhibit.size[0], height: exhibit.size[1]}), drawn(exhibit));
  const said = entry.of.filter(c => c.stated && matches(c));
  if (said.length) body.append(make("ul", {className: "statements"}, ...said.map(c => make("li", {}, statement(c)))));
}
/** What a caption says beyond the summary above it; it speaks of the scale that was run. */
function caption({paper, exhibit}) {
  if (exhibit.name === "claims") return "";
  if (!exhibit.caption) return `Not made at the scale ${data.scale}.`;
  if (state.scale !== data.scale) return exhibit.picture ? `Picture of the scale ${data.scale}.` : "";
  return exhibit.caption.replace(`${paper.title}, ${exhibit.locator}: ${exhibit.title}`, "").trim();
}
function drawn(exhibit) {
  const records = exhibit.runs.map(i => record(data.runs[i]));
  return make("details", {className: "record"}, make("summary", {}, `Drawn by ${exhibit.function} from ${plural(records.length, "record")}`),
    facts([["code digest", make("code", {}, exhibit.code)], ["took", duration(exhibit.seconds)]]), ...records);
}
function grid({paper, exhibit}) {
  const line = row => make("tr", {}, make("th", {scope: "row", title: row}, row.replaceAll("_", " ")),
    ...exhibit.columns.map(column => make("td", {}, cell(byId[`${paper.name}/${exhibit.name}/${row}/${column}`]))));
  return make("table", {className: "grid"}, make("caption", {className: "hidden"}, `${exhibit.locator}: ${exhibit.title}`),
    make("thead", {}, make("tr", {}, make("td"), ...exhibit.columns.map(c => make("th", {scope: "col"}, c.replaceAll("_", " "))))),
    make("tbody", {}, ...exhibit.rows.map(line)));
}
function cell(claim) {
  if (!claim) return "";
  const {verdict, ours} = now(claim);
  if (!verdict) return make("span", {className: "cell none"}, make("span", {className: "printed"}, claim.printed));
  const others = state.scale === data.scale ? claim.numbers.filter(n => n[0] !== claim.protocol) : [];
  const button = make("button", {type: "button", className: `cell ${tone(verdict)}${matches(claim) ? "" : " dim"}`,
    "aria-label": `${claim.row}, ${claim.column}: printed ${claim.printed}, ours ${ours || "none"}, ${words(verdict)}`},
    make("span", {className: "printed"}, claim.printed), ours ? make("span", {className: "ours"}, ours) : "",
    ...others.map(n => make("span", {className: "more"}, `${n[1]} ${n[0].replaceAll("_", " ")}`)), badge(verdict));
  button.dataset.claim = claim.id;
  button.onclick = () => go({claim: claim.id}, true);
  return button;
}
/** The reason of a verdict; of two passages that are quoted anyway it would only quote them again. */
const why = claim => ["misprint", "self_contradictory"].includes(ruling(claim.at[data.scale].verdict)) ? "" : claim.reason;
/** The words of the document, each passage with the lines of its text. */
const passages = (quotes, tag) => quotes.map(([where, said]) => make(tag, {className: "quote"}, `“${said}”`, make("span", {className: "lines"}, ` ${where}`)));
function quoted(claim, tag) {
  const words = passages(claim.quotes, tag);
  return claim.text_is ? [...words, make("span", {className: "damaged"}, `text ${claim.text_is}: a decisive glyph may be lost in the extracted text`)] : words;
}
function statement(claim) {
  const {verdict} = now(claim);
  const button = make("button", {type: "button", className: `statement ${tone(verdict)}`}, badge(verdict),
    make("span", {className: "where"}, ` · ${claim.locator}`), make("span", {className: "says"}, claim.printed), ...quoted(claim, "span"),
    make("span", {className: "why"}, state.scale === data.scale ? why(claim) : ""));
  button.dataset.claim = claim.id;
  button.onclick = () => go({claim: claim.id}, true);
  return button;
}
function renderSummary({exhibit, of, summary}) {
  const tally = {};
  for (const claim of of) { const {verdict} = now(claim); if (verdict) tally[tone(verdict)] = (tally[tone(verdict)] || 0) + 1; }
  const parts = TONES.filter(t => tally[t]);
  summary.replaceChildren(make("b", {}, exhibit.locator), make("span", {className: "title"}, exhibit.title),
    make("span", {className: "tally"}, ...parts.map(t => make("span", {className: `verdict ${t}`}, String(tally[t])))),
    parts.length ? make("span", {className: "bar", "aria-hidden": "true"}, ...parts.map(t => {
      const piece = make("i", {className: t});
      piece.style.flex = tally[t];
      return piece;
    })) : "");
}

// ---- everything that follows the state
let shownFor = null;
function render() {
  const key = address({...state, claim: ""});
  if (key !== shownFor) {
    const scaleChanged = shownFor === null || fromKey(shownFor) !== state.scale;
    shownFor = key;
    $("scale-name").textContent = state.scale;
    $("says").textContent = state.scale === data.scale ? data.says : `verdicts of the scale ${state.scale}; its runs are on its own page`;
    renderCounts();
    if (scaleChanged) renderHeadlines();
    const found = claims.filter(c => matches(c));
    const few = Boolean(state.verdict || state.q) && found.length <= 150;
    for (const entry of folds) {
      if (scaleChanged) renderSummary(entry);
      const named = state.q && !state.verdict && state.q.toLowerCase().split(/\s+/).every(w => entry.text.includes(w));
      const any = entry.of.some(c => matches(c)) || (named && (!state.paper || state.paper === entry.paper.name));
      entry.fold.hidden = filtered() ? !any && !(state.paper === entry.paper.name && !state.verdict && !state.q) : false;
      if (few && any) entry.fold.open = true;
      entry.filled = "";
      fill(entry);
    }
    for (const section of $("exhibits").children) section.hidden = [...section.querySelectorAll(".exhibit")].every(f => f.hidden);
    const all = claims.filter(c => now(c).verdict).length;
    $("found").textContent = filtered() ? `${found.length} of ${all} claims` : `${all} claims`;
    $("clear").hidden = !filtered();
    for (const name of ["paper", "verdict", "scale"]) $(name).value = state[name];
    if ($("search").value !== state.q) $("search").value = state.q;
  }
  const dialog = $("details");
  if (state.claim) show(byId[state.claim]);
  else if (dialog.open) { dialog.close(); reveal(dialog.dataset.claim); }
  document.title = `${state.claim || "audit"} · ${state.scale} · reactivate`;
}
const fromKey = key => new URLSearchParams(key.split("?")[1] || "").get("scale") || data.scale;

// ---- one claim
function facts(pairs) {
  return make("dl", {}, ...pairs.filter(p => p[1]).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}
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
function copier(text, label = "copy") {
  const button = make("button", {type: "button"}, label);
  button.onclick = async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "select and copy it"; }
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  return button;
}
function again(runs) {
  if (!runs.length) return "";
  const command = `${data.rerun} ${[...new Set(runs.map(r => r.path))].join(" ")}`;
  const took = runs.reduce((sum, r) => sum + r.seconds, 0);
  return make("div", {}, make("h3", {}, "Run it again"), make("div", {className: "command"}, make("code", {}, command), copier(command)),
    make("p", {className: "muted"}, `took ${duration(took)}; afterwards: ${data.rerun.replace(" --force", "")} results/${data.scale}/audit.html`));
}
function across(claim) {
  const line = ([scale, {verdict, ours}]) => {
    const other = data.scales.find(s => s.name === scale);
    const name = other ? make("a", {href: `${other.page}#${claim.id}`}, scale) : make("b", {}, scale);
    return make("tr", {}, make("th", {scope: "row"}, name), make("td", {}, ours || "–"), make("td", {}, badge(verdict)));
  };
  return make("table", {className: "across"}, make("tbody", {}, ...Object.entries(claim.at).map(line)));
}
function number(claim, [protocol, ours, values, how, runs]) {
  const judged = protocol === claim.protocol ? " (judged)" : "";
  const meaning = papers[claim.paper].protocols[protocol] || "";
  return [make("h3", {}, `Ours: ${ours}, ${protocol.replaceAll("_", " ")}${judged}`),
    facts([["protocol", meaning], [values.length > 1 ? `${values.length} seeds` : "value", values.join(", ")], ["how", how]]),
    ...runs.map(i => record(data.runs[i], runs.length === 1 && judged !== ""))];
}
function show(claim) {
  const dialog = $("details"), judged = claim.numbers.find(n => n[0] === claim.protocol);
  const {verdict, ours} = claim.at[data.scale], [metric, unit, better] = data.measures[claim.measure];
  const runs = (claim.stated ? claim.records : judged ? judged[4] : []).map(i => data.runs[i]);
  const close = make("button", {type: "button", id: "close", autofocus: true}, "close");
  close.onclick = leave;
  const beside = make("div", {className: `beside ${tone(verdict)}`},
    make("div", {className: claim.stated ? "words" : ""}, make("span", {}, claim.stated ? "it says" : "printed"), make("div", {className: "big"}, claim.printed)),
    claim.stated ? "" : make("div", {}, make("span", {}, `ours at ${data.scale}`), make("div", {className: "big"}, ours || "–")),
    make("div", {}, make("span", {}, "verdict"), make("div", {className: "big"}, badge(verdict))));
  dialog.replaceChildren(
    make("div", {className: "bar-top"}, make("h2", {id: "details-title"}, claim.id), step(claim, -1), step(claim, 1), copier(location.href, "copy link"), close),
    make("div", {className: "inside"}, beside, ...quoted(claim, "blockquote"),
      make("p", {className: "sentence"}, `${claim.stated ? "The claim" : "The number"} ${data.sentences[verdict]}.`), interval(claim.evidence),
      facts([["why", why(claim)], ...proof(claim.evidence), ["where", `${papers[claim.paper].title}, ${claim.locator}`],
        ["metric", metric && `${metric.replaceAll("_", " ")}${unit ? `, ${unit}` : ""}${better ? `, ${better} is better` : ""}`],
        ["protocol", `${claim.protocol.replaceAll("_", " ")}${claim.stated || !judged ? `: ${papers[claim.paper].protocols[claim.protocol] || ""}` : ""}`.replace(/: $/, "")],
        ["beside", claim.others]]), answer(claim),
      Object.keys(claim.at).length > 1 ? make("h3", {}, "At all scales") : "", Object.keys(claim.at).length > 1 ? across(claim) : "",
      ...claim.numbers.flatMap(n => number(claim, n)),
      ...(claim.stated && runs.length ? [make("h3", {}, `Judged from ${plural(runs.length, "record")}`), ...runs.map(r => record(r, runs.length === 1))] : []),
      again(runs)));
  dialog.dataset.claim = claim.id;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}
/** The evidence of a verdict, as pairs of a word and a text. */
function proof(e) {
  const level = e.level ? ` (${+(100 * e.level).toFixed(2)} % interval ${e.low} to ${e.high})` : "";
  const hours = e.core_hours ? `, about ${(+e.core_hours).toPrecision(2)} core-hours` : "";
  const seeds = e.seeds_to_decide ? `${+(e.n || 0) < 3 ? "at least " : ""}${e.seeds_to_decide > 100 ? "more than 100" : e.seeds_to_decide} replicates${hours}` : "";
  return [["effect", e.effect && `${e.effect}${level}`], ["replicates", e.n], ["cases", e.cases], ["did not learn", e.unlearned && `${plural(+e.unlearned, "run")}, not in the mean`],
    ["size", e.size], ["of the list", e.counts], ["one by one", e.parts && make("ul", {}, ...e.parts.split(" | ").map(p => make("li", {}, p)))],
    ["left open", e.choices], ["the scale changes", e.overrides], ["its own table", e.own_table], ["note", e.note], ["would decide it", seeds], ["would change it", e.would_change]];
}
/** A line with the interval of an effect, and 0 on it. */
function interval(e) {
  if (!e.low) return "";
  const [low, mean, high] = [e.low, e.effect, e.high].map(Number), ends = [Math.min(low, 0), Math.max(high, 0)];
  if (![low, mean, high].every(Number.isFinite) || ends[0] === ends[1]) return "";
  const at = x => `${(6 + 88 * (x - ends[0]) / (ends[1] - ends[0])).toFixed(2)}%`;
  const mark = (name, left, width) => { const i = make("i", {className: name}); i.style.left = left; if (width) i.style.width = width; return i; };
  const wide = `${(88 * (high - low) / (ends[1] - ends[0])).toFixed(2)}%`;
  return make("div", {className: "interval", role: "img", "aria-label": `effect ${e.effect}, from ${e.low} to ${e.high}; 0 is none`}, mark("range", at(low), wide), mark("zero", at(0)), mark("mean", at(mean)));
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
/** Opens the exhibit of a claim and goes to it, so that it is there when the dialog is closed. */
function reveal(id) {
  const claim = byId[id], entry = claim && folds.find(f => f.paper.name === claim.paper && f.exhibit.name === claim.exhibit);
  if (!entry) return;
  entry.fold.open = true;
  fill(entry, true);
  const place = entry.body.querySelector(`[data-claim="${CSS.escape(id)}"]`);
  (place || entry.fold).scrollIntoView({block: "nearest"});
  place?.focus({preventScroll: true});
}

// ---- start
for (const [id, all, names] of [["paper", "all", data.papers.map(p => p.name)], ["verdict", "all", RULINGS]])
  $(id).append(make("option", {value: ""}, all), ...names.map(n => make("option", {value: n}, words(n))));
$("scale").append(...SCALES.map(s => make("option", {value: s}, s)));
for (const id of ["paper", "verdict", "scale"]) $(id).onchange = event => go({[id]: event.target.value});
let typing;
$("search").oninput = event => { clearTimeout(typing); typing = setTimeout(() => go({q: event.target.value.trim()}), 150); };
$("filters").onsubmit = event => event.preventDefault();
$("clear").onclick = () => go({...NOTHING, scale: state.scale});
$("unfold").onclick = event => {
  const open = event.target.textContent === "open all";
  for (const entry of folds) entry.fold.open = open;
  event.target.textContent = open ? "close all" : "open all";
};
$("details").oncancel = event => { event.preventDefault(); leave(); };
$("details").onclick = event => { if (event.target === $("details")) leave(); };
$("details").onkeydown = event => {
  const label = {ArrowLeft: "Claim before", ArrowRight: "Claim after"}[event.key];
  if (label) $("details").querySelector(`[aria-label="${label}"]`).click();
};
document.querySelector(".skip").onclick = event => { event.preventDefault(); $("exhibits").focus(); };
addEventListener("popstate", () => { state = fromAddress(); render(); });
addEventListener("beforeprint", () => folds.forEach(entry => fill(entry, true)));
/** Goes to what the address names when the page is opened: a claim, or paper/exhibit. */
function arrive() {
  state = fromAddress();
  render();
  if (state.claim) return reveal(state.claim);
  const [name] = fragment().split("?"), [paper, exhibit, more] = name.split("/");
  const entry = folds.find(f => f.paper.name === paper && f.exhibit.name === exhibit);
  if (entry) { entry.fold.open = true; fill(entry, true); entry.fold.scrollIntoView(); }
  $("unknown").hidden = !name || (entry && !more);
  $("unknown").textContent = `There is no ${name} here; accepted: a claim, or paper/exhibit, as in #gmp/table3.`;
}
build();
arrive();
