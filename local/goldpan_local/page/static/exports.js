// Saves the shown results as a file.

const COLUMNS = {
  repositories: ["repo", "url", "description", "stars", "language", "license", "pushed_at", "relevance", "reasoning"],
  papers: ["id", "title", "authors", "year", "venue", "url", "citations", "relevance", "reasoning"],
};

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

const sections = (answer) => Object.keys(COLUMNS).filter((kind) => answer[kind]);

function csv(answer) {
  return sections(answer)
    .map((kind) =>
      [COLUMNS[kind], ...answer[kind].results.map((result) => COLUMNS[kind].map((name) => result[name]))]
        .map((row) => row.map(cell).join(","))
        .join("\r\n"),
    )
    .join("\r\n\r\n");
}

/** Quote a cell; one that a spreadsheet would read as a formula gets an apostrophe. */
function cell(value) {
  const text = Array.isArray(value) ? value.join("; ") : String(value ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function markdown(answer) {
  const parts = [`# ${plain(answer.query)}`];
  for (const kind of sections(answer)) {
    parts.push(`## ${kind}`);
    answer[kind].results.forEach((result, number) => {
      parts.push(
        `${number + 1}. [${plain(result.repo ?? result.title)}](<${String(result.url ?? "").replaceAll(/[<>\s]/g, "")}>) ${plain(result.reasoning)}`,
      );
    });
  }
  return `${parts.join("\n\n")}\n`;
}

const plain = (text) =>
  String(text ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`);
