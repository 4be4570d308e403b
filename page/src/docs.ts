import { button, copy, h } from "./dom.ts";

/** Replaces addresses in examples by this host's. */
function fillHost(): void {
  for (const code of document.querySelectorAll("main code")) {
    if (code.textContent?.includes("https://HOST"))
      code.textContent = code.textContent.replaceAll("https://HOST", location.origin);
  }
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("main > pre")) {
    const box = h("div", { class: "snippet" });
    block.replaceWith(box);
    box.append(
      block,
      button("Copy", (self) => copy(block.textContent ?? "", self)),
    );
  }
}

/** Sends a form's operation to this host and displays the whole response below it. */
async function send(form: HTMLFormElement): Promise<void> {
  const { method = "GET", path = "", accept = "application/json" } = form.dataset;
  const place = form.querySelector<HTMLElement>(".live");
  if (place === null) return;
  const fields = [...form.querySelectorAll("input")].filter(({ value }) => value !== "");
  const inPath = (name: string): string =>
    fields.find((field) => field.name === name && field.dataset["in"] === "path")?.value ?? "";
  const query = new URLSearchParams(
    fields.filter((field) => field.dataset["in"] === "query").map(({ name, value }) => [name, value]),
  ).toString();
  const url =
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath(name))) +
    (query === "" ? "" : `?${query}`);
  const body = form.querySelector("textarea")?.value;
  place.replaceChildren(h("p", { class: "note" }, "Waiting for the answer"));
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { Accept: accept, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - began);
    place.replaceChildren(
      h(
        "p",
        { class: response.ok ? "status" : "status failure" },
        h("strong", {}, String(response.status)),
        ` ${method} ${url}, ${milliseconds} ms`,
      ),
      h("pre", { tabindex: "0" }, pretty(text)),
      h("pre", { tabindex: "0" }, [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n")),
    );
  } catch {
    place.replaceChildren(h("p", { class: "failure" }, "This service cannot be reached."));
  }
}

const PREVIEW_CHARACTERS = 20_000;

function pretty(text: string): string {
  let preview = text;
  try {
    if (/^[[{]/.test(text)) preview = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: displayed unchanged.
  }
  return preview.length > PREVIEW_CHARACTERS ? `${preview.slice(0, PREVIEW_CHARACTERS)}\n…` : preview;
}

document.querySelector(".menu [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
fillHost();
addCopyButtons();
for (const form of document.querySelectorAll<HTMLFormElement>(".console form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}
