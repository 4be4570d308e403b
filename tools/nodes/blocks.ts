/** Block with its begin and its last ledger version. */
export interface Block {
  readonly height: number;
  readonly atMs: number;
  readonly lastVersion: bigint;
}

export interface Blocks {
  /** Note on how the range is known, where it is not certain. */
  readonly note?: string;
  readonly oldest: number;
  readonly newest: number;
  /** Reads a block; null when the node does not have it, or has pruned it. */
  readonly at: (height: number) => Promise<Block | null>;
}

const DEADLINE_MS = 30_000;

type Headers = Readonly<Record<string, string>>;

/** Reads the blocks of a chain node by its base URL. Rejects when the node does not report its range of blocks. */
export async function blocksOf(base: string, headers: Headers = {}): Promise<Blocks> {
  const ledger = await getJson(base, headers);
  const [oldest, newest] = [Number(ledger?.["oldest_block_height"]), Number(ledger?.["block_height"])];
  if (!Number.isInteger(oldest) || !Number.isInteger(newest))
    throw new Error("the node does not report which blocks it has");
  return {
    oldest,
    newest,
    at: async (height) => {
      const block = await getJson(`${base}/blocks/by_height/${height}`, headers);
      const [timestamp, last] = [block?.["block_timestamp"], block?.["last_version"]];
      if (typeof timestamp !== "string" || typeof last !== "string") return null;
      return { height, atMs: Number(BigInt(timestamp) / 1000n), lastVersion: BigInt(last) };
    },
  };
}

/**
 * Finds the first block at or after an instant; null when there is none, or when the node lacks the blocks before it.
 */
export async function firstBlockFrom(blocks: Blocks, instantMs: number): Promise<Block | null> {
  let [low, high] = [blocks.oldest, blocks.newest];
  // The oldest available block may not be the first after the instant, because earlier ones may be pruned. A block is
  // the first only if the one before it is earlier than the instant.
  const oldest = await blocks.at(low);
  if (oldest === null || oldest.atMs >= instantMs) return null;
  let found: Block | null = null;
  while (low < high) {
    const middle = low + Math.floor((high - low + 1) / 2);
    const block = await blocks.at(middle);
    if (block === null) return null;
    if (block.atMs >= instantMs) {
      found = block;
      high = middle - 1;
    } else low = middle;
  }
  return found;
}

/** Reads a JSON object of a chain node; undefined for any other response. Rejects when there is no response. */
export async function getJson(
  url: string,
  headers: Headers = {},
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) });
  const body: unknown = response.ok ? await response.json() : undefined;
  return typeof body === "object" && body !== null ? { ...body } : undefined;
}
