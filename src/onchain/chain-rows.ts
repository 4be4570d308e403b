import { instantText } from "../base/utc.ts";
import { assetText } from "../chain/asset.ts";
import type { Config } from "../config.ts";
import { type AmountView, amountView } from "../supply/representations.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import { type Amount, escrowsIn, type Leg, less, type Reading, rounded } from "./reading.ts";

type First = Pick<Config, "assets" | "chainId">;

/** The chains of a token, the first one first: what exists on each, and what backs it. undefined: it is on one. */
export function chainRows(schedule: Schedule, { assets: { native: asset }, chainId }: First, reading: Reading) {
  const { legs } = reading;
  if (legs === undefined) return undefined;
  const view = (amount: Amount): AmountView | null =>
    "reason" in amount ? null : amountView(rounded(amount.baseUnits, reading), schedule.token.decimals);
  const escrows = escrowsIn(schedule, reading);
  const native = {
    id: NATIVE_CHAIN,
    supply: "issued",
    escrow: null,
    asset,
    chainId,
    family: asset.kind === "contract" ? "evm" : "move",
  };
  return legs.flatMap((leg) => {
    const chain = [native, ...(schedule.chains ?? [])].find(({ id }) => id === leg.id);
    if (chain === undefined) return [];
    const { id, family, supply } = chain;
    const escrow = escrows.find(({ chains }) => chains.includes(id));
    return [
      {
        chain: id,
        family,
        chain_id: chain.chainId,
        asset: assetText(chain.asset),
        supply,
        ledger_version: leg.ledgerVersion === null ? null : String(leg.ledgerVersion),
        block_hash: leg.block,
        as_of: leg.ledgerVersion === null ? null : instantText(leg.readAtMs),
        minted_supply: leg.missing === null ? view(mintedOf(leg)) : null,
        escrow: escrow === undefined ? null : escrowRow(escrow, view),
        unavailable: leg.missing,
      },
    ];
  });
}

function mintedOf({ minted, saidBy }: Leg): Amount {
  return { baseUnits: minted, witnesses: saidBy.length };
}

/** `difference`: what the escrow holds beyond what is minted for it, on all chains that it backs. */
function escrowRow(
  { wallet: { chain, address }, chains, minted, held }: ReturnType<typeof escrowsIn>[number],
  view: (amount: Amount) => AmountView | null,
) {
  const difference = less(held, minted);
  return { chain, address, backs: chains, balance: view(held), difference: view(difference) };
}
