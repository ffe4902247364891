// The question as the form has it, as a request and as the address of this page, so that a search can be shared.

import { find } from "./dom.js";

const LISTS = ["kinds", "ignore", "sources"];

/** Read the form as a request; `ignore` are the entries of an interpretation that were taken away. */
export function requestOf(form, ignore) {
  const kinds = [...form.querySelectorAll("[name=kind]:checked")].map((box) => box.value);
  const request = { query: form.q.value.trim(), kinds, mode: form.mode.value };
  if (Number(form.count.value) !== 10) request.max_results = Number(form.count.value);
  if (kinds.includes("papers") && form.project.value) {
    request.project_id = form.project.value;
    if (form.library_only.checked) request.library_only = true;
  }
  if (form.dataset.sources) request.sources = form.dataset.sources.split(",");
  if (ignore.length) request.ignore = [...ignore];
  return request;
}

/** Write a request as the address of this page. */
export function addressOf(request) {
  const parameters = new URLSearchParams({ q: request.query });
  for (const [name, value] of Object.entries(request)) {
    if (LISTS.includes(name)) value.forEach((each) => parameters.append(name, each));
    else if (name !== "query") parameters.set(name, value);
  }
  return `${location.pathname}?${parameters}`;
}

/** Fill the form from the address of this page; returns the ignored entries, null if the address has no question. */
export function readAddress(form) {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.get("q")) return null;
  form.q.value = parameters.get("q");
  const kinds = parameters.getAll("kinds");
  for (const box of form.querySelectorAll("[name=kind]"))
    box.checked = kinds.length ? kinds.includes(box.value) : box.value === "repositories";
  if (["focused", "balanced", "exploratory"].includes(parameters.get("mode")))
    form.mode.value = parameters.get("mode");
  form.dataset.sources = parameters.getAll("sources").join(",");
  form.count.value = parameters.get("max_results") ?? 10;
  form.project.value = parameters.get("project_id") ?? "";
  form.library_only.checked = parameters.get("library_only") === "true";
  return parameters.getAll("ignore");
}

/** The key that the user typed, kept for this tab alone. */
export function keyHeaders() {
  const typed = find("key").value;
  if (typed) sessionStorage.setItem("goldpan-key", typed);
  const key = typed || sessionStorage.getItem("goldpan-key");
  return key ? { "x-api-key": key } : {};
}
