import { readText } from "./api.ts";
import { byId, h } from "./dom.ts";

const FIGURES: readonly (readonly [string, string])[] = [
  ["Circulating supply", "/api/circulating-supply"],
  ["Maximum supply", "/api/max-supply"],
  ["Total supply", "/api/total-supply"],
  ["Stable token supply", "/api/stable-supply"],
];

const SNIPPETS: readonly (readonly [string, (url: string) => string])[] = [
  ["curl", (url) => `curl ${url}`],
  [
    "JavaScript",
    (url) => `const tokens = await fetch("${url}").then((r) => r.ok ? r.json() : Promise.reject(r.status));`,
  ],
  [
    "Python",
    (url) => `import requests\nr = requests.get("${url}", timeout=10)\nr.raise_for_status()\ntokens = int(r.text)`,
  ],
];

/** Each figure's address with its live answer, and how to read it from three languages. */
export function showEndpoints(origin: string): void {
  byId("endpoints-panel").replaceChildren(...FIGURES.map(([title, path]) => endpoint(title, path, origin)));
}

function endpoint(title: string, path: string, origin: string): HTMLElement {
  const answer = h("output", { class: "answer" }, "…");
  void showAnswer(answer, path);
  return h(
    "article",
    { class: "endpoint" },
    h("h3", {}, title),
    h("p", {}, h("code", {}, `GET ${path}`), " answers ", answer),
    ...SNIPPETS.map(([language, spell]) => snippet(language, spell(origin + path))),
  );
}

/** What is refused or fails is asked for again when the answer says so. */
async function showAnswer(place: HTMLElement, path: string): Promise<void> {
  const read = await readText(path);
  place.textContent = read.kind === "value" ? read.value : read.message;
  if (read.kind === "failure") setTimeout(() => void showAnswer(place, path), Math.max(read.retrySeconds, 5) * 1_000);
}

function snippet(language: string, code: string): HTMLElement {
  const copy = h("button", { type: "button", class: "copy" }, `Copy ${language}`);
  copy.addEventListener("click", () => {
    void navigator.clipboard.writeText(code).then(
      () => flash(copy, "Copied"),
      () => flash(copy, "Select and copy"),
    );
  });
  return h("div", { class: "snippet" }, h("pre", { tabindex: "0", "aria-label": language }, h("code", {}, code)), copy);
}

function flash(button: HTMLElement, text: string): void {
  const before = button.textContent ?? "";
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, 1_500);
}
