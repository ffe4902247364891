// What was understood of the question, as chips: each can be taken away, or written differently.

import { button, find, hint, make, replace } from "./dom.js";

const KINDS = {
  wish: "wish",
  term: "looks for",
  constraint: "wants",
  exclusion: "leaves out",
  likeness: "",
  correction: "read as",
  unread: "not understood",
};

/** Show the chips. `change` is called with what to ignore from now on, a text and what replaces it, or a further wish. */
export function showUnderstood(interpretation, ignored, change) {
  const section = find("understood");
  section.hidden = interpretation.length === 0 && ignored.length === 0;
  const chips = interpretation.map((entry) => chip(entry, change));
  const again = ignored.length > 0 && button(`Apply all again (${ignored.length} ignored)`, () => change.restore());
  replace(section, make("ul", { class: "chips" }, ...chips), again, refine(change));
}

/** Make the form for what the next list should have. */
function refine(change) {
  const wish = make("input", { id: "wish", dir: "auto", maxlength: 500, autocomplete: "off", placeholder: "What should be different? only MIT; newer" });
  const done = (event) => {
    event.preventDefault();
    if (wish.value.trim()) change.refine(wish.value.trim());
  };
  const label = make("label", { for: "wish", class: "sr" }, "What should be different?");
  return make("form", { class: "ask", onsubmit: done }, label, wish, make("button", {}, "Refine"));
}

function chip(entry, change) {
  const shown = textOf(entry);
  const item = make("li", { class: `chip ${entry.kind}` });
  const edit = make(
    "button",
    { type: "button", class: "edit", title: "Write it differently", onclick: () => editor(item, entry, change) },
    hint("span", `${KINDS[entry.kind] ?? entry.kind} `.trimStart()),
    shown,
  );
  const remove =
    entry.kind !== "unread" &&
    button("×", () => change.ignore(entry.id), { class: "remove", "aria-label": `Do not apply “${entry.text}”` });
  return replace(item, edit, remove);
}

/** What was typed and what it was read as, once if they are alike; of an exclusion what is left out. */
function textOf({ kind, text, value }) {
  if (kind === "exclusion" && value) return value.replace(/^not /, "");
  if (!value || plain(value) === plain(text)) return text;
  return plain(value).includes(plain(text)) ? value : `${text} → ${value}`;
}

const plain = (text) => text.toLowerCase().replaceAll("-", " ");

const LETTER = "[\\p{L}\\p{M}\\p{N}_+#]";

/** Typed texts with another text in place of a part of them: of whole words if any has it so. */
export function rewritten(texts, part, other) {
  const escaped = part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const whole = new RegExp(`(?<!${LETTER})${escaped}(?!${LETTER})`, "u");
  const found = texts.some((typed) => whole.test(typed)) ? whole : part;
  return texts.map((typed) => typed.replace(found, () => other).replaceAll(/\s+/g, " ").trim());
}

function editor(item, entry, change) {
  const input = make("input", { value: entry.text, "aria-label": `Instead of “${entry.text}”`, maxlength: 200 });
  const close = () => {
    const shown = chip(entry, change);
    item.replaceWith(shown);
    shown.firstChild.focus();
  };
  const done = (event) => {
    event.preventDefault();
    if (input.value.trim() !== entry.text) change.rewrite(entry.text, input.value.trim());
    else close();
  };
  replace(item, make("form", { onsubmit: done }, input, make("button", {}, "Apply")));
  input.addEventListener("keydown", (event) => event.key === "Escape" && close());
  input.focus();
  input.select();
}
