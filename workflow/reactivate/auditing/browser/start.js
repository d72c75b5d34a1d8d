// Everything that follows the state, and the start.
let shownFor = null;
function render() {
  const key = address({...state, claim: ""});
  if (key !== shownFor) {
    const scaleChanged = shownFor === null || fromKey(shownFor) !== state.scale;
    shownFor = key;
    renderCounts();
    const found = claims.filter(c => matches(c));
    const few = Boolean(state.verdict || state.q) && found.length <= 150;
    for (const entry of folds) {
      if (scaleChanged) { renderSummary(entry); place(entry); }
      const named = state.q && !state.verdict && state.q.toLowerCase().split(/\s+/).every(w => entry.text.includes(w));
      const any = entry.of.some(c => matches(c)) || (named && (!state.paper || state.paper === entry.paper.name));
      entry.fold.hidden = filtered() ? !any && !(state.paper === entry.paper.name && !state.verdict && !state.q) : false;
      if (few && any) entry.fold.open = true;
      entry.filled = "";
      fill(entry);
    }
    for (const section of $("exhibits").children) {
      section.hidden = [...section.querySelectorAll(".exhibit")].every(f => f.hidden);
      renderIdle(section);
    }
    const all = claims.filter(c => now(c).verdict).length;
    $("found").textContent = filtered() ? `${found.length} of ${all} claims` : `${all} claims`;
    $("clear").hidden = !filtered();
    for (const name of ["paper", "verdict", "scale"]) $(name).value = state[name];
    if ($("search").value !== state.q) $("search").value = state.q;
  }
  const dialog = $("details");
  if (state.claim) show(byId[state.claim]);
  else if (dialog.open) { dialog.close(); reveal(dialog.dataset.claim); }
  document.title = `${state.claim || "audit"} · ${state.scale || data.scale} · reactivate`;
}
const fromKey = key => new URLSearchParams(key.split("?")[1] || "").get("scale") || "";

for (const [id, all, names] of [["paper", "all", data.papers.map(p => p.name)], ["verdict", "all", RULINGS]])
  $(id).append(make("option", {value: ""}, all), ...names.map(n => make("option", {value: n}, words(n))));
$("scale").append(make("option", {value: ""}, "all"), ...SCALES.map(s => make("option", {value: s}, s)));
for (const id of ["paper", "verdict", "scale"]) $(id).onchange = event => go({[id]: event.target.value});
let typing;
$("search").oninput = event => { clearTimeout(typing); typing = setTimeout(() => go({q: event.target.value.trim()}), 150); };
$("filters").onsubmit = event => event.preventDefault();
$("clear").onclick = () => go(NOTHING);
$("unfold").onclick = event => {
  const open = event.target.textContent === "open all";
  for (const entry of folds) entry.fold.open = open;
  for (const idle of document.querySelectorAll("#exhibits > section > .idle")) idle.open = open;
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
  if (entry) { unfold(entry); entry.fold.scrollIntoView(); }
  const part = /^[a-z-]+$/.test(name) && $(name);
  if (part) part.scrollIntoView();
  $("unknown").hidden = !name || Boolean(part) || (entry && !more);
  $("unknown").textContent = `There is no ${name} here; accepted: a claim, or paper/exhibit, as in #gmp/table3.`;
}
/** What the page says of itself: how much it tells, at which scale, and where the rest is. */
function introduce() {
  const many = data.papers.length, promised = data.papers.flatMap(p => p.headlines).length;
  $("scope").textContent = `${many === 1 ? "One document" : `${many} documents`} on neural-network activations: ${plural(promised, "headline claim")}, and ${claims.length} printed numbers and statements, each set beside what our own runs and proofs give.`;
  $("own-scale").textContent = data.scale;
  for (const s of data.scales) $("other-pages").append(" · ", make("a", {href: s.page}, `runs at ${s.name}`));
}
introduce();
renderDocuments();
renderGlossary();
build();
arrive();
