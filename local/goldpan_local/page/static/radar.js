// Draws the six scores of up to four repositories on one radar. An unknown score has no point and leaves a gap.

import { draw } from "./dom.js";
import { DIMENSIONS, words } from "./words.js";

const WIDTH = 320,
  HEIGHT = 210,
  RADIUS = 74,
  RINGS = [2, 4, 6, 8, 10];

/** Draw radar data, [{name, scores: [{dimension, score, max}]}]. */
export function radar(series, small = false) {
  const names = Object.keys(DIMENSIONS);
  const known = (data) => data.filter((point) => point.score !== null);
  const label = series
    .map(
      ({ name, scores }) =>
        `${name}: ${
          known(scores)
            .map((p) => `${words(p.dimension)} ${p.score}`)
            .join(", ") || "no scores known"
        }`,
    )
    .join("; ");
  const rings = RINGS.map((ring) =>
    draw("polygon", { class: "ring", points: names.map((_, at) => place(at, ring / 10)).join(" ") }),
  );
  const shown = new Set(series.flatMap(({ scores }) => known(scores).map((point) => point.dimension)));
  const axes = names.map((name, at) => axis(name, at, shown.has(name)));
  const shapes = series.map(({ scores }, number) => shape(scores, names, number));
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: small ? "radar small" : "radar",
    role: "img",
    "aria-label": label,
  });
  svg.append(...rings, ...axes, ...shapes);
  return svg;
}

function place(at, share, radius = RADIUS) {
  const angle = (Math.PI * 2 * at) / 6 - Math.PI / 2;
  const point = (value) => (value + 0).toFixed(1);
  return `${point(WIDTH / 2 + radius * share * Math.cos(angle))},${point(HEIGHT / 2 + radius * share * Math.sin(angle))}`;
}

function axis(name, at, isKnown) {
  const [x, y] = place(at, 1).split(",");
  const [left, top] = place(at, 1.16).split(",");
  const anchor = at % 3 === 0 ? "middle" : at < 3 ? "start" : "end";
  const text = draw(
    "text",
    { x: left, y: Number(top) + 3, "text-anchor": anchor },
    isKnown ? words(name) : `${words(name)} ?`,
  );
  return draw(
    "g",
    { class: isKnown ? "axis" : "axis unknown" },
    draw("title", {}, `${words(name)}: ${DIMENSIONS[name]}${isKnown ? "" : " Unknown here."}`),
    draw("line", { x1: WIDTH / 2, y1: HEIGHT / 2, x2: x, y2: y }),
    text,
  );
}

function shape(scores, names, number) {
  const by = Object.fromEntries(scores.map((each) => [each.dimension, each]));
  const points = names
    .map((name, at) => ({ name, known: by[name]?.score ?? null, at }))
    .filter((each) => each.known !== null);
  const places = points.map((each) => place(each.at, each.known / (by[each.name].max || 10)));
  const dots = points.map((each, index) => {
    const [x, y] = places[index].split(",");
    return draw(
      "circle",
      { cx: x, cy: y, r: 3 },
      draw("title", {}, `${words(each.name)} ${each.known} of 10. ${DIMENSIONS[each.name]}`),
    );
  });
  return draw("g", { class: `series s${number}` }, draw("polygon", { points: places.join(" ") }), ...dots);
}
