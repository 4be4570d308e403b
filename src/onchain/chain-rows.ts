import { instantText } from "../base/utc.ts";
import type { Config } from "../config.ts";
import type { CirculatingView } from "../families/chain-node.ts";
import { type AmountView, amountView } from "../supply/representations.ts";
import type { Schedule } from "../supply/schedule.ts";
import { circulatingComparison } from "./circulating-view.ts";
import { escrowsIn } from "./escrow.ts";
import { type FigureResult, subtract } from "./figure-sums.ts";
import { type ChainState, type Reading, toTokenUnits } from "./reading.ts";

/** Rows of a token's chains, the first chain first: the supply on each, and the escrow that backs it. */
export function chainRows(schedule: Schedule, { chains }: Pick<Config, "chains">, reading: Reading) {
  const view = (amount: FigureResult): AmountView | null =>
    "reason" in amount ? null : amountView(toTokenUnits(amount.baseUnits, reading), schedule.token.decimals);
  const inTokenUnits = (amount: FigureResult): AmountView | null =>
    "reason" in amount ? null : amountView(amount.baseUnits, schedule.token.decimals);
  const escrows = escrowsIn(schedule, reading);
  return reading.chains.flatMap((read) => {
    const chain = chains.find((each) => each.chain.id === read.id)?.chain;
    if (chain === undefined) return [];
    const { id, family, chainId, asset, supply, circulatingView } = chain;
    const comparison = circulatingComparison(schedule, reading, read);
    const escrow = escrows.find(({ chains: backed }) => backed.includes(id));
    return [
      {
        chain: id,
        family,
        chain_id: chainId,
        asset: asset.text,
        supply,
        ledger_version: read.ledgerVersion === null ? null : String(read.ledgerVersion),
        block_hash: read.block,
        as_of: read.ledgerVersion === null ? null : instantText(read.readAtMs),
        minted_supply: read.missing === null ? view(mintedOf(read)) : null,
        escrow: escrow === undefined ? null : escrowRow(escrow, view),
        unavailable: read.missing,
        // Absent where nothing is compared.
        ...(circulatingView !== undefined &&
          comparison !== null && { circulating_view: viewRow(circulatingView, comparison, inTokenUnits) }),
      },
    ];
  });
}

/** `difference`: what the contract states less our figure. */
function viewRow(
  { contract, view }: CirculatingView,
  { stated, ours, difference }: NonNullable<ReturnType<typeof circulatingComparison>>,
  amount: (figure: FigureResult) => AmountView | null,
) {
  return {
    contract,
    view,
    stated: amount(stated),
    circulating_supply_on_chain: amount(ours),
    difference: amount(difference),
    unavailable: "reason" in stated ? stated.reason : null,
  };
}

function mintedOf({ minted, confirmedBy }: ChainState): FigureResult {
  return { baseUnits: minted, witnesses: confirmedBy.length };
}

/** `difference`: the escrow's balance minus the supply on all chains that it backs. */
function escrowRow(
  { wallet: { chain, address }, chains, minted, held }: ReturnType<typeof escrowsIn>[number],
  view: (amount: FigureResult) => AmountView | null,
) {
  const difference = subtract(held, minted);
  return { chain, address, backs: chains, balance: view(held), difference: view(difference) };
}
