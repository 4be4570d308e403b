import type { Section } from "../view/section.ts";
import { chainSum, unlockedSum } from "../view/sums.ts";
import { copy, h, showCode } from "./dom.ts";
import { byId } from "./elements.ts";

function enableCopyButtons(): void {
  for (const copyButton of document.querySelectorAll<HTMLElement>(".snippet .copy"))
    copyButton.onclick = () => copy(copyButton.previousElementSibling?.textContent ?? "", copyButton);
}

/** Shows the present answer of each figure of a form, asked once for every address. */
function showFigures(): void {
  const places = [...document.querySelectorAll<HTMLElement>(".now")];
  for (const path of new Set(places.map(({ dataset }) => dataset["path"] ?? ""))) {
    const show = (text: string): void => {
      for (const place of places) if (place.dataset["path"] === path) place.textContent = text;
    };
    fetch(path)
      .then(async (answer) => show(answer.ok ? `Now: ${await answer.text()}` : `No value now: status ${answer.status}`))
      .catch(() => show("No value now: this service cannot be reached."));
  }
}

/** Sums of a page, by the path whose answer has their amounts. */
const SUMS: Readonly<Record<string, (body: never) => string>> = {
  "/api/allocations": unlockedSum,
  "/api/supply-breakdown": chainSum,
};

/** Writes each sum with its present amounts. While there is no answer it stays as the build wrote it. */
function showSums(): void {
  for (const place of document.querySelectorAll<HTMLElement>(".sum")) {
    const path = place.dataset["sum"] ?? "";
    fetch(path)
      .then(async (answer) => {
        const text = SUMS[path]?.((await answer.json()) as never); // as the API's document says; what is missing throws
        if (answer.ok && text !== undefined) place.textContent = `Now: ${text}`;
      })
      .catch(() => undefined);
  }
}

/** Builds the request that a form sends. */
function requestOf(form: HTMLFormElement): { method: string; url: string; accept: string; body: string | undefined } {
  const { method = "GET", path = "", accept = "" } = form.dataset;
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")];
  const inPath = (name: string): string =>
    fields.find((field) => field.name === name && field.dataset["in"] === "path")?.value ?? "";
  const query = new URLSearchParams(
    fields
      .filter((field) => field.dataset["in"] === "query" && field.value !== "")
      .map(({ name, value }) => [name, value]),
  ).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath(name)));
  return {
    method,
    url: filled + (query === "" ? "" : `?${query}`),
    accept,
    body: form.querySelector("textarea")?.value,
  };
}

/** Writes a request as a command. */
function curlOf({ method, url, accept, body }: ReturnType<typeof requestOf>): string {
  const header = accept === "" ? "" : `-H "Accept: ${accept}" `;
  const address = `"${location.origin}${url}"`;
  if (body !== undefined)
    return `curl -sSf ${header}-H "Content-Type: application/json" -d @- ${address} <<'END'\n${body}\nEND`;
  return `curl -sSf ${header}${method === "GET" ? "" : `-X ${method} `}${address}`;
}

/** Newest request of each form. The answer of an older one is dropped, because the form has changed since. */
const sent = new WeakMap<HTMLFormElement, AbortController>();

/** Sends a form's operation to this host and displays the whole response below it. */
async function send(form: HTMLFormElement): Promise<void> {
  const { method, url, accept, body } = requestOf(form);
  const place = form.querySelector<HTMLElement>(".live");
  if (place === null) return;
  sent.get(form)?.abort();
  const controller = new AbortController();
  sent.set(form, controller);
  const { signal } = controller;
  place.replaceChildren(h("p", { class: "note" }, "Waiting for the answer"));
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method,
      signal,
      headers: {
        Accept: accept === "" ? "application/json" : accept,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - began);
    // Header fields for browsers are left out, because they are the same on every path.
    const fields = [...response.headers].filter(
      ([name]) => !/^(access-control|cross-origin|x-content-type)/.test(name),
    );
    place.replaceChildren(
      h(
        "p",
        { class: response.ok ? "status" : "status failure" },
        h("strong", {}, String(response.status)),
        ` ${method} ${url}, ${milliseconds} ms`,
      ),
      h("pre", { tabindex: "0" }, pretty(text)),
      h("pre", { tabindex: "0" }, fields.map(([name, value]) => `${name}: ${value}`).join("\n")),
    );
  } catch {
    if (signal.aborted) return;
    place.replaceChildren(h("p", { class: "failure" }, "This service cannot be reached."));
  }
}

const PREVIEW_CHARACTERS = 20_000;

function pretty(text: string): string {
  let preview = text;
  try {
    if (/^[[{]/.test(text)) preview = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A body that is no JSON is displayed unchanged.
  }
  return preview.length > PREVIEW_CHARACTERS ? `${preview.slice(0, PREVIEW_CHARACTERS)}\n…` : preview;
}

const MAX_FOUND = 8;

/** Shows sections for what is typed. The library and the index are loaded when the field takes the focus. */
function enableSearch(): void {
  const input = byId("search") as HTMLInputElement; // as the manual's HTML has it
  const found = byId("found");
  let loading: ReturnType<typeof loadSearch> | undefined;
  const load = () => {
    loading ??= loadSearch();
    loading.catch(() => (loading = undefined));
    return loading;
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", async () => {
    const question = input.value;
    if (question.trim() === "") return found.replaceChildren();
    const loaded = await load().catch(() => undefined);
    // Another letter has been typed meanwhile.
    if (input.value !== question) return;
    const sections = loaded?.search(question).slice(0, MAX_FOUND) ?? [];
    const rows = sections.map((section) => {
      const { page, title, path } = section;
      const place = page === title ? "" : ` ${page}`;
      return h(
        "li",
        {},
        h("a", { href: path }, title),
        h("small", {}, place),
        h("p", {}, loaded?.sentenceOf(section, question) ?? ""),
      );
    });
    const none =
      loaded === undefined ? "The search cannot be loaded now." : "Nothing found. Every page is under Contents.";
    found.replaceChildren(...(rows.length === 0 ? [h("li", {}, none)] : rows));
  });
}

async function loadSearch() {
  const [{ searchOf, sentenceOf }, sections] = await Promise.all([
    import("./search.ts"),
    fetch("/docs/search.json").then(async (answer) => (await answer.json()) as Section[]), // written by the build
  ]);
  return { search: searchOf(sections), sentenceOf };
}

document.documentElement.classList.add("ready");
document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest" });
enableCopyButtons();
enableSearch();
showFigures();
showSums();
for (const form of document.querySelectorAll<HTMLFormElement>(".console form")) {
  const request = form.closest(".examples")?.querySelector("code");
  form.addEventListener("input", () => {
    if (request) showCode(request, curlOf(requestOf(form)));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}
