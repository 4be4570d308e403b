import { parseHash } from "../../chain/hash-value.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { NodeRequest } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { ChainIdentity, Checkpoint } from "./chain-identity.ts";
import { LEDGER_INFO, type UpstreamPorts } from "./pool.ts";
import { suspect } from "./probe.ts";
import type { Upstream } from "./state.ts";
import type { UpstreamResult } from "./upstream-result.ts";

/** A read may wait for this, so it is no longer than a probe's. */
const DEADLINE_MS = 1_500;

/** The result of comparing one upstream with the known chain. */
export interface ChainObservation {
  /**
   * `other`: another chain id, or another block at the height of a checkpoint. `behind`: below blocks seen before, as
   * when it lags or was restored from a backup.
   */
  readonly kind: "same" | "other" | "behind";
  /** Its index. */
  readonly upstream: number;
  readonly ledger: Ledger;
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Compares one upstream with the known chain; when none is known, its chain counts as another. Null when it does not
 * respond. Never rejects.
 */
export async function observeChain(
  upstream: Upstream,
  chain: ChainIdentity | null,
  ports: UpstreamPorts,
): Promise<ChainObservation | null> {
  const read = (request: NodeRequest) => ports.send(upstream.index, request, upstream.state.dialect, DEADLINE_MS);
  const blockAt = async (height: bigint): Promise<Checkpoint[]> =>
    checkpointOf(height, await read(blockRequest(height)));
  const info = await read(LEDGER_INFO);
  const ledger = info.kind === "response" ? info.response.ledger : null;
  if (ledger === null) {
    // The reads that wait for this go to another upstream first.
    suspect(upstream, ports);
    return null;
  }
  const observed = async (kind: ChainObservation["kind"], heights: readonly bigint[]): Promise<ChainObservation> => {
    const checkpoints = (await Promise.all(heights.map(blockAt))).flat();
    return { kind, upstream: upstream.index, ledger, checkpoints };
  };
  if (chain === null || ledger.chainId !== chain.chainId) return observed("other", ends(ledger));
  const { blockHeight, oldestBlockHeight } = ledger;
  const isThere = ({ height }: Checkpoint): boolean => height >= oldestBlockHeight && height <= blockHeight;
  const newest = chain.checkpoints.findLast(isThere);
  if (newest !== undefined) {
    const [found] = await blockAt(newest.height);
    if (found === undefined) return null;
    if (found.hash !== newest.hash) return observed("other", ends(ledger));
  }
  const kind = chain.checkpoints.some(({ height }) => height > blockHeight) ? "behind" : "same";
  if (newest !== undefined && blockHeight <= newest.height) return observed(kind, []);
  return observed(kind, chain.checkpoints.length < 2 ? ends(ledger) : [blockHeight]);
}

/** Heights of its first block after genesis (or the oldest it has) and of its newest. */
function ends({ blockHeight, oldestBlockHeight }: Ledger): bigint[] {
  const first = oldestBlockHeight > 1n ? oldestBlockHeight : 1n;
  return first < blockHeight ? [first, blockHeight] : [blockHeight];
}

/** Empty when the upstream did not return the block. */
function checkpointOf(height: bigint, result: UpstreamResult): Checkpoint[] {
  if (result.kind !== "response" || result.response.status !== 200) return [];
  const body = parseJson(new TextDecoder().decode(result.response.body));
  const text = isRecord(body) ? body["block_hash"] : undefined;
  const hash = typeof text === "string" ? parseHash(text) : undefined;
  return hash === undefined ? [] : [{ height, hash }];
}

function blockRequest(height: bigint): NodeRequest {
  const path = `/blocks/by_height/${height}`;
  const params = { block_height: height.toString() };
  return { ...LEDGER_INFO, endpoint: "block_by_height", path, key: `GET ${path} json `, params };
}
