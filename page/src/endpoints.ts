import { readFigureNames } from "./api.ts";
import { button, byId, choices, copy, h, show } from "./dom.ts";
import { type AnswerKind, LANGUAGES, type Language, snippet } from "./snippets.ts";

interface Endpoint {
  readonly path: string;
  readonly title: string;
  readonly kind: AnswerKind;
  /** The figure's name in the health report, where a deployment may lack it. */
  readonly figure?: string;
}

const ENDPOINTS: readonly [Endpoint, ...Endpoint[]] = [
  { path: "/api/circulating-supply", title: "Circulating supply", kind: "number" },
  { path: "/api/max-supply", title: "Maximum supply", kind: "number" },
  { path: "/api/total-supply", title: "Total supply", kind: "number", figure: "total_supply" },
  { path: "/api/stable-supply", title: "Stable token supply", kind: "number", figure: "stable_supply" },
  { path: "/api/supply", title: "All supply figures", kind: "json" },
  { path: "/api/allocations", title: "Allocations", kind: "json" },
  { path: "/api/unlock-events", title: "Unlock events", kind: "json" },
  { path: "/api/unlock-schedule.csv", title: "Unlock schedule, CSV", kind: "csv" },
  { path: "/api/rates", title: "Yield rates", kind: "json", figure: "rates" },
];
const HEADERS = ["RateLimit", "Retry-After", "ETag", "Cache-Control", "Age"];
const PREVIEW_CHARACTERS = 700;
const RETRY_SECONDS = 30;

/**
 * Every endpoint of this deployment in one block: its address and code to paste. `load` requests the first and
 * removes those that this deployment does not serve.
 */
export function showEndpoints(origin: string, paths: readonly string[]): { readonly load: () => Promise<void> } {
  const documented = ENDPOINTS.filter(({ path }) => paths.includes(path));
  const first = documented[0] ?? ENDPOINTS[0];
  let endpoint = first;
  let language: Language = "curl";

  const code = h("code");
  const live = h("div", { class: "live", "aria-live": "polite" });
  const copyButton = button("Copy", (self) => copy(code.textContent ?? "", self));
  const showCode = (): void => {
    code.textContent = snippet(language, origin + endpoint.path, endpoint.kind);
  };
  const choose = (chosen: Endpoint): void => {
    endpoint = chosen;
    showCode();
    void showLive(live, chosen.path, () => endpoint === chosen);
  };
  const select = h(
    "select",
    { id: "endpoint" },
    ...documented.map(({ path, title }) => h("option", { value: path }, title)),
  );
  select.addEventListener("change", () => choose(documented.find(({ path }) => path === select.value) ?? first));
  show(
    byId("endpoints-panel"),
    h(
      "div",
      { class: "toolbar" },
      h("label", { class: "sort" }, "Endpoint ", select),
      choices<Language>(
        "Language",
        LANGUAGES.map((name) => [name, name]),
        language,
        (name) => {
          language = name;
          showCode();
        },
      ),
    ),
    h("div", { class: "snippet" }, h("pre", {}, code), copyButton),
    live,
  );
  showCode();
  return {
    load: async () => {
      choose(endpoint);
      const figures = await readFigureNames();
      for (const { path, figure } of documented) {
        if (figure === undefined || figures === undefined || figures.includes(figure)) continue;
        select.querySelector(`[value="${path}"]`)?.remove();
      }
    },
  };
}

/** Displays one whole response; a failure is requested again after `Retry-After`, while it is still wanted. */
async function showLive(place: HTMLElement, path: string, isWanted: () => boolean): Promise<void> {
  const began = performance.now();
  const response = await fetch(path, { cache: "no-cache" }).catch(() => undefined);
  if (!isWanted()) return;
  if (response === undefined) {
    place.replaceChildren(h("p", { class: "failure" }, "This service cannot be reached."));
  } else {
    const body = await response.text();
    const milliseconds = Math.round(performance.now() - began);
    if (!isWanted()) return;
    const fields = HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [h("div", {}, h("dt", {}, name), h("dd", {}, value))];
    });
    const status = h(
      "p",
      { class: response.ok ? "status" : "status failure" },
      h("strong", {}, `${response.status} ${response.ok ? "OK" : "failed"}`),
      ` GET ${path}, ${milliseconds} ms`,
    );
    place.replaceChildren(
      status,
      h("pre", { class: "answer" }, shortened(body)),
      h("dl", { class: "fields" }, ...fields),
    );
  }
  if (response?.ok) return;
  const seconds = Math.max(Number(response?.headers.get("Retry-After")) || RETRY_SECONDS, 5);
  setTimeout(() => (isWanted() ? void showLive(place, path, isWanted) : undefined), seconds * 1_000);
}

function shortened(body: string): string {
  const text = body.startsWith("{") ? JSON.stringify(JSON.parse(body), null, 2) : body;
  return text.length > PREVIEW_CHARACTERS ? `${text.slice(0, PREVIEW_CHARACTERS)}\n…` : text;
}
