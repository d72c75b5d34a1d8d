// Pictures of intervals, drawn with places in percent so that they fit any screen.
const drawing = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const short = x => Number.isInteger(x) ? String(x) : String(+x.toPrecision(3));
let pictures = 0;
/** A picture of a height in pixels, with a title and a description for those who do not see it. */
function picture(height, title, says, ...children) {
  const id = `picture-${++pictures}`;
  const head = [drawing("title", {id: `${id}-title`}), drawing("desc", {id: `${id}-says`})];
  head[0].textContent = title;
  head[1].textContent = says;
  return drawing("svg", {class: "plot", width: "100%", height, role: "img", "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-says`}, ...head, ...children);
}
const percent = x => `${x.toFixed(2)}%`;
/** Marks at a place in percent: a diamond for printed, a dot for ours, dots of runs. */
const at = (x, middle, child) => { const place = drawing("svg", {x: percent(x), y: middle, overflow: "visible"}, child); return place; };
const diamond = (x, middle) => at(x, middle, drawing("path", {d: "M0 -6L6 0L0 6L-6 0Z", class: "printed-mark"}));
const dot = (x, middle, name = "ours-mark", r = 4.5) => drawing("circle", {cx: percent(x), cy: middle, r, class: name});
const bar = (low, high, middle, name, height = 3) => drawing("rect", {x: percent(low), width: percent(Math.max(high - low, 0.3)), y: middle - height / 2, height, class: name});
const upright = (x, height, name) => drawing("line", {x1: percent(x), x2: percent(x), y1: 0, y2: height, class: name});

/** Lines of intervals below each other: of effects, or of ours minus printed, in percent. */
function forest(kind, lines) {
  const numbers = kind === "numbers";
  const end = Math.max(...lines.map(l => Math.max(Math.abs(l.low), Math.abs(l.high), l.spread)));
  const wide = Math.min(end, 100) || 1;
  const axis = numbers ? [`−${short(wide)} %`, "printed", `+${short(wide)} %`] : ["against", "0", "as stated"];
  const says = numbers
    ? "Ours minus the printed number, in percent of it. ◆ printed, with its ± as a band; ● ours, with its interval. An interval over ◆ does not tell the two apart."
    : "Effects, positive as the document states them, each line on its own scale. An interval to the right of 0 is for the claim, one over 0 leaves it open.";
  const row = line => {
    const ends = numbers ? wide : Math.max(Math.abs(line.low), Math.abs(line.high)) * 1.1 || 1;
    const place = x => 50 + 48 * Math.max(-1, Math.min(1, x / ends));
    const claim = byId[line.claim], name = (numbers ? [claim.row, claim.column] : [line.claim.split("/").pop(), line.label].filter(Boolean)).map(plain).join(", ");
    const unit = numbers ? " %" : "";
    const told = `${numbers ? "ours minus printed" : "effect"} ${short(line.mean)}${unit}, ${+line.level.toFixed(2)} % interval ${short(line.low)} to ${short(line.high)}${unit}, ${plural(line.n, "replicate")}`;
    const marks = [upright(50, 22, "zero-line")];
    if (numbers) marks.push(bar(place(-line.spread), place(line.spread), 11, "printed-band", 12), diamond(50, 11));
    marks.push(bar(place(line.low), place(line.high), 11, `ours-bar ${tone(line.verdict)}`), dot(place(line.mean), 11, `ours-mark ${tone(line.verdict)}`));
    const brief = numbers ? `printed ${line.printed}, ours ${claim.at[line.scale].ours}` : `${short(line.mean)}, from ${short(line.low)} to ${short(line.high)}`;
    return make("li", {}, make("span", {className: "line-name"}, link(line.claim, name)), picture(22, name, `${numbers ? `printed ${line.printed}; ` : ""}${told}: ${words(line.verdict)}`, ...marks),
      make("span", {className: "line-told"}, badge(line.verdict), make("span", {className: "muted"}, ` ${line.scale}: ${brief}`)));
  };
  const head = make("div", {className: "axis muted", "aria-hidden": "true"}, ...axis.map(text => make("span", {}, text)));
  return make("div", {className: "forest"}, make("p", {className: "muted"}, says), head, make("ul", {}, ...lines.map(row)));
}
/** Plots of a headline; many lines, and those that were drawn before, are folded. */
function forests(plots, before) {
  const titles = {effects: "Effects behind it, with intervals", numbers: "Printed numbers against ours, with intervals"};
  return Object.entries(plots).map(([kind, lines]) => {
    const title = `${titles[kind]} (${plural(lines.length, "line")})`;
    const most = innerWidth < 768 ? 6 : 24, known = lines.every(l => before.has(l.claim + l.scale));
    for (const l of lines) before.add(l.claim + l.scale);
    const fold = make("details", {className: "plots", open: lines.length <= most && !known}, make("summary", {}, title));
    const draw = () => { if (fold.open && fold.children.length === 1) fold.append(forest(kind, lines)); };
    fold.ontoggle = draw;
    draw();
    return fold;
  });
}
/** One number: the runs as dots, our mean, and the printed value with its ±. */
function strip(printed, values, label) {
  const known = /^(-?\d+(?:\.\d+)?)(?:±(\d+(?:\.\d+)?))?%?$/.exec(printed);
  const finite = values.filter(Number.isFinite);
  if (!known || !finite.length) return "";
  const value = +known[1], spread = +(known[2] || 0), mean = finite.reduce((a, b) => a + b, 0) / finite.length;
  const all = [...finite, value - spread, value + spread], [low, high] = [Math.min(...all), Math.max(...all)];
  const place = x => high === low ? 50 : 4 + 92 * (x - low) / (high - low);
  const says = `printed ${printed}; ours ${plural(finite.length, "run")}: ${finite.map(short).join(", ")}; mean ${short(mean)}`;
  return make("figure", {className: "strip"}, picture(46, label, says, bar(place(value - spread), place(value + spread), 14, "printed-band", 14), diamond(place(value), 14),
    drawing("line", {x1: "0", x2: "100%", y1: 25, y2: 25, class: "zero-line"}), ...finite.map(v => dot(place(v), 35, "run-mark", 3.5)), upright(place(mean), 46, "mean-line")),
    make("figcaption", {className: "muted"}, `◆ printed ${printed}${spread ? ", ± as a band" : ""}; ● our ${plural(finite.length, "run")}, the line is their mean ${short(mean)}; from ${short(low)} to ${short(high)}`));
}
/** A line with the interval of an effect, and 0 on it. */
function interval(e, stated) {
  if (!e.low) return "";
  const [low, mean, high] = [e.low, e.effect, e.high].map(Number), ends = [Math.min(low, 0), Math.max(high, 0)];
  if (![low, mean, high].every(Number.isFinite) || ends[0] === ends[1]) return "";
  const place = x => 6 + 88 * (x - ends[0]) / (ends[1] - ends[0]);
  const drawn = picture(24, "effect with its interval", `effect ${e.effect}, from ${e.low} to ${e.high}; 0 is none`, upright(place(0), 24, "zero-line"), bar(place(low), place(high), 12, "range"), dot(place(mean), 12, "ours-mark mean"));
  drawn.classList.add("interval");
  const [what, none] = stated ? ["the effect, positive as the document states it", "no effect"] : ["ours minus printed", "equal"];
  return make("figure", {className: "effect"}, drawn, make("figcaption", {className: "muted"}, `● ${what}, ${short(mean)}; the line is its interval, from ${short(low)} to ${short(high)}; ┃ at 0: ${none}`));
}
