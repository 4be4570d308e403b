import type { HoldingKind } from "../../src/chain/holding.ts";
import { allocationsView } from "../../src/supply/allocations.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf, type FigureBasis, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { changeOf, columnOf, dayOf, monthOf, share } from "./format.ts";
import { bdi, type Content, el, type Markup, swatch } from "./markup.ts";
import { colorOf, type Timeline } from "./timeline.ts";

type Allocation = ReturnType<typeof allocationsView>["allocations"][number];
type Phase = Allocation["phases"][number];

const units = (amount: { readonly base_units: string }): bigint => BigInt(amount.base_units);

/** Lists every bucket with its share, its progress and its terms. */
export function allocationsOf(schedule: UnlockSchedule, timeline: Timeline, nowMs: number): readonly Content[] {
  const { maxSupply, token } = schedule;
  const { allocations } = allocationsView(schedule, stepAt(schedule, nowMs));
  const cell = (name: string, ...content: readonly Content[]): Markup => el("td", { class: name }, ...content);
  return allocations.map((one) => {
    const whole = units(one.allocation);
    const unlocked = units(one.unlocked);
    const value = whole > 0n ? Number((unlocked * 10_000n) / whole) / 10_000 : 0;
    const progress = el("progress", { max: 1, value, "aria-label": `Unlocked of ${one.label}` });
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, swatch(colorOf(timeline, one.id)), bdi(one.label)),
      cell("amount number", columnOf(whole, token.decimals)),
      cell("share number", share(whole, maxSupply)),
      cell("unlocked", el("span", { class: "number" }, `${share(unlocked, whole)} unlocked`), progress),
      cell(
        "terms",
        ...[...termsOf(one, schedule), nextOf(one, token.decimals), heldIn(one)].flatMap((term) =>
          term === "" ? [] : [term, el("br")],
        ),
        ...precisionOf(schedule, one.id),
      ),
    );
  });
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
 * Whole months between the start and the vesting. An installment covers the time before it, so that time is subtracted.
 */
function cliffMonths(phases: readonly Phase[], startMs: number): number {
  const [first] = phases;
  if (first?.from == null || first.kind === "cliff") return 0;
  const [from, start] = [new Date(first.from), new Date(startMs)];
  const months = (from.getUTCFullYear() - start.getUTCFullYear()) * 12 + from.getUTCMonth() - start.getUTCMonth();
  return months - (first.every_months ?? 0) - (from.getUTCDate() < start.getUTCDate() ? 1 : 0);
}

function nextOf({ next_unlock: next }: Allocation, decimals: number): string {
  return next === null
    ? "Nothing more unlocks."
    : `Next: ${changeOf(units(next.amount), decimals)} on ${dayOf(next.at)}.`;
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
