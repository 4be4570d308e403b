import { type Address, parseAddress } from "../src/chain/address.ts";
import { parseU64 } from "../src/chain/integer.ts";
import { WALLET_OWNERS } from "./development-keys.ts";
import { economyOf } from "./economy.ts";
import { account, createUnchecked } from "./framework/account.ts";
import { NATIVE_COIN } from "./framework/addresses.ts";
import { countSupply, mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { createPool, ownerCapability, type Stake } from "./framework/stake-state.ts";
import { createContract } from "./framework/vesting.ts";
import type { Session } from "./vm/session.ts";

const [COMMUNITY] = WALLET_OWNERS;
const HOLDS = ["account", "stake_pool", "vesting"] as const;

/** A wallet of a published schedule: its kind, its address, and its base units at genesis. */
export interface GenesisWallet {
  readonly holds: (typeof HOLDS)[number];
  readonly address: Address;
  readonly amount: bigint;
}

/** 2100-01-01T00:00:00Z: a development chain ends before. */
const LOCKED_UNTIL_SECONDS = 4_102_444_800n;

export type WalletsResult =
  | { readonly kind: "wallets"; readonly wallets: readonly GenesisWallet[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Parses `holds:address:units`, comma-separated; an empty text means no wallets. */
export function parseGenesisWallets(text: string): WalletsResult {
  const entries = text === "" ? [] : text.split(",").map((entry) => entry.trim());
  const parsed = entries.map((entry) => ({ entry, wallet: parseWallet(entry) }));
  const wallets = parsed.flatMap(({ wallet }) => wallet ?? []);
  const malformed = parsed.filter(({ wallet }) => wallet === undefined);
  const addresses = wallets.map(({ address }) => address);
  const repeated = addresses.filter((address, index) => addresses.indexOf(address) !== index);
  const problems = [
    ...malformed.map(
      ({ entry }) =>
        `GENESIS_WALLETS must list holds:address:units with holds one of ${HOLDS.join(", ")}, not ${JSON.stringify(entry)}`,
    ),
    ...repeated.map((address) => `GENESIS_WALLETS lists ${address} twice`),
  ];
  return problems.length === 0 ? { kind: "wallets", wallets } : { kind: "problems", problems };
}

function parseWallet(entry: string): GenesisWallet | undefined {
  const [kind, place = "", units = "", ...more] = entry.split(":");
  const holds = HOLDS.find((known) => known === kind);
  const [address, amount] = [parseAddress(place), parseU64(units)];
  if (holds === undefined || address === undefined || amount === undefined || more.length > 0) return undefined;
  return { holds, address, amount };
}

/** Why these wallets cannot be opened on a chain with that supply. */
export function walletProblems(parsed: WalletsResult, supply: bigint): readonly string[] {
  if (parsed.kind === "problems") return parsed.problems;
  const locked = parsed.wallets.reduce((sum, { amount }) => sum + amount, 0n);
  const { minUnlocked } = economyOf(supply);
  return supply - locked >= minUnlocked
    ? []
    : [`GENESIS_SUPPLY less GENESIS_WALLETS must leave at least ${minUnlocked} base units, not ${supply - locked}`];
}

/** An account that can receive the native coin; an existing one is unchanged. */
export function openAccount(session: Session, address: Address): void {
  if (!session.has(account, address)) createUnchecked(session, address);
  register(session, NATIVE_COIN, address);
}

/** Opens one wallet and mints its balance. */
export function openWallet(session: Session, { holds, address, amount }: GenesisWallet): void {
  if (holds !== "vesting") openAccount(session, address);
  switch (holds) {
    case "account":
      mint(session, NATIVE_COIN, address, amount);
      return;
    case "stake_pool": {
      const pool = { operator: address, voter: address, lockedUntilSeconds: LOCKED_UNTIL_SECONDS };
      countSupply(session, NATIVE_COIN, amount);
      createPool(session, address, { ...pool, stake: inEveryPart(amount) });
      session.put(ownerCapability, address, { pool_address: address });
      return;
    }
    case "vesting": {
      const stake = { active: amount, inactive: 0n, pendingActive: 0n, pendingInactive: 0n };
      countSupply(session, NATIVE_COIN, amount);
      createContract(session, address, {
        admin: COMMUNITY.address,
        grant: amount,
        stake,
        lockedUntilSeconds: LOCKED_UNTIL_SECONDS,
      });
    }
  }
}

/** A non-zero amount in each part, so that a reader that ignores one is noticed. */
function inEveryPart(amount: bigint): Stake {
  const [inactive, pendingActive, pendingInactive] = [amount / 20n, amount / 20n, amount / 10n];
  return { active: amount - inactive - pendingActive - pendingInactive, inactive, pendingActive, pendingInactive };
}
