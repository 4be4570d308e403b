import { familyOf } from "../../../src/families/family.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { holdingsOn } from "../../../src/supply/wallets.ts";
import { exactOf, timeOf } from "../../view/format.ts";
import { chainsIn } from "../chain-nodes.ts";
import { copy, h, showCode } from "../dom.ts";
import type { Check, Compared, Line, Outcome } from "./compare.ts";
import { pageFamily } from "./family.ts";

/** Displays the lines of a check, the version at which they were read, and the command that reads each. */
export async function comparisonView(outcome: Outcome, check: Check, address: string): Promise<HTMLElement[]> {
  const { schedule, served } = check;
  const exact = (units: bigint): string => exactOf(units, schedule.token.decimals);
  const { version, commands: commandsOf } = pageFamily(served.family);
  const holdings = [null, ...holdingsOn(schedule, served.id)];
  const commands = await Promise.all(holdings.map((holding) => commandsOf(address, served, holding)));
  const compared = outcome.kind === "compared" ? outcome : null;
  const follows = compared === null ? "" : `; the node follows chain ${compared.info.chainId}`;
  const read = `This service read ${version} ${served.version} on ${timeOf(Date.parse(served.readAt))}${follows}.`;
  return [
    ...(compared === null ? [] : [comparisonTable(compared.lines, schedule, exact)]),
    h("p", { class: "note" }, `${read}${otherChainsText(check, compared)}`),
    h(
      "details",
      {},
      h("summary", {}, "The command of each line"),
      ...holdings.flatMap((holding, index) => commandBlock(holding?.label ?? "Minted", commands[index] ?? "")),
    ),
  ];
}

/** Explains that one node cannot confirm a sum over several chains, and how its amounts are rounded. */
function otherChainsText({ schedule, served, breakdown }: Check, compared: Compared | null): string {
  const others = chainsIn(breakdown).filter(({ chain }) => chain !== served.id);
  if (others.length === 0) return "";
  const read = others.map(({ chain, family, ledger_version: at }) =>
    at === null ? `${chain} never` : `${chain} at ${familyOf(family).versionWord} ${at}`,
  );
  const { decimals } = schedule.token;
  const digits = compared?.decimals ?? decimals;
  const rounded =
    digits > decimals
      ? ` The chain’s amounts have ${digits} decimals, and are rounded down to ${decimals} as they are published.`
      : "";
  return ` The token is on other chains too, which this node does not have, so that no sum is compared. Read with it: ${read.join(", ")}.${rounded}`;
}

function commandBlock(label: string, text: string): HTMLElement[] {
  const code = h("code", { class: "wraps" });
  showCode(code, text);
  const copyButton = h("button", { type: "button" }, "Copy");
  copyButton.onclick = () => copy(text, copyButton);
  return [
    h("h3", {}, h("bdi", {}, label)),
    h("div", { class: "snippet" }, h("pre", { tabindex: "0" }, code), copyButton),
  ];
}

/** Makes the table of the subtraction: the node's amounts, and this service's where they differ. */
function comparisonTable(lines: readonly Line[], { token }: Schedule, exact: (units: bigint) => string): HTMLElement {
  const signs: Readonly<Record<Line["kind"], string>> = { minted: "", burned: "−", wallet: "−", escrow: "", left: "=" };
  const rows = lines.map(({ label, kind, node, ours, reason }) => {
    const isEqual = node !== null && node === ours;
    const nodeText = node === null ? `not read: ${reason}` : `${signs[kind]} ${exact(node)}`.trim();
    const result = isEqual ? "equal" : node === null ? "" : ours === null ? "not compared" : `here ${exact(ours)}`;
    return h(
      "tr",
      { class: kind === "left" ? "sum" : "part" },
      h("th", { scope: "row" }, h("bdi", {}, label), kind === "burned" ? ", burned" : ""),
      h("td", { class: node === null ? "reason" : "number", "data-label": "Node" }, nodeText),
      h("td", { class: isEqual ? "equal" : "unequal", "data-label": "This service" }, isEqual ? "✓ equal" : result),
    );
  });
  const head = ["Line", `Node, ${token.symbol}`, "This service"].map((name) => h("th", { scope: "col" }, name));
  return h(
    "table",
    { class: "rows", id: "comparison" },
    h("caption", {}, "The node’s subtraction, and this service’s"),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...rows),
  );
}
