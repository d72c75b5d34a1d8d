// Learning curves: one line per seed, the networks of a comparison in one picture per dataset.
/** The numbers of runs that have a curve, among these and those that they read. */
function curved(numbers, known = new Set()) {
  for (const i of numbers) {
    if (known.has(i)) continue;
    if (data.curves[i]) known.add(i);
    else curved((data.runs[i].read || []).filter(r => typeof r === "number"), known);
  }
  return known;
}
/** The dataset and the network of a run, by the names of its folders. */
function network(path) {
  const folders = path.split("/").slice(0, -1).filter(name => !/^seed\d+$/.test(name));
  return {dataset: folders.at(-2), parts: folders.at(-1).split("-")};
}
/** Lines by picture (a dataset, and what was measured), then by network. */
function gathered(numbers) {
  const pictures = {};
  for (const i of curved(numbers)) {
    const {dataset, parts} = network(data.runs[i].path), [measured, lines] = data.curves[i];
    const drawn = pictures[`${plain(dataset)}: ${measured}`] ||= {}, name = parts.join("-");
    (drawn[name] ||= {parts, lines: []}).lines.push(...lines);
  }
  return pictures;
}
const STYLES = 6;
/** Pictures of no more networks than there are styles: many are told apart by what has fewest values. */
function divided(title, networks) {
  const all = Object.values(networks), values = i => new Set(all.map(n => n.parts[i])).size;
  const places = all[0].parts.map((_, i) => i).filter(i => values(i) > 1).sort((i, j) => values(i) - values(j));
  if (all.length <= STYLES || !places.length) return [[title, networks]];
  const groups = {};
  for (const [name, n] of Object.entries(networks)) (groups[n.parts[places[0]]] ||= {})[name] = n;
  return Object.entries(groups).flatMap(([value, part]) => divided(title.replace(": ", `, ${plain(value)}: `), part));
}
/** Names of networks by what tells them apart. */
function arms(networks) {
  const all = Object.values(networks), differs = i => all.some(n => n.parts[i] !== all[0].parts[i]);
  return all.map(n => ({...n, name: (all.length > 1 ? n.parts.filter((_, i) => differs(i)) : n.parts).map(plain).join(", ")}));
}
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "1 2", "12 4"];
const style = i => ({class: `curve curve-${i % STYLES}`, "stroke-dasharray": DASHES[i % STYLES], "vector-effect": "non-scaling-stroke"});
/** The parts of a line between values that are not finite. */
function pieces([, epochs, values]) {
  const found = [[]];
  values.forEach((y, i) => { if (y === null) found.push([]); else found.at(-1).push([epochs[i], y]); });
  return found.filter(piece => piece.length);
}
function learning(title, networks) {
  const shown = arms(networks), lines = shown.flatMap(n => n.lines), values = lines.flatMap(l => l[2]).filter(y => y !== null);
  if (!values.length) return "";
  const last = Math.max(1, ...lines.flatMap(l => l[1])), first = Math.min(...lines.flatMap(l => l[1]));
  const [low, high] = [Math.min(...values), Math.max(...values)], logarithmic = low > 0 && high / low > 20;
  const scaled = y => logarithmic ? Math.log(y) : y, span = scaled(high) - scaled(low) || 1;
  const x = epoch => last === first ? 50 : 100 * (epoch - first) / (last - first), y = value => 97 - 94 * (scaled(value) - scaled(low)) / span;
  const end = l => { const known = l[2].filter(v => v !== null); return known.length ? `${short(known[0])} to ${short(known.at(-1))}` : "not finite"; };
  const drawn = shown.flatMap((n, i) => n.lines.flatMap(l => pieces(l).map(piece => {
    const points = piece.length > 1 ? piece : [[piece[0][0] - (last - first) / 50, piece[0][1]], piece[0]];
    const line = drawing("polyline", {...style(i), points: points.map(([e, v]) => `${x(e).toFixed(2)},${y(v).toFixed(2)}`).join(" ")}), told = drawing("title");
    told.textContent = `${n.name}, seed ${l[0]}: ${end(l)}`;
    line.append(told);
    return line;
  })));
  const says = `Epoch ${first} to ${last}. ${shown.map(n => `${n.name}: ${n.lines.map(l => `seed ${l[0]} from ${end(l)}`).join(", ")}`).join(". ")}.`;
  const image = picture(130, title, says, ...drawn);
  image.setAttribute("viewBox", "0 0 100 100");
  image.setAttribute("preserveAspectRatio", "none");
  const key = (n, i) => make("li", {}, drawing("svg", {width: 34, height: 10, "aria-hidden": "true"}, drawing("line", {...style(i), x1: 1, x2: 33, y1: 5, y2: 5})),
    ` ${n.name}: ${n.lines.length === 1 ? `seed ${n.lines[0][0]}` : `${n.lines.length} seeds`}`);
  return make("figure", {className: "learning"}, make("figcaption", {}, title, logarithmic ? make("span", {className: "muted"}, " (logarithmic)") : ""),
    make("div", {className: "chart"}, make("span", {className: "top"}, short(high)), make("span", {className: "bottom"}, short(low)), image,
      make("span", {className: "left"}, `epoch ${first}`), make("span", {className: "right"}, `epoch ${last}`)),
    make("ul", {}, ...shown.map(key)));
}
/** Pictures of all curves behind some runs, drawn when they are looked at; nothing without any. */
function curves(numbers) {
  const pictures = Object.entries(gathered(numbers)).flatMap(([title, networks]) => divided(title, networks));
  if (!pictures.length) return [];
  const fold = make("details", {className: "curves", open: pictures.length <= 6}, make("summary", {}, `Learning curves (${plural(pictures.length, "picture")})`));
  const draw = () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(make("p", {className: "muted"}, "A line is a seed; at most 30 epochs of each, which are in curve.csv beside its record."), make("div", {className: "charts"}, ...pictures.map(([title, networks]) => learning(title, networks))));
  };
  fold.ontoggle = draw;
  draw();
  return [fold];
}
