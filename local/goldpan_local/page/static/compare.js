// Compares up to four repositories: one radar, and their facts side by side.

import { find, link, make, replace } from "./dom.js";
import { radar } from "./radar.js";
import { count, day, percent, words } from "./words.js";

const MOST = 4;

export class Comparison {
  constructor(say) {
    this.say = say;
    this.results = new Map();
  }

  has(id) {
    return this.results.has(id);
  }

  /** Add or take away a repository, as its box says; a fifth one is refused. */
  choose(result, box) {
    if (!box.checked) this.results.delete(result.repo);
    else if (this.results.size < MOST) this.results.set(result.repo, result);
    else {
      box.checked = false;
      this.say(`At most ${MOST} repositories are compared at once.`);
    }
    this.show();
  }

  clear() {
    this.results.clear();
    document.querySelectorAll(".actions input:checked").forEach((box) => {
      box.checked = false;
    });
    this.show();
  }

  show() {
    const tray = find("tray");
    tray.hidden = this.results.size === 0;
    replace(
      tray,
      make("span", {}, [...this.results.keys()].join(", ")),
      make(
        "button",
        { type: "button", disabled: this.results.size < 2, onclick: () => this.open() },
        `Compare ${this.results.size}`,
      ),
      make("button", { type: "button", onclick: () => this.clear() }, "Clear"),
    );
  }

  open() {
    const results = [...this.results.values()];
    const legend = make(
      "ul",
      { class: "legend" },
      ...results.map((result, number) => make("li", { class: `s${number}` }, result.repo)),
    );
    showDialog(
      "Comparison",
      radar(results.map((result) => ({ name: result.repo, scores: result.radar_chart_data }))),
      legend,
      table(results),
    );
  }
}

const ROWS = [
  ["Relevance", (result) => percent(result.relevance)],
  ["Stars", (result) => count(result.stars)],
  ["Forks", (result) => count(result.forks)],
  ["Language", (result) => result.language ?? "–"],
  ["Licence", (result) => result.license ?? "–"],
  ["Last push", (result) => day(result.pushed_at) ?? "–"],
  ["Created", (result) => day(result.created_at) ?? "–"],
  [
    "Latest release",
    (result) =>
      result.latest_release ? `${result.latest_release.name ?? ""} ${day(result.latest_release.at) ?? ""}` : "–",
  ],
  ["Why", (result) => result.reasoning],
  ["Caveats", (result) => (result.caveats ?? []).join("; ") || "–"],
];

function table(results) {
  const scores = results[0].radar_chart_data.map(({ dimension }) => [
    words(dimension),
    (result) => result.radar_chart_data.find((each) => each.dimension === dimension)?.score ?? "unknown",
  ]);
  const row = ([name, value]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      ...results.map((result) => make("td", {}, String(value(result)))),
    );
  const head = make(
    "tr",
    {},
    make("td"),
    ...results.map((result) => make("th", { scope: "col" }, link(result.url, result.repo))),
  );
  return make(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": "Facts side by side" },
    make(
      "table",
      {},
      make("thead", {}, head),
      make("tbody", {}, ...[...ROWS.slice(0, 1), ...scores, ...ROWS.slice(1)].map(row)),
    ),
  );
}

/** Open the dialog of the page. */
export function showDialog(title, ...children) {
  const dialog = find("dialog");
  replace(
    dialog,
    make("form", { method: "dialog" }, make("button", { class: "close", "aria-label": "Close" }, "×")),
    make("h2", { id: "dialog-title" }, title),
    ...children,
  );
  if (!dialog.open) dialog.showModal();
}
