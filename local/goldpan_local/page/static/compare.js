// What is chosen among the results: to be compared at the server, saved, or added to a library; and comparisons by name.

import { search } from "./client.js";
import { inDialog, showDialog } from "./dialog.js";
import { sideBySide } from "./differences.js";
import { button, find, hint, keepFocus, make, replace } from "./dom.js";
import { keepsPapers, ownFormats, saveButtons, withOnly } from "./exports.js";
import { comparable, identityOf, scoresOf } from "./kinds.js";
import { STAGES } from "./progress.js";
import { radar } from "./radar.js";
import { shareButton } from "./share.js";
import { notices, sourceRows } from "./sources.js";
import { LIKE } from "./state.js";
import { amount } from "./words.js";

export const MOST = 4;
const TITLE = "Comparison";

/** The results that were chosen. `page` has `say`, `open`, which compares some by their names, and `add`. */
export class Comparison {
  constructor(page) {
    this.page = page;
    this.chosen = new Map(); // the kind and the result by the identity of each
    this.answer = null; // what they are chosen from
  }

  has(id) {
    return this.chosen.has(id);
  }

  /** Add or take away a result, as its box says; a fifth one to compare is refused. */
  choose(kind, result, box) {
    const id = identityOf(kind, result);
    if (!box.checked) this.chosen.delete(id);
    else if (kind !== comparable || this.compared().length < MOST) this.chosen.set(id, [kind, result]);
    else {
      box.checked = false;
      this.page.say(`At most ${MOST} ${comparable.plural} are compared at once.`);
    }
    this.show();
  }

  compared() {
    return [...this.chosen].filter(([, [kind]]) => kind === comparable).map(([id]) => id);
  }

  clear() {
    this.chosen.clear();
    document.querySelectorAll(".actions input:checked").forEach((box) => {
      box.checked = false;
    });
    this.show();
  }

  show() {
    const tray = find("tray");
    tray.hidden = this.chosen.size === 0;
    const names = this.compared();
    const others = [...this.chosen.values()].filter(([kind]) => kind !== comparable);
    const [kind] = others[0] ?? [];
    const count = kind && amount(others.length, kind.singular, kind.plural);
    const only = () => withOnly(this.answer, (result) => others.some(([, one]) => one === result));
    replace(
      tray,
      make("span", {}, [...names, count].filter(Boolean).join(", ")),
      names.length > 0 && button(`Compare ${names.length}`, () => this.page.open(names, this.answer.query), { disabled: names.length < 2 }),
      kind && hint("span", "Save as"),
      kind && saveButtons(ownFormats(kind), `${count} `, only, this.page.say),
      kind && keepsPapers(kind) && button("Add to library", () => this.page.add(only())),
      button("Clear", () => {
        this.clear();
        keepFocus("results");
      }),
    );
  }
}

/** Ask the server to compare results, for a question unless it is empty; closing the dialog ends the call. */
export function compare(repos, question) {
  const status = make("p", { role: "status" }, `Asking for ${repos.join(", ")} …`);
  const bar = make("progress", { max: STAGES.length, "aria-label": "Progress of the comparison" });
  let done = 0;
  const report = (name, data) => {
    if (name !== "stage") return;
    done += 1;
    bar.value = done;
    status.textContent = data.message;
  };
  const request = question && !LIKE.test(question) ? { repos, query: question } : { repos };
  return inDialog(TITLE, [status, bar], (signal) => search("/compare", request, report, signal), show);
}

function show(answer) {
  const results = answer[comparable.name].results;
  const ordered = answer.interpretation.length > 0;
  showDialog(
    TITLE,
    make("p", { class: "tools" }, ...shareButton()),
    ordered && hint("p", `Ordered by their fit to: ${answer.query}`),
    notices(answer),
    ...(results.length ? shown(results, ordered) : [make("p", {}, "None of them was found. Check how they are spelled.")]),
    sourceRows(answer.sources),
  );
}

function shown(results, ordered) {
  const series = results.map((result) => ({ name: identityOf(comparable, result), result }));
  const names = series.map(({ name }, number) => make("li", { class: `s${number}` }, name));
  return [
    radar(scoresOf(comparable, true), series),
    make("ul", { class: "legend" }, ...names),
    ...sideBySide(comparable, results, ordered),
  ];
}
