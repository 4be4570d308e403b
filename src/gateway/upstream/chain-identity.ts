import { parseU64 } from "../../chain/integer.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { KnownChain } from "./pool.ts";

/** A block by which the chain is recognized. */
export interface Anchor {
  readonly height: bigint;
  readonly hash: string;
}

/** What identifies a chain: its id and the hashes of some of its blocks, lowest first. Persisted. */
export interface ChainIdentity extends KnownChain {
  readonly anchors: readonly Anchor[];
  /** Learned while the preferred upstream did not respond; once it does, it decides. */
  readonly isProvisional: boolean;
  /** Since when every responding upstream has been below blocks seen before; null while one is not. */
  readonly behindSinceMs: number | null;
}

interface Sighted {
  readonly upstream: number;
  readonly ledger: Ledger;
  readonly anchors: readonly Anchor[];
}

/** The result of comparing one upstream with the known chain. */
export type Sighting =
  | (Sighted & { readonly kind: "same" })
  /** Another chain id, or another block at the height of an anchor. */
  | (Sighted & { readonly kind: "other"; readonly chainId: number })
  /** Below blocks seen before, as when it lags or was restored from a backup. */
  | (Sighted & { readonly kind: "behind" })
  | { readonly kind: "unknown"; readonly upstream: number };

/** `strangers`: indexes of the upstreams that follow another chain. */
export type Verdict =
  | { readonly kind: "same"; readonly chain: ChainIdentity; readonly strangers: readonly number[] }
  /** All or most responding upstreams follow another chain now. */
  | { readonly kind: "replaced"; readonly chainId: number; readonly anchors: readonly Anchor[] }
  | { readonly kind: "undecided"; readonly chain: ChainIdentity; readonly strangers: readonly number[] };

/** The first block after genesis and the two newest blocks seen. */
const MAX_ANCHORS = 3;

/** Adds newer anchors: keeps the lowest and the newest. Genesis is dropped once a later block is known. */
export function withAnchors(known: readonly Anchor[], seen: readonly Anchor[]): Anchor[] {
  const byHeight = new Map([...known, ...seen].map((anchor) => [anchor.height, anchor]));
  const sorted = [...byHeight.values()].sort((left, right) => (left.height < right.height ? -1 : 1));
  // Every chain of a network may be built from the same genesis block, so it identifies little.
  const telling = sorted.length > 1 ? sorted.filter(({ height }) => height > 0n) : sorted;
  const [lowest, ...rest] = telling;
  return lowest === undefined ? [] : [lowest, ...rest.slice(1 - MAX_ANCHORS)];
}

/** A chain that stays below blocks seen before for this long counts as restored from a backup. */
const BEHIND_MS = 45_000;

/**
 * Decides which chain the upstreams follow. The known chain stays while an upstream has it, unless most responding
 * upstreams follow another one, or the preferred upstream does and had never responded before.
 */
export function verdictOn(chain: ChainIdentity, sightings: readonly Sighting[], nowMs: number): Verdict {
  const same = sightings.filter((sighting) => sighting.kind === "same");
  const others = sightings.filter((sighting) => sighting.kind === "other");
  const behind = sightings.filter((sighting) => sighting.kind === "behind");
  const largest = largestGroup(others);
  const [first] = largest;
  const isOverruled = chain.isProvisional && first?.upstream === 0;
  if (first !== undefined && behind.length === 0 && (largest.length > same.length || isOverruled))
    return { kind: "replaced", chainId: first.chainId, anchors: first.anchors };
  const strangers = others.map(({ upstream }) => upstream);
  if (same.length > 0) {
    const anchors = same.reduce<readonly Anchor[]>((known, seen) => withAnchors(known, seen.anchors), chain.anchors);
    const isProvisional = chain.isProvisional && !same.some(({ upstream }) => upstream === 0);
    return { kind: "same", chain: { ...chain, anchors, isProvisional, behindSinceMs: null }, strangers };
  }
  const [lowest] = behind;
  const sinceMs = lowest === undefined ? null : (chain.behindSinceMs ?? nowMs);
  if (lowest !== undefined && sinceMs !== null && nowMs - sinceMs >= BEHIND_MS)
    return { kind: "replaced", chainId: chain.chainId, anchors: lowest.anchors };
  // After a backward clock step, count from now on.
  const behindSinceMs = sinceMs !== null && sinceMs > nowMs ? nowMs : sinceMs;
  return { kind: "undecided", chain: { ...chain, behindSinceMs }, strangers };
}

type Other = Extract<Sighting, { kind: "other" }>;

/** The upstreams that share the most frequent chain id; on a tie, the group of the operator's preferred one. */
function largestGroup(others: readonly Other[]): readonly Other[] {
  const groups = others.map((first) => others.filter(({ chainId }) => chainId === first.chainId));
  return groups.reduce<readonly Other[]>((largest, group) => (group.length > largest.length ? group : largest), []);
}

function hashAt(anchors: readonly Anchor[], height: bigint): string | undefined {
  return anchors.find((anchor) => anchor.height === height)?.hash;
}

/** The chain of most upstreams, on a tie of the operator's preferred one; null when none responded. */
export function firstChain(
  sightings: readonly Sighting[],
  configuredChainId: number | null,
): { readonly chain: ChainIdentity; readonly strangers: readonly number[] } | null {
  const seen = sightings.filter((sighting) => sighting.kind === "other");
  const [first] = largestGroup(
    seen.filter(({ chainId }) => configuredChainId === null || chainId === configuredChainId),
  );
  if (first === undefined) return null;
  const isProvisional = configuredChainId === null && !seen.some(({ upstream }) => upstream === 0);
  const anchors = withAnchors([], first.anchors);
  const chain = { epoch: 0, chainId: first.chainId, anchors, isProvisional, behindSinceMs: null };
  const isOther = ({ chainId, anchors: own }: Other): boolean =>
    chainId !== first.chainId || own.some(({ height, hash }) => hash !== (hashAt(anchors, height) ?? hash));
  return { chain, strangers: seen.filter(isOther).map(({ upstream }) => upstream) };
}

export function serializeChain({ anchors, ...rest }: ChainIdentity): string {
  return JSON.stringify({ ...rest, anchors: anchors.map(({ height, hash }) => [height.toString(), hash]) });
}

/** Undefined when the text is damaged. */
export function deserializeChain(text: string): ChainIdentity | undefined {
  const stored = parseJson(text);
  if (!isRecord(stored) || !Array.isArray(stored["anchors"])) return undefined;
  const { epoch, chainId, isProvisional, behindSinceMs } = stored;
  if (typeof epoch !== "number" || typeof chainId !== "number" || typeof isProvisional !== "boolean") return undefined;
  const anchors = stored["anchors"].flatMap((pair: unknown) => readAnchor(pair));
  return {
    epoch,
    chainId,
    isProvisional,
    anchors,
    behindSinceMs: typeof behindSinceMs === "number" ? behindSinceMs : null,
  };
}

function readAnchor(pair: unknown): Anchor[] {
  const [text, hash] = Array.isArray(pair) ? pair : [];
  const height = typeof text === "string" ? parseU64(text) : undefined;
  return height === undefined || typeof hash !== "string" ? [] : [{ height, hash }];
}
