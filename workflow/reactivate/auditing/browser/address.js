// The address, #claim?paper=..&verdict=..&scale=..&q=.., is the state of the page.
const NOTHING = {paper: "", verdict: "", scale: "", q: ""};
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
  if (!SCALES.includes(found.scale)) found.scale = "";
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
/** The verdict of a claim at the chosen scale; of all scales at the one that tells most. */
const now = claim => (state.scale ? claim.at[state.scale] : claim.best) || {verdict: "", ours: ""};
/** What was found of a claim at the chosen scales; what was not run only if nothing else was. */
function shownAt(claim) {
  const found = Object.values(claim.at).filter(f => !state.scale || f.scale === state.scale);
  const run = found.filter(f => ruling(f.verdict) !== "not_run");
  return run.length ? run : found.slice(0, 1);
}
/** Whether a claim passes the filters, with the verdict that is counted. */
function matches(claim) {
  const {verdict} = now(claim), wanted = state.verdict;
  return verdict !== ""
    && (!state.paper || claim.paper === state.paper)
    && (!wanted || verdict === wanted || ruling(verdict) === wanted)
    && (!state.q || state.q.toLowerCase().split(/\s+/).every(word => claim.text.includes(word)));
}
const filtered = () => Boolean(state.paper || state.verdict || state.q);
function link(id, text) {
  const anchor = make("a", {href: `#${id}`}, text);
  anchor.onclick = event => { event.preventDefault(); go({claim: id}, true); };
  return anchor;
}
