// Compares two to four results at the server: those that were chosen among the results, or typed by name.

import { search } from "./client.js";
import { inDialog, showDialog } from "./dialog.js";
import { sideBySide } from "./differences.js";
import { find, make, replace } from "./dom.js";
import { comparable, identityOf, scoresOf } from "./kinds.js";
import { STAGES } from "./progress.js";
import { radar } from "./radar.js";
import { shareButton } from "./share.js";
import { notices, sourceRows } from "./sources.js";
import { isLikeness } from "./state.js";

export const MOST = 4;
const TITLE = "Comparison";

/** The results that were chosen among the results; `open` compares them by the question of the results. */
export class Comparison {
  constructor(say, open) {
    this.say = say;
    this.open = open;
    this.names = new Set();
    this.question = "";
  }

  has(id) {
    return this.names.has(id);
  }

  /** Add or take away a result, as its box says; a fifth one is refused. */
  choose(id, box) {
    if (!box.checked) this.names.delete(id);
    else if (this.names.size < MOST) this.names.add(id);
    else {
      box.checked = false;
      this.say(`At most ${MOST} ${comparable.plural} are compared at once.`);
    }
    this.show();
  }

  clear() {
    this.names.clear();
    document.querySelectorAll(".actions input:checked").forEach((box) => {
      box.checked = false;
    });
    this.show();
  }

  show() {
    const tray = find("tray");
    const names = [...this.names];
    tray.hidden = names.length === 0;
    replace(
      tray,
      make("span", {}, names.join(", ")),
      make(
        "button",
        { type: "button", disabled: names.length < 2, onclick: () => this.open(names, this.question) },
        `Compare ${names.length}`,
      ),
      make("button", { type: "button", onclick: () => this.clear() }, "Clear"),
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
  const request = question && !isLikeness(question) ? { repos, query: question } : { repos };
  return inDialog(TITLE, [status, bar], (signal) => search("/compare", request, report, signal), show);
}

function show(answer) {
  const results = answer[comparable.name].results;
  const ordered = answer.interpretation.length > 0;
  showDialog(
    TITLE,
    make("p", { class: "tools" }, ...shareButton()),
    ordered && make("p", { class: "hint" }, `Ordered by their fit to: ${answer.query}`),
    notices(answer),
    ...(results.length ? shown(results, ordered) : [make("p", {}, "None of them was found.")]),
    ...sourceRows(answer.sources),
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
