import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { changeOf, columnOf, exactOf, timeOf } from "../view/format.ts";
import { saidOf } from "./chain-figures.ts";
import { severalChains } from "./chain-nodes.ts";
import { showChains } from "./chains.ts";
import type { Holdings, SupplyBreakdown } from "./documents.ts";
import { units } from "./documents.ts";
import { bdi, h, mark } from "./dom.ts";
import { byId, setText } from "./elements.ts";
import { type Reading, renewalText } from "./polling.ts";
import { GROUPS, type Group, groupOf, type Row, rowsOf } from "./reconciliation.ts";
import { isShort } from "./verdict.ts";
import { cell, versionOf, walletRow } from "./wallet-rows.ts";

const DASH = "–";

/** Shows the wallets compared with the schedule: first the result, then the sum, then the wallets, folded. */
export function showHoldings(reading: Reading<Holdings>, schedule: UnlockSchedule, nowMs: number): void {
  const { decimals } = schedule.token;
  const { value, readAtMs } = reading;
  setText("wallets-note", renewalText(reading, "The wallets", true));
  byId("wallets").querySelector(".room")?.remove();
  // The text of the failure replaces the verdict.
  if (value === undefined) byId("verdict").replaceChildren();
  if (value === undefined) return;
  const { breakdown } = value;
  const { buckets, non_circulating_wallets: wallets } = breakdown;
  const verdict = saidOf(reading, nowMs);
  setText("verdict", verdict.text);
  byId("verdict").dataset["state"] = verdict.state;
  const rows = wallets.length === 0 ? [] : rowsOf(value, schedule);
  byId("difference").hidden = rows.length === 0;
  const groups = new Set(wallets.map(groupOf));
  fill("difference", [h("tbody", {}, ...rows.map((row) => differenceRow(row, groups, decimals)))]);
  showChains(breakdown, decimals);
  byId("wallets-details").hidden = wallets.length === 0;
  fill("wallet-buckets", [h("tbody", {}, ...buckets.map((bucket) => bucketRow(bucket, decimals)))]);
  const isOnSeveral = severalChains(breakdown).length > 0;
  const labels = new Map(buckets.map(({ id, label }) => [id, label]));
  fill(
    "wallet-list",
    GROUPS.flatMap(({ id, title }) => {
      const members = wallets.filter((wallet) => groupOf(wallet) === id);
      if (members.length === 0) return [];
      const head = h("tr", {}, h("th", { colspan: 4, scope: "rowgroup" }, title));
      const list = members.map((one) =>
        walletRow(
          one,
          { bucket: labels.get(one.bucket), isNamed: isOnSeveral || one.chain !== "native" },
          value.total,
          decimals,
        ),
      );
      return [h("tbody", { id: `wallets-${id}` }, head, ...list)];
    }),
  );
  const version = versionOf(breakdown.ledger_version);
  byId("wallets-source").replaceChildren("Read at ", ...version, `, ${timeOf(readAtMs ?? nowMs)}.`);
}

type Bucket = SupplyBreakdown["buckets"][number];

/** Writes a difference in whole tokens, rounded as unlocks are. */
export function difference(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  return amount / unit === 0n ? "0" : changeOf(amount, decimals);
}

function fill(id: string, bodies: readonly HTMLElement[]): void {
  for (const body of byId(id).querySelectorAll("tbody")) body.remove();
  byId(id).append(...bodies);
}

/** Makes the row of a summand. Its name leads to its wallets, if some are listed. */
function differenceRow(
  { label, amount, isSum, group, path }: Row,
  listed: ReadonlySet<Group>,
  decimals: number,
): HTMLElement {
  const href = path ?? (group && listed.has(group) ? `#wallets-${group}` : undefined);
  const name = href === undefined ? label : h("a", { href }, label);
  if (typeof name !== "string" && group !== undefined)
    name.onclick = () => {
      (byId("wallets-details") as HTMLDetailsElement).open = true; // as the page's HTML has it
    };
  const digits = h("td", { class: "number" }, isSum ? exactOf(amount, decimals) : signedOf(amount, decimals));
  digits.style.setProperty("--length", String(digits.textContent?.length));
  const kind = isSum ? "sum" : "part";
  const isAbove = path !== undefined && amount > 0n;
  return h("tr", { class: isAbove ? `${kind} above` : kind }, h("th", { scope: "row" }, name), digits);
}

function signedOf(amount: bigint, decimals: number): string {
  return amount < 0n ? `−${exactOf(-amount, decimals)}` : `+${exactOf(amount, decimals)}`;
}

function bucketRow(bucket: Bucket, decimals: number): HTMLElement {
  const { label, locked_by_schedule: locked, held_on_chain: held, difference: found } = bucket;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      bdi(label),
      ...(isShort(bucket) ? [" ", mark("less than scheduled")] : []),
      ...(held === null && units(locked) > 0n ? [" ", mark("no wallet read")] : []),
    ),
    cell("Locked by schedule", columnOf(units(locked), decimals)),
    cell("On chain", held === null ? DASH : columnOf(units(held), decimals)),
    cell("Difference", found === null ? DASH : difference(units(found), decimals)),
  );
}
