// Saves the shown results as a file.

import { KINDS, titleOf, valueAt } from "./kinds.js";
import { NOTHING_FITS, weakerMatches } from "./words.js";

export const FORMATS = { json: "application/json", csv: "text/csv", markdown: "text/markdown" };

/** Write an answer in a format and give it to the browser as a file. */
export function save(answer, format) {
  const text = {
    json: () => JSON.stringify(answer, null, 2),
    csv: () => csv(answer),
    markdown: () => markdown(answer),
  }[format]();
  const address = URL.createObjectURL(new Blob([text], { type: `${FORMATS[format]};charset=utf-8` }));
  const anchor = Object.assign(document.createElement("a"), {
    href: address,
    download: `goldpan.${format === "markdown" ? "md" : format}`,
  });
  anchor.click();
  URL.revokeObjectURL(address);
}

const kindsOf = (answer) => KINDS.filter((kind) => answer[kind.name]);

function csv(answer) {
  return kindsOf(answer)
    .map((kind) => {
      const { results, weaker = [] } = answer[kind.name];
      const row = (result) => kind.export.map((each) => valueAt(result, each.path));
      const rows = [...results.map((each) => [...row(each), false]), ...weaker.map((each) => [...row(each), true])];
      return [[...kind.export.map((each) => each.name), "weaker"], ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
    })
    .join("\r\n\r\n");
}

/** How a formula begins, also with full-width signs and after what is not visible. */
const FORMULA = /^[\s\p{Cf}\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Quote a cell; one that a spreadsheet would read as a formula gets an apostrophe. */
function cell(value) {
  const text = Array.isArray(value) ? value.join("; ") : String(value ?? "");
  const safe = typeof value !== "number" && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function markdown(answer) {
  const parts = [`# ${plain(answer.query)}`];
  for (const kind of kindsOf(answer)) {
    parts.push(`## ${kind.plural}`);
    const { results, weaker = [], nothing_fits: nearest } = answer[kind.name];
    if (nearest) parts.push(NOTHING_FITS);
    [...results, ...weaker].forEach((result, number) => {
      if (number && number === results.length) {
        parts.push(`<details>\n<summary>${weakerMatches(weaker.length)}</summary>`);
      }
      if (result.group && result.group !== results[number - 1]?.group) parts.push(`${plain(result.group)}:`);
      const address = String(valueAt(result, kind.address.path) ?? "").replaceAll(/[<>\s]/g, "");
      const title = plain(titleOf(kind, result));
      const linked = /^https?:\/\//i.test(address) ? `[${title}](<${address}>)` : title;
      parts.push(`${number + 1}. ${linked} ${plain(result.reasoning)}`);
    });
    if (results.length && weaker.length) parts.push("</details>");
  }
  return `${parts.join("\n\n")}\n`;
}

const plain = (text) =>
  String(text ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`);
