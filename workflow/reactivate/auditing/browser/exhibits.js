// Every claim: counted, then exhibit by exhibit; folded, and filled when it comes into view.
function renderCounts() {
  const names = data.papers.map(p => p.name), count = {};
  for (const claim of claims) {
    const {verdict} = now(claim);
    if (!verdict) continue;
    for (const paper of [claim.paper, ""]) for (const v of [ruling(verdict), ""]) count[`${v} ${paper}`] = (count[`${v} ${paper}`] || 0) + 1;
  }
  const used = TONES.flatMap(t => RULINGS.filter(v => tone(v) === t && count[`${v} `]));
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
    make("tbody", {}, ...used.map(v => line(v, choose(v, "", badge(v), `all claims that are ${words(v)}`)))));
}

const folds = [];
function build() {
  for (const paper of data.papers) {
    const mine = claims.filter(c => c.paper === paper.name);
    const idle = make("details", {className: "idle"}, make("summary"));
    const section = make("section", {id: `paper-${paper.name}`, "aria-label": `All claims of ${paper.title}`}, make("h3", {}, paper.title), ...beyond(paper), make("div", {className: "run"}), idle);
    const listed = paper.exhibits.map(e => ({exhibit: e, of: mine.filter(c => c.exhibit === e.name || c.about === e.name)}));
    const stated = mine.filter(c => c.stated);
    if (stated.length) listed.push({exhibit: {name: "claims", locator: "In words", title: "statements that can be checked"}, of: stated});
    for (const {exhibit, of} of listed) {
      const summary = make("summary"), body = make("div", {className: "body"});
      const fold = make("details", {className: "exhibit", id: `${paper.name}-${exhibit.name}`}, summary, body);
      const entry = {paper, exhibit, of, fold, summary, body, section, filled: "", seen: false,
        text: [paper.name, exhibit.name, exhibit.locator, exhibit.title, exhibit.caption].join("\n").toLowerCase()};
      fold.ontoggle = () => fill(entry);
      fold.entry = entry;
      folds.push(entry);
      near.observe(fold);
    }
    $("exhibits").append(section);
  }
}
/** Exhibits of which nothing was run stand together at the end of their paper, folded. */
function place(entry) {
  const isIdle = entry.of.length > 0 && !entry.exhibit.picture && entry.of.every(c => ruling(now(c).verdict || "not_run") === "not_run");
  entry.section.querySelector(isIdle ? ".idle" : ".run").append(entry.fold);
}
function renderIdle(section) {
  const idle = section.querySelector(".idle"), mine = [...idle.querySelectorAll(".exhibit")], shown = mine.filter(f => !f.hidden);
  idle.hidden = !shown.length;
  idle.firstChild.textContent = `${plural(shown.length, "exhibit")} of which nothing was run${state.scale ? ` at the scale ${state.scale}` : ""}`;
  if (state.verdict === "not_run" || state.q) idle.open = true;
}
/** What was found beside the claims: about programs, other works, readings and our own choices. */
function beyond(paper) {
  if (!paper.findings.length) return [];
  const line = f => make("li", {}, make("span", {className: "where"}, `${f.about} · ${f.locator}`), make("span", {className: "says"}, f.says),
    ...passages(f.passages, "span"), f.numbers ? make("span", {className: "why"}, f.numbers) : "");
  return [make("details", {className: "findings"}, make("summary", {}, `${plural(paper.findings.length, "finding")} without a verdict: programs, other works, readings, our own choices`),
    make("ul", {}, ...paper.findings.map(line)))];
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
  if (exhibit.rows) body.append(...scrolling(`${entry.paper.name} ${exhibit.locator}`, grid(entry)));
  if (exhibit.picture) body.append(make("img", {className: "picture", src: exhibit.picture, alt: exhibit.caption, width: exhibit.size[0], height: exhibit.size[1]}), drawn(exhibit));
  const said = entry.of.filter(c => c.stated && matches(c)), isRun = c => ruling(now(c).verdict) !== "not_run" || state.verdict === "not_run";
  const list = of => make("ul", {className: "statements"}, ...of.map(c => make("li", {}, statement(c))));
  if (said.some(isRun)) body.append(list(said.filter(isRun)));
  const idle = said.filter(c => !isRun(c));
  if (idle.length) body.append(make("details", {className: "idle", open: Boolean(state.q)}, make("summary", {}, `${plural(idle.length, "statement")} not run`), list(idle)));
}
/** What a caption says beyond the summary above it; it speaks of the scale that was run. */
function caption({paper, exhibit}) {
  if (exhibit.name === "claims") return "";
  if (!exhibit.caption) return `Not made at the scale ${data.scale}.`;
  const told = exhibit.caption.replace(`${paper.title}, ${exhibit.locator}: ${exhibit.title}`, "").trim();
  return told && SCALES.length > 1 ? `At the scale ${data.scale}: ${told}` : told;
}
function drawn(exhibit) {
  const records = exhibit.runs.map(i => record(data.runs[i]));
  return make("details", {className: "record"}, make("summary", {}, `Drawn at the scale ${data.scale} by ${exhibit.function} from ${plural(records.length, "record")}`),
    facts([["code digest", make("code", {}, exhibit.code)], ["took", duration(exhibit.seconds)]]), ...records);
}
function grid({paper, exhibit}) {
  const line = row => make("tr", {}, make("th", {scope: "row", title: row}, plain(row)),
    ...exhibit.columns.map(column => make("td", {}, cell(byId[`${paper.name}/${exhibit.name}/${row}/${column}`]))));
  return make("table", {className: "grid"}, make("caption", {className: "hidden"}, `${exhibit.locator}: ${exhibit.title}`),
    make("thead", {}, make("tr", {}, make("td"), ...exhibit.columns.map(c => make("th", {scope: "col"}, plain(c))))),
    make("tbody", {}, ...exhibit.rows.map(line)));
}
/** A cell of a table: what is printed, and at each scale what is ours, with the verdict. */
function cell(claim) {
  if (!claim) return "";
  const labelled = (name, label, value) => make("span", {className: name}, make("span", {className: "label"}, label), ` ${value}`);
  const found = shownAt(claim), {verdict} = now(claim);
  if (!found.length) return make("span", {className: "cell none"}, labelled("printed", "printed", claim.printed));
  const lines = found.flatMap(f => {
    const others = f.scale === data.scale ? claim.numbers.filter(n => n[0] !== claim.protocol) : [];
    const where = SCALES.length > 1 && ruling(f.verdict) !== "not_run" ? `, ${f.scale}` : "";
    return [f.ours ? labelled("ours", `ours${where}`, f.ours) : "", ...others.map(n => labelled("more", `ours, ${plain(n[0])}`, n[1])), badge(f.verdict)];
  });
  const told = found.map(f => `at ${f.scale} ours ${f.ours || "none"}, ${words(f.verdict)}`).join("; ");
  const button = make("button", {type: "button", className: `cell ${tone(verdict)}${matches(claim) ? "" : " dim"}`,
    "aria-label": `${plain(claim.row)}, ${plain(claim.column)}: printed ${claim.printed}; ${told}`}, labelled("printed", "printed", claim.printed), ...lines);
  button.dataset.claim = claim.id;
  button.onclick = () => go({claim: claim.id}, true);
  return button;
}
/** The reason of a verdict; of two passages that are quoted anyway it would only quote them again. */
const why = claim => ["misprint", "self_contradictory"].includes(ruling(claim.at[data.scale].verdict)) ? "" : claim.reason;
function quoted(claim, tag) {
  const said = passages(claim.quotes, tag);
  return claim.text_is ? [...said, make("span", {className: "damaged"}, `text ${claim.text_is}: a decisive glyph may be lost in the extracted text`)] : said;
}
function statement(claim) {
  const found = shownAt(claim), same = new Set(found.map(f => f.verdict)).size === 1;
  const badges = found.slice(0, same ? 1 : undefined).flatMap(f => [badge(f.verdict), SCALES.length > 1 ? make("span", {className: "where"}, same && found.length > 1 ? " at every scale  " : ` ${f.scale}  `) : ""]);
  const button = make("button", {type: "button", className: `statement ${tone(now(claim).verdict)}`}, ...badges,
    make("span", {className: "where"}, `· ${claim.locator}`), make("span", {className: "says"}, claim.printed), ...quoted(claim, "span"),
    make("span", {className: "why"}, !state.scale || state.scale === data.scale ? readable(why(claim)) : ""));
  button.dataset.claim = claim.id;
  button.onclick = () => go({claim: claim.id}, true);
  return button;
}
function renderSummary({exhibit, of, summary}) {
  const tally = {};
  for (const claim of of) { const {verdict} = now(claim); if (verdict) tally[tone(verdict)] = (tally[tone(verdict)] || 0) + 1; }
  const parts = TONES.filter(t => tally[t]), says = {good: "for it", bad: "against it", open: "open", none: "not run"};
  summary.replaceChildren(make("b", {}, exhibit.locator), make("span", {className: "title"}, exhibit.title),
    make("span", {className: "tally"}, ...parts.map(t => make("span", {className: `verdict ${t}`}, `${tally[t]} ${says[t]}`))),
    parts.length ? make("span", {className: "bar", "aria-hidden": "true"}, ...parts.map(t => {
      const piece = make("i", {className: t});
      piece.style.flex = tally[t];
      return piece;
    })) : "");
}
