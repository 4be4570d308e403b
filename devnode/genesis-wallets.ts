import { type Address, parseAddress } from "../src/chain/address.ts";
import { parseU64 } from "../src/chain/integer.ts";
import { WALLET_OWNERS } from "./development-keys.ts";
import { economyOf } from "./economy.ts";
import { account, createUnchecked } from "./framework/account.ts";
import { NATIVE_COIN } from "./framework/addresses.ts";
import { countSupply, mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { delegate } from "./framework/delegation-pool.ts";
import { createPool, ownerCapability, type Stake } from "./framework/stake-state.ts";
import { COMMISSION_PERCENTAGE, createStakingContract } from "./framework/staking-contract.ts";
import { createContract } from "./framework/vesting.ts";
import type { Session } from "./vm/session.ts";

const [COMMUNITY] = WALLET_OWNERS;
const HOLDS = ["account", "stake_pool", "vesting", "delegation", "staking_contract"] as const;
/** The kinds that name a second address: a delegation's pool, a staking contract's operator. */
const REFERRING: readonly string[] = ["delegation", "staking_contract"];

/** A wallet of a published schedule: its kind, its addresses, and its base units at genesis. */
export interface GenesisWallet {
  readonly holds: (typeof HOLDS)[number];
  readonly address: Address;
  readonly amount: bigint;
  /** null for a kind with one address. */
  readonly reference: Address | null;
}

const MAX_U64 = 2n ** 64n - 1n;
/** 2100-01-01T00:00:00Z: a development chain ends before. */
const LOCKED_UNTIL_SECONDS = 4_102_444_800n;

export type WalletsResult =
  | { readonly kind: "wallets"; readonly wallets: readonly GenesisWallet[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Parses `holds:address:units` or `holds:address:units:address`, comma-separated; an empty text means no wallets. */
export function parseGenesisWallets(text: string): WalletsResult {
  const entries = text === "" ? [] : text.split(",").map((entry) => entry.trim());
  const parsed = entries.map((entry) => ({ entry, wallet: parseWallet(entry) }));
  const wallets = parsed.flatMap(({ wallet }) => wallet ?? []);
  const malformed = parsed.filter(({ wallet }) => wallet === undefined);
  const keys = wallets.map(({ holds, address, reference }) => `${holds} ${address} ${reference}`);
  const repeated = wallets.filter((_, index) => keys.indexOf(keys[index] ?? "") !== index);
  const problems = [
    ...malformed.map(
      ({ entry }) =>
        `GENESIS_WALLETS must list holds:address:units with holds one of ${HOLDS.join(", ")} (the last two with :pool or :operator), not ${JSON.stringify(entry)}`,
    ),
    ...repeated.map(({ address }) => `GENESIS_WALLETS lists ${address} twice`),
  ];
  return problems.length === 0 ? { kind: "wallets", wallets } : { kind: "problems", problems };
}

function parseWallet(entry: string): GenesisWallet | undefined {
  const [kind = "", place = "", units = "", ...more] = entry.split(":");
  const holds = HOLDS.find((known) => known === kind);
  const [address, amount] = [parseAddress(place), parseU64(units)];
  if (holds === undefined || address === undefined || amount === undefined) return undefined;
  if (more.length !== (REFERRING.includes(kind) ? 1 : 0)) return undefined;
  const reference = more[0] === undefined ? null : parseAddress(more[0]);
  return reference === undefined ? undefined : { holds, address, amount, reference };
}

/** Why these wallets cannot be opened on a chain with that supply. */
export function walletProblems(parsed: WalletsResult, supply: bigint): readonly string[] {
  if (parsed.kind === "problems") return parsed.problems;
  const locked = parsed.wallets.reduce((sum, wallet) => sum + mintedFor(wallet), 0n);
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
export function openWallet(session: Session, wallet: GenesisWallet): void {
  const { holds, address, amount, reference } = wallet;
  if (holds !== "vesting") openAccount(session, address);
  if (reference !== null) openAccount(session, reference);
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
      return;
    }
    case "delegation": {
      const { pendingActive, ...stake } = inEveryPart(amount);
      countSupply(session, NATIVE_COIN, amount);
      const delegated = { ...stake, active: stake.active + pendingActive, pendingActive: 0n };
      delegate(session, reference ?? address, address, delegated, LOCKED_UNTIL_SECONDS);
      return;
    }
    case "staking_contract": {
      const stake = inEveryPart(mintedFor(wallet));
      const rewards = (commissionOf(amount) * 100n) / COMMISSION_PERCENTAGE;
      countSupply(session, NATIVE_COIN, mintedFor(wallet));
      createStakingContract(session, {
        staker: address,
        operator: reference ?? address,
        stake,
        principal: stake.active + stake.pendingActive - rewards,
        lockedUntilSeconds: LOCKED_UNTIL_SECONDS,
      });
    }
  }
}

/** The base units that a wallet brings into existence: its own, and those that the operator of its stake has earned. */
export function mintedFor({ holds, amount }: GenesisWallet): bigint {
  return amount + (holds === "staking_contract" ? commissionOf(amount) : 0n);
}

/** Not zero, so that a reader that ignores it is noticed. */
function commissionOf(amount: bigint): bigint {
  const commission = amount / 1_000n;
  return amount + commission > MAX_U64 ? 0n : commission;
}

/** A non-zero amount in each part, so that a reader that ignores one is noticed. */
function inEveryPart(amount: bigint): Stake {
  const [inactive, pendingActive, pendingInactive] = [amount / 20n, amount / 20n, amount / 10n];
  return { active: amount - inactive - pendingActive - pendingInactive, inactive, pendingActive, pendingInactive };
}
