// Draws the scores of up to four results on one radar. An unknown score has no point and leaves a gap.

import { draw } from "./dom.js";
import { valueAt } from "./kinds.js";

const WIDTH = 320,
  HEIGHT = 210,
  RADIUS = 74,
  RINGS = [2, 4, 6, 8, 10],
  MOST = 10;

/** Draw the scores, attributes of a kind, of each of the series, `{name, result}`. */
export function radar(attributes, series) {
  const axes = attributes.map((each, at) => ({ ...each, at, angle: (Math.PI * 2 * at) / attributes.length - Math.PI / 2 }));
  const shapes = series.map(({ name, result }) => ({ name, points: pointsOf(axes, result) }));
  const label = shapes
    .map(({ name, points }) => `${name}: ${points.map((each) => `${each.label} ${each.score}`).join(", ") || "no scores known"}`)
    .join("; ");
  const known = new Set(shapes.flatMap(({ points }) => points.map((each) => each.name)));
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "radar",
    role: "img",
    "aria-label": label,
  });
  svg.append(
    ...RINGS.map((ring) => draw("polygon", { class: "ring", points: axes.map((each) => place(each, ring / MOST)).join(" ") })),
    ...axes.map((each) => axis(each, known.has(each.name))),
    ...shapes.map(({ points }, number) => shape(points, number)),
  );
  return svg;
}

function pointsOf(axes, result) {
  return axes.map((each) => ({ ...each, score: valueAt(result, each.path) })).filter((each) => each.score !== null);
}

function place({ angle }, share) {
  const point = (value) => (value + 0).toFixed(1);
  return `${point(WIDTH / 2 + RADIUS * share * Math.cos(angle))},${point(HEIGHT / 2 + RADIUS * share * Math.sin(angle))}`;
}

function axis(each, isKnown) {
  const [x, y] = place(each, 1).split(",");
  const [left, top] = place(each, 1.16).split(",");
  const side = Math.cos(each.angle);
  const anchor = Math.abs(side) < 0.1 ? "middle" : side > 0 ? "start" : "end";
  const { label } = each;
  return draw(
    "g",
    { class: isKnown ? "axis" : "axis unknown" },
    draw("title", {}, `${label}: ${each.help}${isKnown ? "" : " Unknown here."}`),
    draw("line", { x1: WIDTH / 2, y1: HEIGHT / 2, x2: x, y2: y }),
    draw("text", { x: left, y: Number(top) + 3, "text-anchor": anchor }, isKnown ? label : `${label} ?`),
  );
}

function shape(points, number) {
  const dots = points.map((each) => {
    const [x, y] = place(each, each.score / MOST).split(",");
    return draw("circle", { cx: x, cy: y, r: 3 }, draw("title", {}, `${each.label} ${each.score} of ${MOST}. ${each.help}`));
  });
  const outline = points.map((each) => place(each, each.score / MOST)).join(" ");
  return draw("g", { class: `series s${number}` }, draw("polygon", { points: outline }), ...dots);
}
