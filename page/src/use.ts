import { longMonthOf } from "../../schedule-format/format.ts";
import { FIGURES, unitOf } from "../../src/figures.ts";
import { rows } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { button, byId, choices, copy, h, showCode } from "./dom.ts";
import { type AnswerKind, LANGUAGES, type Language, snippet } from "./snippets.ts";

const OFFERED: readonly (readonly [path: string, title: string, kind: AnswerKind])[] = [
  ...FIGURES.flatMap((figure) => {
    const { path, title } = figure;
    return path === null ? [] : [[path, optionOf(title), unitOf(figure) ?? "number"] as const];
  }),
  ["/api/supply", "All supply figures", "json"],
  ["/api/unlock-events", "Every unlock", "json"],
  ["/api/allocations", "Allocations", "json"],
  ["/api/rates", "Yields", "json"],
  ["/api/unlock-schedule.csv", "The whole schedule, CSV", "csv"],
];
const PREVIEW_CHARACTERS = 700;
const DATED = "/api/circulating-supply";

/** Code that reads a figure, for any month of the schedule; a request is sent on demand only. */
export function showUse(schedule: Schedule, paths: readonly string[], nowMs: number): void {
  const offered = OFFERED.filter(([path]) => paths.includes(path));
  const figure = byId("figure") as HTMLSelectElement; // as the page's HTML has it
  const month = byId("month") as HTMLSelectElement;
  figure.replaceChildren(...offered.map(([path, title]) => h("option", { value: path }, title)));
  month.replaceChildren(h("option", { value: "" }, "Now"), ...years(schedule, nowMs));
  let language: Language = "curl";
  const code = h("code", { class: "wraps" });
  const answer = byId("answer");
  const addressOf = (): string =>
    figure.value + (figure.value === DATED && month.value !== "" ? `?month=${month.value}` : "");
  const write = (): void => {
    const [, , kind = "json"] = offered.find(([path]) => path === figure.value) ?? [];
    month.disabled = figure.value !== DATED;
    showCode(code, snippet(language, location.origin + addressOf(), kind));
    running.abort();
    answer.replaceChildren();
  };
  figure.onchange = month.onchange = write;
  const languages = choices<Language>(
    "Language",
    LANGUAGES.map((name) => [name, name]),
    language,
    (name) => {
      language = name;
      write();
    },
  );
  byId("snippet").replaceChildren(
    languages,
    h("pre", { tabindex: "0" }, code),
    h(
      "p",
      { class: "actions" },
      button("Copy", (self) => copy(code.textContent ?? "", self)),
      button("Run", () => void run(addressOf(), answer)),
    ),
  );
  write();
}

/** The months of the schedule by year, from the present one's year on first. */
function years(schedule: Schedule, nowMs: number): HTMLElement[] {
  const groups = new Map<number, Map<string, string>>();
  const add = (ms: number): void => {
    const date = new Date(ms);
    const year = date.getUTCFullYear();
    const months = groups.get(year) ?? new Map<string, string>();
    groups.set(year, months.set(date.toISOString().slice(0, 7), longMonthOf(ms)));
  };
  for (const { effectiveFromMs } of rows(schedule)) add(effectiveFromMs);
  const present = new Date(nowMs).getUTCFullYear();
  const ordered = [...groups].sort(([one], [other]) => Number(one < present) - Number(other < present) || one - other);
  return ordered.map(([year, months]) =>
    h("optgroup", { label: year }, ...[...months].map(([value, text]) => h("option", { value }, `End of ${text}`))),
  );
}

/** A figure's title without its article. */
function optionOf(title: string): string {
  const words = title.slice("The ".length);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

let running = new AbortController();

/** Sends the request and displays the response with what is left of the caller's limit; only of the newest one. */
async function run(path: string, place: HTMLElement): Promise<void> {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const response = await fetch(path, { cache: "no-cache", signal }).catch(() => undefined);
  const body = await response?.text().catch(() => undefined);
  if (signal.aborted) return;
  if (response === undefined || body === undefined) {
    place.replaceChildren(h("p", { class: "failure" }, "This service cannot be reached now."));
    return;
  }
  const limit = response.headers.get("RateLimit") ?? "";
  const [, remaining] = /;r=(\d+)/.exec(limit) ?? [];
  place.replaceChildren(
    h(
      "p",
      { class: response.ok ? "note" : "failure" },
      `GET ${path}: ${response.status}${remaining === undefined ? "" : `. ${remaining} requests left this minute.`}`,
    ),
    h("pre", { tabindex: "0" }, body.length > PREVIEW_CHARACTERS ? `${body.slice(0, PREVIEW_CHARACTERS)}\n…` : body),
  );
}
