import type { HoldingKind } from "../../src/chain/holding.ts";
import { type Bucket, bucketsOf, type FigureBasis, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { isOnChain } from "../../src/supply/wallets.ts";
import { allocationsNow } from "./allocations-now.ts";
import { colorOf } from "./bands.ts";
import { columnOf, share } from "./format.ts";
import { bdi, type Content, el, type Markup, swatch } from "./markup.ts";
import { rulesOf, sentenceOf } from "./terms.ts";
import type { Timeline } from "./timeline.ts";

/** Lists every bucket in one line: its size, how much of it is unlocked, and its terms as a sentence that opens. */
export function allocationsOf(schedule: UnlockSchedule, timeline: Timeline, nowMs: number): readonly Content[] {
  const { maxSupply, token } = schedule;
  const buckets = bucketsOf(schedule);
  const largest = buckets.reduce((most, { allocation }) => (allocation > most ? allocation : most), 1n);
  const now = allocationsNow(schedule, timeline, nowMs);
  const cell = (name: string, ...content: readonly Content[]): Markup => el("td", { class: name }, ...content);
  const part = (tag: string, id: string): Markup => el(tag, { id }, ...(now[id] ?? []));
  return buckets.map((bucket) => {
    const { id, label, allocation: whole } = bucket;
    const color = colorOf(timeline, id);
    const ground = el("rect", { width: "100%", height: "100%", fill: color, "fill-opacity": 0.34 });
    const width = `${Math.max(1, Number((whole * 100n) / largest))}%`;
    const details = [...rulesOf(bucket, schedule), heldIn(bucket, schedule)].filter((term) => term !== "").join(" ");
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
          el("summary", {}, `${sentenceOf(bucket, schedule)} `, part("span", `allocation-next-${id}`)),
          el("p", {}, `${details} `, ...precisionOf(bucket, schedule)),
        ),
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
function precisionOf(bucket: Bucket, schedule: UnlockSchedule): Content[] {
  if (bucket.precision === undefined && bucket.source === undefined) return [];
  const name = bucket.precision === undefined ? "Source" : PRECISION[bucket.precision];
  const url = bucket.source ?? schedule.sources[0]?.url;
  return [
    url === undefined || bucket.precision === "on_chain"
      ? name
      : el("a", { href: url, rel: "noopener noreferrer" }, name),
    ".",
  ];
}

const HELD_IN = {
  account: "a custody wallet",
  stake_pool: "a stake pool",
  vesting: "a vesting contract",
  delegation: "delegated stake",
  staking_contract: "a staking contract",
  lock: "a lock contract",
} as const satisfies Record<HoldingKind, string>;

/** States where the locked tokens are, and whether they are read on chain. */
function heldIn({ addresses }: Bucket, schedule: UnlockSchedule): string {
  if (addresses.length === 0) return "";
  const kinds = [...new Set(addresses.map(({ holds }) => HELD_IN[holds]))].join(", ");
  const isRead = addresses.every(isOnChain(schedule));
  return `Held in ${kinds}${isRead ? ", on this chain" : ""}.`;
}
