import { parseU64 } from "../../chain/integer.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { KnownChain } from "./pool.ts";

/** A block by which the chain is recognized. */
export interface Checkpoint {
  readonly height: bigint;
  readonly hash: string;
}

/** What identifies a chain: its id and the hashes of some of its blocks, lowest first. Persisted. */
export interface ChainIdentity extends KnownChain {
  readonly checkpoints: readonly Checkpoint[];
  /** Learned while the preferred upstream did not respond; once it does, it decides. */
  readonly isProvisional: boolean;
  /** Since when every responding upstream has been below blocks seen before; null while one is not. */
  readonly behindSinceMs: number | null;
}

/** The first block after genesis and the two newest blocks seen. */
const MAX_CHECKPOINTS = 3;

/** Adds newer checkpoints: keeps the lowest and the newest. Genesis is dropped once a later block is known. */
export function withCheckpoints(known: readonly Checkpoint[], seen: readonly Checkpoint[]): Checkpoint[] {
  const byHeight = new Map([...known, ...seen].map((checkpoint) => [checkpoint.height, checkpoint]));
  const sorted = [...byHeight.values()].sort((left, right) => (left.height < right.height ? -1 : 1));
  // Every chain of a network may be built from the same genesis block, so it identifies little.
  const identifying = sorted.length > 1 ? sorted.filter(({ height }) => height > 0n) : sorted;
  const [lowest, ...rest] = identifying;
  return lowest === undefined ? [] : [lowest, ...rest.slice(1 - MAX_CHECKPOINTS)];
}

export function serializeChain({ checkpoints, ...rest }: ChainIdentity): string {
  return JSON.stringify({ ...rest, checkpoints: checkpoints.map(({ height, hash }) => [height.toString(), hash]) });
}

/** Undefined when the text is damaged. */
export function deserializeChain(text: string): ChainIdentity | undefined {
  const stored = parseJson(text);
  if (!isRecord(stored) || !Array.isArray(stored["checkpoints"])) return undefined;
  const { epoch, chainId, isProvisional, behindSinceMs } = stored;
  if (typeof epoch !== "number" || typeof chainId !== "number" || typeof isProvisional !== "boolean") return undefined;
  const checkpoints = stored["checkpoints"].flatMap((pair: unknown) => deserializeCheckpoint(pair));
  return {
    epoch,
    chainId,
    isProvisional,
    checkpoints,
    behindSinceMs: typeof behindSinceMs === "number" ? behindSinceMs : null,
  };
}

function deserializeCheckpoint(pair: unknown): Checkpoint[] {
  const [text, hash] = Array.isArray(pair) ? pair : [];
  const height = typeof text === "string" ? parseU64(text) : undefined;
  return height === undefined || typeof hash !== "string" ? [] : [{ height, hash }];
}
