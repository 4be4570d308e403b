import type { FileError } from "../../base/file/file-errors.ts";
import { type Holding, NATIVE_CHAIN } from "../../chain/holding.ts";
import { type ChainFamily, familyOf } from "../../families/family.ts";
import type { TokenChain } from "../../families/token-chain.ts";
import type { Bucket, Schedule } from "../schedule.ts";
import { holdingKey } from "../wallets.ts";

/** Chains and wallets of a file whose meaning is not validated yet. */
interface Places extends Pick<Schedule, "wallets" | "chains"> {
  readonly plan: { readonly kind: "buckets"; readonly buckets: readonly Bucket[] } | { readonly kind: "table" } | null;
}

/** Families of the token's chains, by their ids. */
export type Families = ReadonlyMap<string, ChainFamily>;

/** Maximum number of wallets on all chains together: a reading with more is too large to be stored. */
const MAX_WALLETS = 1_024;

interface ListedHolding {
  readonly holding: Holding;
  readonly path: string;
}

/** Lists every holding of the file with its path. */
function listedIn({ plan, wallets }: Places): ListedHolding[] {
  const inBuckets = plan?.kind === "buckets" ? plan.buckets : [];
  return [
    ...inBuckets.flatMap(({ addresses }, bucket) =>
      addresses.map((holding, at) => ({ holding, path: `buckets[${bucket}].addresses[${at}]` })),
    ),
    ...wallets.map((holding, at) => ({ holding, path: `wallets[${at}]` })),
  ];
}

/** Finds holdings that are listed twice, because they would be subtracted twice, and chains with too many wallets. */
export function walletErrors(places: Places, families: Families): FileError[] {
  const listed = listedIn(places);
  const firstPlace = new Map<string, string>();
  const errors = listed.flatMap(({ holding, path }): FileError[] => {
    const key = holdingKey(holding);
    const first = firstPlace.get(key);
    if (first === undefined) firstPlace.set(key, path);
    const message = `${holding.address} is also ${first} with the same kind: each holding is counted once`;
    return first === undefined ? [] : [{ path: `${path}.address`, message }];
  });
  errors.push(...delegationErrors(listed), ...lockErrors(listed));
  const limits = [...families].map(([chain, family]) => ({
    count: listed.filter(({ holding }) => holding.chain === chain).length,
    where: chain === NATIVE_CHAIN ? "this chain" : chain,
    most: familyOf(family).maxWallets,
  }));
  // Wallets on other chains are not read, so they are in no reading.
  const count = limits.reduce((sum, limit) => sum + limit.count, 0);
  const all = { count, where: "all chains", most: MAX_WALLETS };
  const [excess] = [...limits, all].filter((limit) => limit.count > limit.most);
  if (excess === undefined) return errors;
  const message = `${excess.count} wallets on ${excess.where}, with those of buckets; at most ${excess.most}`;
  return [...errors, { path: "wallets", message }];
}

/**
 * Finds chains that repeat a token, which would be counted twice, and escrows that cannot back a supply. An escrow that
 * is also a wallet would be subtracted although its tokens circulate.
 */
export function chainErrors(places: Places): FileError[] {
  const { chains = [] } = places;
  const paths = new Map(listedIn(places).map(({ holding, path }) => [addressKey(holding), path]));
  const tokens = chains.map(({ family, chainId, asset }) => `${family} ${chainId} ${asset.text}`);
  return chains.flatMap(({ id, escrow }, index) => {
    const errors: FileError[] = [];
    const error = (name: string, message: string) => errors.push({ path: `chains[${index}].${name}`, message });
    const same = chains.findIndex((chain) => chain.id === id);
    if (same !== index) error("id", `${id} is also the id of chains[${same}]; each chain has one of its own`);
    else if (id === NATIVE_CHAIN && index > 0) error("id", `${id} is the first chain: put it first`);
    const token = tokens.indexOf(tokens[index] ?? "");
    if (token !== index) error("asset", `is also the asset of chains[${token}], on the same chain: list it once`);
    if (escrow === null) return errors;
    if (escrow.chain === id)
      error("escrow.chain", `must be another chain than ${id} itself: tokens are locked where they come from`);
    const circle = escrow.chain === id ? null : escrowCycle(id, chains);
    if (circle !== null)
      error(
        "escrow.chain",
        `nothing backs ${id}, because its escrows lead in a circle (${circle.join(" -> ")}): a chain of escrows ends on ${NATIVE_CHAIN} or another issued chain`,
      );
    const wallet = paths.get(addressKey(escrow));
    if (wallet !== undefined)
      error(
        "escrow.address",
        `is also ${wallet}: what is locked there circulates on ${id}, so the escrow is no wallet; take that out`,
      );
    return errors;
  });
}

/**
 * Follows a chain's escrow to the next chain, and so on. Returns the path if it comes back to a chain; null if it ends
 * on an issued chain.
 */
function escrowCycle(id: string, chains: readonly TokenChain[]): readonly string[] | null {
  const path = [id];
  for (;;) {
    const last = path.at(-1);
    const next = chains.find((chain) => chain.id === last)?.escrow?.chain;
    if (next === undefined) return null;
    if (path.includes(next)) return [...path, next];
    path.push(next);
  }
}

/** Finds delegations to a pool that is listed too, because their stake would be subtracted twice. */
function delegationErrors(listed: readonly ListedHolding[]): FileError[] {
  const pools = new Map(
    listed.flatMap(({ holding, path }) =>
      holding.holds === "stake_pool" ? [[addressKey(holding), path] as const] : [],
    ),
  );
  return listed.flatMap(({ holding, path }) => {
    if (holding.holds !== "delegation") return [];
    const whole = pools.get(addressKey({ ...holding, address: holding.pool }));
    const message = `${holding.pool} is the stake pool ${whole}, whose stake this delegation is a part of: list one of them`;
    return whole === undefined ? [] : [{ path: `${path}.pool`, message }];
  });
}

/** Finds locks whose tokens another listing of their address counts too: a lock is a part of the account's balance. */
function lockErrors(listed: readonly ListedHolding[]): FileError[] {
  return listed.flatMap(({ holding, path }) => {
    if (holding.holds !== "lock") return [];
    const place = addressKey(holding);
    const other = listed.find((each) => each.path !== path && addressKey(each.holding) === place);
    // The same lock twice is an error of its own.
    if (other === undefined || holdingKey(other.holding) === holdingKey(holding)) return [];
    const message = `${holding.address} is also ${other.path}: a lock's tokens are a part of the balance; list the address once`;
    return [{ path: `${path}.address`, message }];
  });
}

function addressKey({ chain, address }: Pick<Holding, "chain" | "address">): string {
  return `${chain} ${address}`;
}
