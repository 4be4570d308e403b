import { changeOf, columnOf, dayOf, monthOf, share } from "../../schedule-format/format.ts";
import { colorOf, type Timeline } from "../../schedule-format/timeline.ts";
import { allocationsView } from "../../src/supply/allocations.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf, type Precision, type Schedule } from "../../src/supply/schedule.ts";
import { units } from "./documents.ts";
import { bdi, byId, h, swatch } from "./dom.ts";

type Allocation = ReturnType<typeof allocationsView>["allocations"][number];
type Phase = Allocation["phases"][number];

/** Every bucket with its share, its progress and its terms in words. */
export function showAllocations(schedule: Schedule, timeline: Timeline, nowMs: number): void {
  const { maxSupply, token } = schedule;
  const { allocations } = allocationsView(schedule, stepAt(schedule, nowMs));
  const cell = (name: string, ...content: readonly (Node | string)[]): HTMLElement =>
    h("td", { class: name }, ...content);
  const rows = allocations.map((one) => {
    const whole = units(one.allocation);
    const unlocked = units(one.unlocked);
    const progress = h("progress", { max: 1, "aria-label": `Unlocked of ${one.label}` });
    progress.value = whole > 0n ? Number((unlocked * 10_000n) / whole) / 10_000 : 0;
    const next = one.next_unlock;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, swatch(colorOf(timeline, one.id)), bdi(one.label)),
      cell("amount number", columnOf(whole, token.decimals)),
      cell("share number", share(whole, maxSupply)),
      cell("unlocked", h("span", { class: "number" }, `${share(unlocked, whole)} unlocked`), progress),
      cell(
        "terms",
        ...termsOf(one, token.decimals).flatMap((term) => [term, h("br")]),
        next === null
          ? "Nothing more unlocks."
          : `Next: ${changeOf(units(next.amount), token.decimals)} on ${dayOf(next.at)}.`,
        ...knownFrom(schedule, one.id),
      ),
    );
  });
  byId("allocations")
    .querySelector("tbody")
    ?.replaceChildren(...rows);
}

const PRECISION = {
  stated: "As stated in the source",
  on_chain: "As read on chain",
  estimated: "Estimated",
} as const satisfies Record<Precision, string>;

/** How the publisher knows a bucket's figures, and where they are stated, if the schedule says it. */
function knownFrom(schedule: Schedule, id: string): (Node | string)[] {
  const bucket = bucketsOf(schedule).find((one) => one.id === id);
  if (bucket?.precision === undefined && bucket?.source === undefined) return [];
  const name = bucket.precision === undefined ? "Source" : PRECISION[bucket.precision];
  const url = bucket.source ?? schedule.sources[0]?.url;
  return [
    h("br"),
    url === undefined || bucket.precision === "on_chain"
      ? name
      : h("a", { href: url, rel: "noopener noreferrer" }, name),
    ".",
  ];
}

/** A bucket's rules as sentences. */
export function termsOf({ genesis, phases }: Pick<Allocation, "genesis" | "phases">, decimals: number): string[] {
  const amount = (value: { readonly base_units: string }): string => columnOf(units(value), decimals);
  return [
    ...(units(genesis) > 0n ? [`${amount(genesis)} at launch.`] : []),
    ...phases.map((phase) => `${amount(phase.amount)} ${rule(phase)}.`),
  ];
}

function rule({ kind, from, to, installments, every_months: months, every_days: days }: Phase): string {
  if (from === null || to === null) return "stay locked";
  if (kind === "cliff" || (installments === 1 && from === to)) return `on ${dayOf(from)}`;
  if (kind === "linear") return `day by day from ${dayOf(from)} to ${dayOf(to)}`;
  const [every, unit] = months === null ? [days ?? 1, "day"] : [months, "month"];
  const names: Readonly<Record<string, string>> = {
    "1 month": "monthly",
    "3 month": "quarterly",
    "12 month": "yearly",
    "1 day": "daily",
    "7 day": "weekly",
  };
  const pace = names[`${every} ${unit}`];
  const parts =
    pace === undefined
      ? `${installments} installments, every ${every} ${unit}s`
      : `${installments} ${pace} installments`;
  return `in ${parts}, ${monthOf(from)} to ${monthOf(to)}`;
}
