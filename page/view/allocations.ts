import type { HoldingKind } from "../../src/chain/holding.ts";
import { allocationsView } from "../../src/supply/allocations.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf, type FigureBasis, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { allocationsNow } from "./allocations-now.ts";
import { colorOf } from "./bands.ts";
import { columnOf, dayOf, monthOf, share } from "./format.ts";
import { bdi, type Content, el, type Markup, swatch } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

type Allocation = ReturnType<typeof allocationsView>["allocations"][number];
type Phase = Allocation["phases"][number];

const units = (amount: { readonly base_units: string }): bigint => BigInt(amount.base_units);

/** Lists every bucket in one line: its size, how much of it is unlocked, and its terms as a sentence that opens. */
export function allocationsOf(schedule: UnlockSchedule, timeline: Timeline, nowMs: number): readonly Content[] {
  const { maxSupply, token } = schedule;
  const { allocations } = allocationsView(schedule, stepAt(schedule, nowMs));
  const largest = allocations.reduce(
    (most, { allocation }) => (units(allocation) > most ? units(allocation) : most),
    1n,
  );
  const now = allocationsNow(schedule, timeline, nowMs);
  const cell = (name: string, ...content: readonly Content[]): Markup => el("td", { class: name }, ...content);
  const part = (tag: string, id: string): Markup => el(tag, { id }, ...(now[id] ?? []));
  return allocations.map((one) => {
    const { id, label } = one;
    const whole = units(one.allocation);
    const color = colorOf(timeline, id);
    const ground = el("rect", { width: "100%", height: "100%", fill: color, "fill-opacity": 0.34 });
    const width = `${Math.max(1, Number((whole * 100n) / largest))}%`;
    const details = [...termsOf(one, schedule), heldIn(one)].filter((term) => term !== "").join(" ");
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, swatch(color), bdi(label)),
      cell("amount number", columnOf(whole, token.decimals)),
      cell("share number", share(whole, maxSupply)),
      cell(
        "unlocked",
        el("svg", { class: "progress", width, "aria-hidden": "true" }, ground, part("g", `allocation-bar-${id}`)),
        part("span", `allocation-part-${id}`),
      ),
      cell(
        "terms",
        el(
          "details",
          {},
          el("summary", {}, `${sentenceOf(one, schedule)} `, part("span", `allocation-next-${id}`)),
          el("p", {}, `${details} `, ...precisionOf(schedule, id)),
        ),
      ),
    );
  });
}

/** Describes an allocation's terms in one sentence: `Cliff of 12 months, then 36 months until Oct 2026.` */
function sentenceOf({ genesis, allocation, phases }: Allocation, { calendar }: UnlockSchedule): string {
  const ends = phases.flatMap(({ to }) => (to === null ? [] : [to])).sort();
  const [first] = phases.flatMap(({ from }) => (from === null ? [] : [from])).sort();
  const last = ends.at(-1);
  const launch = units(genesis) > 0n ? `${share(units(genesis), units(allocation), 0)} at launch` : "";
  if (first === undefined || last === undefined) return launch === "" ? "Stays locked." : `${launch}.`;
  if (first === last && launch === "") return `All at once on ${dayOf(last)}.`;
  const cliff = phases.some(({ kind }) => kind === "cliff")
    ? monthsBetween(calendar.startMs, Date.parse(first))
    : cliffMonths(phases, calendar.startMs);
  const before = launch !== "" ? launch : cliff >= 1 ? `Cliff of ${cliff} ${cliff === 1 ? "month" : "months"}` : "";
  const months = monthsBetween(calendar.startMs, Date.parse(last)) - (launch === "" ? Math.max(0, cliff) : 0);
  const rest = `${months} ${months === 1 ? "month" : "months"} until ${monthOf(last)}.`;
  return before === "" ? `Over ${rest}` : `${before}, then ${rest}`;
}

function monthsBetween(startMs: number, endMs: number): number {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return months - (end.getUTCDate() < start.getUTCDate() ? 1 : 0);
}

const PRECISION = {
  stated: "As stated in the source",
  on_chain: "As read on chain",
  estimated: "Estimated",
} as const satisfies Record<FigureBasis, string>;

/** States how the publisher knows a bucket's figures, and links their source, if the schedule says so. */
function precisionOf(schedule: UnlockSchedule, id: string): Content[] {
  const bucket = bucketsOf(schedule).find((one) => one.id === id);
  if (bucket?.precision === undefined && bucket?.source === undefined) return [];
  const name = bucket.precision === undefined ? "Source" : PRECISION[bucket.precision];
  const url = bucket.source ?? schedule.sources[0]?.url;
  return [
    url === undefined || bucket.precision === "on_chain"
      ? name
      : el("a", { href: url, rel: "noopener noreferrer" }, name),
    ".",
  ];
}

/** Describes a bucket's rules in sentences: the amount at launch, the cliff, the vesting. */
export function termsOf(
  { genesis, phases }: Pick<Allocation, "genesis" | "phases">,
  schedule: UnlockSchedule,
): string[] {
  const amount = (value: { readonly base_units: string }): string => columnOf(units(value), schedule.token.decimals);
  const months = cliffMonths(phases, schedule.calendar.startMs);
  return [
    ...(units(genesis) > 0n ? [`${amount(genesis)} at launch.`] : []),
    ...(units(genesis) > 0n || months < 1 ? [] : [`${months}-month cliff.`]),
    ...phases.map((phase) => `${amount(phase.amount)} ${ruleText(phase)}.`),
  ];
}

/**
 * Returns the whole months between the start and the first period of a vesting in steps. An installment is paid for the
 * time before it.
 */
function cliffMonths(phases: readonly Phase[], startMs: number): number {
  const [first] = phases;
  if (first?.from == null || first.kind !== "installments" || first.every_months === null) return 0;
  return monthsBetween(startMs, Date.parse(first.from)) - first.every_months;
}

const HELD_IN = {
  account: "a custody wallet",
  stake_pool: "a stake pool",
  vesting: "a vesting contract",
  delegation: "delegated stake",
  staking_contract: "a staking contract",
} as const satisfies Record<HoldingKind, string>;

/** States where the locked tokens are, and whether they are read on chain. */
function heldIn({ addresses }: Allocation): string {
  if (addresses.length === 0) return "";
  const kinds = [...new Set(addresses.map(({ holds }) => HELD_IN[holds]))].join(", ");
  const isRead = addresses.every(({ verification }) => verification === "on_chain");
  return `Held in ${kinds}${isRead ? ", on this chain" : ""}.`;
}

function ruleText({ kind, from, to, installments, every_months: months, every_days: days }: Phase): string {
  if (from === null || to === null) return "stay locked";
  if (kind === "cliff" || (installments === 1 && from === to)) return `on ${dayOf(from)} (cliff)`;
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
