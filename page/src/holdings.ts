import { MINUS } from "../../src/base/shown-figures.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { columnOf, differenceOf, exactOf, isWhole, timeOf } from "../view/format.ts";
import { saidOf } from "./chain-figures.ts";
import { severalChains } from "./chain-nodes.ts";
import { showChains } from "./chains.ts";
import type { Holdings, SupplyBreakdown } from "./documents.ts";
import { units } from "./documents.ts";
import { bdi, h, mark } from "./dom.ts";
import { byId, setText } from "./elements.ts";
import type { Reading } from "./polling.ts";
import { GROUPS, type Group, groupOf, type Row, rowsOf } from "./reconciliation.ts";
import { isShort } from "./verdict.ts";
import { cell, constantRow, versionOf, walletRow } from "./wallet-rows.ts";

const DASH = "–";

/** Shows the wallets compared with the schedule: first the result, then the sum, then the wallets, folded. */
export function showHoldings(reading: Reading<Holdings>, schedule: UnlockSchedule, nowMs: number): void {
  const { decimals } = schedule.token;
  const { value, readAtMs } = reading;
  byId("wallets").querySelector(".room")?.remove();
  // The band across the first view tells the failure, once.
  if (value === undefined) byId("verdict").replaceChildren();
  if (value === undefined) return;
  const { breakdown } = value;
  const { buckets, non_circulating_wallets: wallets, constants } = breakdown;
  const verdict = saidOf(reading, nowMs);
  setText("verdict", `${verdict.text}.`);
  setText("verdict-read", verdict.read.replace("r", "R"));
  byId("verdict").dataset["state"] = verdict.state;
  const rows = wallets.length + constants.length === 0 ? [] : rowsOf(value, schedule);
  byId("difference").hidden = rows.length === 0;
  const groups = new Set<Group>([...wallets.map(groupOf), ...constants.map(() => "stated" as const)]);
  fill("difference", [h("tbody", {}, ...rows.map((row) => differenceRow(row, groups, decimals)))]);
  showChains(breakdown, decimals);
  byId("wallets-details").hidden = wallets.length + constants.length === 0;
  fill("wallet-buckets", [h("tbody", {}, ...buckets.map((bucket) => bucketRow(bucket, decimals)))]);
  const isOnSeveral = severalChains(breakdown).length > 0;
  const labels = new Map(buckets.map(({ id, label }) => [id, label]));
  fill(
    "wallet-list",
    GROUPS.flatMap(({ id, title }) => {
      const members = wallets.filter((wallet) => groupOf(wallet) === id);
      const stated = id === "stated" ? constants.map((one) => constantRow(one, value.total, decimals)) : [];
      const head = h("tr", {}, h("th", { colspan: 4, scope: "rowgroup" }, title));
      const list = members.map((one) =>
        walletRow(
          one,
          { bucket: labels.get(one.bucket), isNamed: isOnSeveral || one.chain !== "native" },
          value.total,
          decimals,
        ),
      );
      const body = [...list, ...stated];
      return body.length === 0 ? [] : [h("tbody", { id: `wallets-${id}` }, head, ...body)];
    }),
  );
  const version = versionOf(breakdown.ledger_version);
  byId("wallets-source").replaceChildren("Read at ", ...version, `, ${timeOf(readAtMs ?? nowMs)}.`);
}

type Bucket = SupplyBreakdown["buckets"][number];

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
  const digits = h("td", { class: "number" }, ...digitsOf(amount, isSum, decimals));
  digits.style.setProperty("--length", String(digits.textContent?.length));
  const kind = isSum ? "sum" : "part";
  const isAbove = path !== undefined && isWhole(amount, decimals);
  return h("tr", { class: isAbove ? `${kind} above` : kind }, h("th", { scope: "row" }, name), digits);
}

/** Writes every digit of an amount, so that a reader can add amounts up. Decimals are small, and none where all are 0. */
function digitsOf(amount: bigint, isSum: boolean, decimals: number): (Node | string)[] {
  const sign = amount < 0n ? MINUS : isSum ? "" : "+";
  const [whole = "", fraction = ""] = exactOf(amount < 0n ? -amount : amount, decimals).split(".");
  const kept = fraction.replace(/0+$/, "");
  return [sign + whole, ...(kept === "" ? [] : [h("small", {}, `.${kept}`)])];
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
      ...(isShort(bucket, decimals) ? [" ", mark("less than scheduled")] : []),
      ...(held === null && units(locked) > 0n ? [" ", mark("no wallet read")] : []),
    ),
    cell("Locked by schedule", columnOf(units(locked), decimals)),
    cell("On chain", held === null ? DASH : columnOf(units(held), decimals)),
    cell("Difference", found === null ? DASH : differenceOf(units(found), decimals)),
  );
}
