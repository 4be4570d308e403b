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

interface Section {
  readonly page: string;
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

const MAX_FOUND = 8;

/** Finds sections that have every word, those with the most words in their headings first. The index is loaded on demand. */
function enableSearch(): void {
  const input = byId("search") as HTMLInputElement; // as the manual's HTML has it
  let index: Promise<readonly Section[]> | undefined;
  const load = (): Promise<readonly Section[]> => {
    index ??= fetch("/docs/search.json")
      .then((response) => response.json() as Promise<readonly Section[]>)
      .catch(() => {
        index = undefined;
        return [];
      });
    return index;
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const sections = words.length === 0 ? [] : await load();
    const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
    const found = sections.filter(({ page, title, text }) => has(`${page} ${title} ${text}`));
    const inTitle = ({ title }: Section): number => words.filter((word) => title.toLowerCase().includes(word)).length;
    const ordered = [...found].sort((one, other) => inTitle(other) - inTitle(one));
    byId("found").replaceChildren(
      ...ordered
        .slice(0, MAX_FOUND)
        .map(({ page, title, path }) =>
          h("li", {}, h("a", { href: path }, title), h("small", {}, page === title ? "" : ` ${page}`)),
        ),
      ...(words.length > 0 && found.length === 0 ? [h("li", {}, "Nothing found")] : []),
    );
  });
}

document.documentElement.classList.add("ready");
document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest" });
enableCopyButtons();
enableSearch();
showFigures();
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
