// The filters and the order of a search, as the chosen kinds have them.

import { find, make, replace } from "./dom.js";
import { KINDS } from "./kinds.js";
import { sentence, words } from "./words.js";

const USUAL_SORT = "relevance";
const TYPES = { integer: "number", day: "date" };

/** Offer a field for each filter of each kind, and all orders. */
export function offerFilters() {
  const fields = new Map();
  for (const kind of KINDS)
    for (const option of kind.filters)
      for (const name of option.fields)
        fields.set(name, { ...option, name, kinds: [...(fields.get(name)?.kinds ?? []), kind.name] });
  const sorts = new Map();
  for (const kind of KINDS) for (const sort of kind.sorts) sorts.set(sort, [...(sorts.get(sort) ?? []), kind.name]);
  const options = [...sorts].map(([sort, kinds]) =>
    make("option", { value: sort, "data-kinds": kinds.join(" ") }, words(sort)),
  );
  replace(
    find("filters"),
    make("label", {}, "Order", make("select", { name: "sort" }, ...options)),
    ...[...fields.values()].map((field) => make("label", { "data-kinds": field.kinds.join(" ") }, sentence(words(field.name)), control(field))),
  );
}

function control({ name, type, is_repeatable, choices, help, kinds }) {
  const common = { name: "filter", "data-field": name, "data-type": type, "data-kinds": kinds.join(" "), title: help };
  if (type === "flag") return make("select", common, ...["", "yes", "no"].map((each) => make("option", {}, each)));
  const hint = choices.length ? choices.join(", ") : is_repeatable ? "one or several, with commas" : "";
  return make("input", { ...common, type: TYPES[type] ?? "text", "data-list": is_repeatable, placeholder: hint, autocomplete: "off" });
}

const isOf = (element, kinds) => element.dataset.kinds.split(" ").some((kind) => kinds.includes(kind));
const fieldsOf = (form) => [...form.querySelectorAll("[name=filter]")];

/** Show what one of the chosen kinds has. */
export function showFilters(kinds) {
  for (const each of find("filters").querySelectorAll("[data-kinds]")) each.hidden = !isOf(each, kinds);
}

/** Read what a request for these kinds has of filters and order. */
export function filtersOf(form, kinds) {
  const given = fieldsOf(form).filter((field) => field.value.trim() && isOf(field, kinds));
  const [sort] = form.sort.selectedOptions;
  return {
    ...(given.length && { filters: Object.fromEntries(given.map((field) => [field.dataset.field, valueOf(field)])) }),
    ...(sort.value !== USUAL_SORT && isOf(sort, kinds) && { sort: sort.value }),
  };
}

function valueOf(field) {
  const text = field.value.trim();
  if (field.dataset.type === "flag") return text === "yes";
  if ("list" in field.dataset)
    return text
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
  return field.dataset.type === "integer" ? Number(text) : text;
}

/** Add the filters and the order of a request to the address of the page. */
export function writeFilters(parameters, { filters = {}, sort }) {
  for (const [name, value] of Object.entries(filters)) for (const each of [value].flat()) parameters.append(name, each);
  if (sort) parameters.set("sort", sort);
}

/** Fill the fields from the address of the page. */
export function readFilters(form, parameters) {
  for (const field of fieldsOf(form)) {
    const given = parameters.getAll(field.dataset.field).join(", ");
    field.value = field.dataset.type === "flag" ? ({ true: "yes", false: "no" }[given] ?? "") : given;
  }
  const sorts = [...form.sort.options].map((option) => option.value);
  form.sort.value = sorts.includes(parameters.get("sort")) ? parameters.get("sort") : USUAL_SORT;
}
