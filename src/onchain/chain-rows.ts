import { instantText } from "../base/utc.ts";
import type { Config } from "../config.ts";
import { type AmountView, amountView } from "../supply/representations.ts";
import type { Schedule } from "../supply/schedule.ts";
import { escrowsIn } from "./escrow.ts";
import { type FigureResult, subtract } from "./figure-sums.ts";
import { type ChainState, type Reading, toTokenUnits } from "./reading.ts";

/** Rows of a token's chains, the first chain first: the supply on each, and the escrow that backs it. */
export function chainRows(schedule: Schedule, { chains }: Pick<Config, "chains">, reading: Reading) {
  const view = (amount: FigureResult): AmountView | null =>
    "reason" in amount ? null : amountView(toTokenUnits(amount.baseUnits, reading), schedule.token.decimals);
  const escrows = escrowsIn(schedule, reading);
  return reading.chains.flatMap((read) => {
    const chain = chains.find((each) => each.chain.id === read.id)?.chain;
    if (chain === undefined) return [];
    const { id, family, chainId, asset, supply } = chain;
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
      },
    ];
  });
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
