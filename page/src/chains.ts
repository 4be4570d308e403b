import { chains as siteChains } from "virtual:site";
import { columnOf, differenceOf, isWhole } from "../view/format.ts";
import { linkedAddress } from "../view/wallet-address.ts";
import { type ChainRow, nodesOf, nodesText, severalChains } from "./chain-nodes.ts";
import { type SupplyBreakdown, units } from "./documents.ts";
import { h, mark, withCopy } from "./dom.ts";
import { byId, elementOf } from "./elements.ts";
import { cell as numberCell } from "./wallet-rows.ts";

const DASH = "–";

/** Shows the amounts on each chain of a token on several. For a token on one chain the section names its contract. */
export function showChains(breakdown: SupplyBreakdown, decimals: number): void {
  const chains = severalChains(breakdown);
  byId("chains").hidden = chains.length === 0;
  if (chains.length === 0) return;
  byId("wallets").querySelector(".asset")?.setAttribute("hidden", "");
  byId("chain-rows").replaceChildren(
    ...chains.map((chain) => chainRow(chain, nodesOf(breakdown, chain.chain), decimals)),
  );
}

function chainRow(row: ChainRow, nodes: number | undefined, decimals: number): HTMLTableRowElement {
  const { chain, chain_id: id, asset, minted_supply: minted, ledger_version: version } = row;
  const word = siteChains.find(({ id: name }) => name === chain)?.versionWord;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, chain, id === null ? "" : ` chain ${id}`),
    cell("Contract", withCopy(elementOf(linkedAddress(asset, undefined)))),
    numberCell("Supply", minted === null ? DASH : columnOf(units(minted), decimals)),
    cell("How", row.supply),
    cell("Escrow", ...escrowOf(row.escrow, decimals)),
    cell("Read at", version === null ? DASH : word === undefined ? version : `${word} ${version}`),
    cell("Nodes", nodes === undefined ? DASH : nodesText(nodes)),
  );
}

/** Describes the escrow that backs a bridged supply: its balance, its address, and its surplus. */
function escrowOf(escrow: ChainRow["escrow"], decimals: number): (Node | string)[] {
  if (escrow === null) return [DASH];
  const { balance, difference, chain } = escrow;
  const held = balance === null ? "not read" : columnOf(units(balance), decimals);
  const surplus = difference === null ? undefined : units(difference);
  const text = `${held} on ${chain}, difference ${surplus === undefined ? DASH : differenceOf(surplus, decimals)}`;
  return [text, ...(surplus !== undefined && isWhole(-surplus, decimals) ? [" ", mark("short")] : [])];
}

function cell(label: string, ...content: (Node | string)[]): HTMLElement {
  return h("td", { "data-label": label }, h("div", {}, ...content));
}
