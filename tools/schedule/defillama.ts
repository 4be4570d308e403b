import { tokenText } from "../../src/chain/amount.ts";
import type { Bucket, Category, UnlockSchedule } from "../../src/supply/schedule.ts";
import { unlockEvents } from "../../src/supply/unlock-events.ts";
import { Refusal } from "../lib/command-line.ts";
import { DOUBLE_DIGITS } from "./emissions/unlocks.ts";

/** DefiLlama's name for each of our categories. */
export const THEIR_CATEGORIES: Readonly<Record<Category, string>> = {
  community: "farming",
  team: "insiders",
  investors: "privateSale",
  treasury: "noncirculating",
  foundation: "insiders",
  liquidity: "liquidity",
  staking: "farming",
  public_sale: "publicSale",
  airdrop: "airdrop",
  other: "noncirculating",
};

/** Returns each bucket's key in the file: its label, followed by its id where the file uses that key already. */
function sectionKeys(buckets: readonly Bucket[]): readonly string[] {
  const taken = new Set(["meta", "categories", "__proto__"]);
  return buckets.map(({ id, label }) => {
    let key = label;
    while (taken.has(key)) key = `${key} (${id})`;
    taken.add(key);
    return key;
  });
}

/**
 * Splits an amount into parts that doubles represent to the base unit; an amount that no double can represent stays
 * whole.
 */
function doublesOf(units: bigint): readonly bigint[] {
  const extra = String(units < 0n ? -units : units).length - DOUBLE_DIGITS;
  const rest = extra > 0 && Number.isSafeInteger(Number(units)) ? units % 10n ** BigInt(extra) : 0n;
  return [units - rest, rest].filter((part) => part !== 0n);
}

/**
 * Writes DefiLlama's emissions file (`protocols/NAME.ts`): one section per bucket, one `manualCliff` per unlock at its
 * exact instant. Their `manualStep` adds 2,629,743 seconds a month, so it would drift away from the calendar.
 */
export function defillamaFile(schedule: UnlockSchedule): string {
  const { token, maxSupply, sources, plan } = schedule;
  if (plan.kind === "table")
    throw new Refusal([
      "a table has no buckets, and DefiLlama's file needs them: first run npm run schedule -- convert",
    ]);
  const events = unlockEvents(schedule);
  const keys = sectionKeys(plan.buckets);
  const sections = plan.buckets.map(({ id, label, category }, index) => ({
    label: keys[index] ?? label,
    category,
    cliffs: events.flatMap(({ atMs, parts }) => {
      const amount = parts.filter(({ bucket }) => bucket.id === id).reduce((sum, part) => sum + part.amount, 0n);
      return doublesOf(amount).map((part) => `manualCliff(${atMs / 1000}, ${tokenText(part, token.decimals)})`);
    }),
  }));
  const grouped = new Map<string, string[]>();
  for (const { label, category } of sections)
    grouped.set(THEIR_CATEGORIES[category], [...(grouped.get(THEIR_CATEGORIES[category]) ?? []), label]);
  return [
    'import { manualCliff } from "../adapters/manual";',
    'import { Protocol } from "../types/adapters";',
    "",
    "const protocol: Protocol = {",
    ...sections.flatMap(({ label, cliffs }) => [
      `  ${JSON.stringify(label)}: [`,
      ...cliffs.map((cliff) => `    ${cliff},`),
      "  ],",
    ]),
    "  meta: {",
    '    token: "CHAIN:ADDRESS",',
    `    sources: ${JSON.stringify(sources.map(({ url }) => url))},`,
    "    protocolIds: [],",
    `    total: ${tokenText(maxSupply, token.decimals)},`,
    "  },",
    "  categories: {",
    ...[...grouped].map(([category, labels]) => `    ${category}: ${JSON.stringify(labels)},`),
    "  },",
    "};",
    "",
    "export default protocol;",
    "",
  ].join("\n");
}
