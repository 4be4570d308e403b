import { expect, test } from "vitest";
import { htmlOf } from "../../../../page/build/markup.ts";
import { publishedWallets } from "../../../../page/build/site.ts";
import { allocationsOf } from "../../../../page/view/allocations.ts";
import { timelineOf } from "../../../../page/view/timeline.ts";
import { bucket, cliff, file, installments, valid, wallet } from "../../supply/schedules.ts";

/** The terms of one bucket's phases, by default on the day of the start, as text. */
function termsOf(phases: readonly object[], changes: object = {}, nowMs = Date.UTC(2025, 1, 1)): string {
  const schedule = valid(file({ start: "2025-02-01", buckets: [bucket({ genesis: "0", phases, ...changes })] }));
  const rows = allocationsOf(schedule, timelineOf(schedule), nowMs);
  const [, terms = ""] = /<td class="terms">(.*?)<\/td>/.exec(rows.map(htmlOf).join("")) ?? [];
  return terms
    .replaceAll(/(<[^>]+>)+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test.each<[string, object[], string]>([
  [
    "a cliff alone",
    [cliff(1_000, 12)],
    "All at once on 1 Feb 2026. Next: +1,000 on 1 Feb 2026. 1,000 on 1 Feb 2026 (cliff).",
  ],
  [
    "vesting by the month from the start",
    [installments(1_000, 1, 48)],
    "Over 48 months until Feb 2029. Next: +20 on 1 Mar 2025. 1,000 in 48 monthly installments, Mar 2025 to Feb 2029.",
  ],
  [
    "vesting by the month after a cliff",
    [installments(1_000, 13, 4)],
    "Cliff of 12 months, then 4 months until Jun 2026. Next: +250 on 1 Mar 2026. 12-month cliff. 1,000 in 4 monthly installments, Mar 2026 to Jun 2026.",
  ],
  [
    "a cliff, then quarters",
    [cliff(200, 12), installments(800, 15, 4, 3)],
    "Cliff of 12 months (20%), then 12 months until Feb 2027. Next: +200 on 1 Feb 2026. 200 on 1 Feb 2026 (cliff). 800 in 4 quarterly installments, May 2026 to Feb 2027.",
  ],
  [
    "a single installment after days, which is a cliff",
    [{ kind: "installments", amount: "1000", first_day: 365, count: 1, every_days: 365 }],
    "All at once on 1 Feb 2026. Next: +1,000 on 1 Feb 2026. 1,000 on 1 Feb 2026 (cliff).",
  ],
  ["never", [{ kind: "never", amount: "1000" }], "Stays locked. 1,000 stay locked."],
])("the terms of %s are in the field's words", (_, phases, terms) => {
  expect(termsOf(phases)).toBe(terms);
});

test("once all is unlocked the terms name the vesting's end alone, whichever step it takes effect at", () => {
  const phases = [{ kind: "linear", amount: "1000", from: "2025-02-01", to: "2026-01-30" }];
  expect(termsOf(phases, {}, Date.UTC(2026, 5, 1))).toMatch(/^Over 12 months until Jan 2026\. All unlocked\. /);
});

test("terms say where the locked tokens are held, and whether that is read", () => {
  const held = [wallet("0xa1", { holds: "vesting" }), wallet("0xa2")];
  const phases = [cliff(1_000, 12)];
  expect(termsOf(phases, { addresses: held })).toContain(
    "Held in a vesting contract, a custody wallet, on this chain.",
  );
  const elsewhere = [wallet("0xa1", { chain: "ethereum" })];
  expect(termsOf(phases, { addresses: elsewhere })).toMatch(/Held in a custody wallet\.$/);
});

test("a wallet of a deployment that reads no chain leads to the explorer, if it is on the first chain", () => {
  const wallets = [wallet("0xa1", { category: "treasury" }), wallet("0xa2", { category: "treasury", chain: "solana" })];
  const html = publishedWallets(valid(file({ wallets })), "https://scan.example/account/{address}");
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(["https://scan.example/account/0xa1"]);
  expect(html).toContain("<code>0xa2</code>");
});
