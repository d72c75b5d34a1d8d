"use strict";
// What was sent, put together: words, elements, and every claim with its verdict at every scale.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const FIELDS = ["id", "printed", "code", "protocol", "reason", "others", "locator", "measure", "numbers", "records", "about", "quotes", "text_is", "evidence"];
const GOOD = ["reproduced", "holds", "confirmed"], BAD = ["differs", "fails", "refuted", "self_contradictory"];
const TONES = ["good", "bad", "open", "none"];
const UNJUDGED = ["not_run", "not_comparable"];

/** A verdict without its reason or its number of draws: not_run(compute) is a not_run. */
const ruling = v => v.split("(")[0];
/** The tone of a verdict: good, bad, open (nothing is decided, or a slip) or none (not run). */
const tone = v => GOOD.includes(ruling(v)) ? "good" : BAD.includes(ruling(v)) ? "bad" : ruling(v) === "not_run" ? "none" : "open";
const plural = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;
/** A name of the configuration as people write it. */
const plain = name => Object.hasOwn(data.labels, name) ? data.labels[name] : name.replaceAll("_", " ");
const words = v => plain(v.replace(/sampled\((\d+)\)/, "no counter-example in $1").replace(/\((.*)\)/, ": $1"));
/** A text in which verdicts, names before a colon and names with underscores are as people write them. */
const readable = text => text.replace(/[a-z_]+\([a-z]+\)/g, v => data.verdicts.includes(v) ? words(v) : v)
  .replace(/(?<=^|[;:(] ?)[a-z][a-z0-9]*(?=: )/g, plain).replace(/(?<![\w/.`])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/.(`])/g, plain);

/** An element with properties, attributes (those with a dash, role and scope) and children. */
function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties))
    key.includes("-") || key === "role" || key === "scope" ? node.setAttribute(key, value) : node[key] = value;
  node.append(...children.filter(child => child !== null && child !== ""));
  return node;
}
const badge = v => make("span", {className: `verdict ${tone(v)}`}, words(v));

const papers = Object.fromEntries(data.papers.map(p => [p.name, p]));
const RULINGS = [...new Set(data.verdicts.map(ruling))];
const SCALES = data.order; // the printed scale first
const beside = Object.fromEntries(data.scales.map(s => [s.name, s]));
const claims = data.claims.map((values, index) => {
  const claim = Object.fromEntries(FIELDS.map((field, i) => [field, values[i]]));
  const [paper, exhibit, row, column] = claim.id.split("/");
  Object.assign(claim, {paper, exhibit, row, column, stated: exhibit === "claims"});
  const table = papers[paper].exhibits.find(e => e.name === exhibit);
  if (!claim.stated && table) claim.locator = `${table.locator}, row ${plain(row)}, column ${plain(column)}`;
  const judged = claim.numbers.find(n => n[0] === claim.protocol);
  claim.at = {};
  for (const scale of SCALES) {
    const [code, ours, interval] = scale === data.scale ? [claim.code, judged ? judged[1] : "", claim.evidence] : beside[scale].told[index] || [];
    if (code !== undefined) claim.at[scale] = {scale, verdict: data.verdicts[code], ours: ours || "", interval: interval || {}};
  }
  claim.best = telling(Object.values(claim.at));
  const measure = data.measures[claim.measure].join(" ");
  claim.text = [claim.id, claim.locator, claim.printed, claim.reason, claim.others, measure, ...claim.quotes.map(q => q[1])].join("\n").toLowerCase();
  return claim;
});
const byId = Object.assign(Object.create(null), Object.fromEntries(claims.map(claim => [claim.id, claim])));

/** The scale that tells most: the first that judged a claim, or compared it, or has it. */
function telling(found) {
  return found.find(f => !UNJUDGED.includes(ruling(f.verdict))) || found.find(f => ruling(f.verdict) !== "not_run") || found[0];
}
/** A list of a word and a text; those without a text are left out. */
function facts(pairs) {
  return make("dl", {}, ...pairs.filter(p => p[1]).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}
/** The words of the document, each passage with the lines of its text. */
const passages = (quotes, tag) => quotes.map(([where, said]) => make(tag, {className: "quote"}, `“${said}”`, make("span", {className: "lines"}, ` ${where}`)));
function copier(text, label = "copy") {
  const button = make("button", {type: "button"}, label);
  button.onclick = async () => {
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "select and copy it"; }
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  return button;
}
/** A table, or anything else wide, in a frame that scrolls, says so, and takes the keyboard. */
function scrolling(label, content) {
  const frame = make("div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": label}, content);
  const hint = make("p", {className: "more-right muted", hidden: true}, "Wider than the screen: scroll it sideways →");
  new ResizeObserver(() => { hint.hidden = frame.scrollWidth <= frame.clientWidth + 1; }).observe(frame);
  return [hint, frame];
}
