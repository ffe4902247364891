// The filters, the order and the preference of a search, as the chosen kinds have them.

import { find, make, replace } from "./dom.js";
import { KINDS } from "./kinds.js";
import { sentence, words } from "./words.js";

const CHOICES = [
  { name: "sort", label: "Order", of: (kind) => kind.sorts, usual: "relevance" },
  { name: "preference", label: "Favour", of: (kind) => kind.preferences, usual: "balanced" },
];
const TYPES = { integer: "number", day: "date" };

/** Offer a field for each filter of each kind, all orders and preferences. */
export function offerFilters() {
  const fields = new Map();
  for (const kind of KINDS)
    for (const option of kind.filters)
      for (const name of option.fields)
        fields.set(name, { ...option, name, kinds: [...(fields.get(name)?.kinds ?? []), kind.name] });
  replace(
    find("filters"),
    ...CHOICES.map(choice),
    ...[...fields.values()].map((field) => make("label", { "data-kinds": field.kinds.join(" ") }, sentence(words(field.name)), control(field))),
  );
}

/** Make the field for a choice, which is shown with the kinds that have another one than the usual. */
function choice({ name, label, of }) {
  const owners = (value) => KINDS.filter((kind) => of(kind).includes(value)).map((kind) => kind.name);
  const options = [...new Set(KINDS.flatMap(of))].map((value) =>
    make("option", { value, "data-kinds": owners(value).join(" ") }, words(value)),
  );
  const able = KINDS.filter((kind) => of(kind).length > 1).map((kind) => kind.name);
  return make("label", { "data-kinds": able.join(" ") }, label, make("select", { name }, ...options));
}

function control({ name, type, is_repeatable, choices, help, kinds }) {
  const common = { name: "filter", "data-field": name, "data-type": type, "data-kinds": kinds.join(" "), title: help };
  if (type === "flag") return make("select", common, ...["", "yes", "no"].map((each) => make("option", {}, each)));
  const hint = choices.length ? choices.join(", ") : is_repeatable ? "comma-separated" : "";
  return make("input", { ...common, type: TYPES[type] ?? "text", "data-list": is_repeatable, placeholder: hint, autocomplete: "off" });
}

const isOf = (element, kinds) => element.dataset.kinds.split(" ").some((kind) => kinds.includes(kind));
const isList = (field) => "list" in field.dataset;
const fieldsOf = (form) => [...form.querySelectorAll("[name=filter]")];

/** Show what one of the chosen kinds has. */
export function showFilters(kinds) {
  for (const each of find("filters").querySelectorAll("[data-kinds]")) each.hidden = !isOf(each, kinds);
}

/** Read what a request for these kinds has of filters, order and preference. */
export function filtersOf(form, kinds) {
  const given = fieldsOf(form).filter((field) => field.value.trim() && isOf(field, kinds));
  const chosen = CHOICES.map(({ name, usual }) => [name, form[name].selectedOptions[0], usual]);
  const unusual = chosen.filter(([, option, usual]) => option.value !== usual && isOf(option, kinds));
  return {
    ...(given.length && { filters: Object.fromEntries(given.map((field) => [field.dataset.field, valueOf(field)])) }),
    ...Object.fromEntries(unusual.map(([name, option]) => [name, option.value])),
  };
}

function valueOf(field) {
  const text = field.value.trim();
  if (field.dataset.type === "flag") return text === "yes";
  if (isList(field))
    return [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
      .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim())
      .filter(Boolean);
  return field.dataset.type === "integer" ? Number(text) : text;
}

/** A value of a list, in quotation marks if it has a comma. */
const quoted = (value) => (/[,"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Fill the fields from the address of the page, by `take(field, name, value, usual)`. */
export function readFilters(form, parameters, take) {
  for (const field of fieldsOf(form)) {
    const values = parameters.getAll(field.dataset.field);
    const given = (isList(field) ? values.map(quoted) : values).join(", ");
    take(field, field.dataset.field, field.dataset.type === "flag" ? ({ true: "yes", false: "no" }[given] ?? given) : given, "");
  }
  for (const { name, usual } of CHOICES) take(form[name], name, parameters.get(name), usual);
}
