import { parseHash } from "../../chain/hash-value.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { NodeRequest } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { ChainIdentity, ChainObservation, Checkpoint } from "./chain-identity.ts";
import { LEDGER_INFO, type UpstreamPorts } from "./pool.ts";
import { suspect } from "./probe.ts";
import type { Upstream } from "./state.ts";

/** A read may wait for this, so it is no longer than a probe's. */
const DEADLINE_MS = 1_500;

/** Compares one upstream with the known chain; when none is known, its chain counts as another. Never rejects. */
export async function observeChain(
  upstream: Upstream,
  chain: ChainIdentity | null,
  ports: UpstreamPorts,
): Promise<ChainObservation> {
  const { index } = upstream;
  const ledger = await ledgerOf(upstream, ports);
  if (ledger === null) {
    // The reads that wait for this go to another upstream first.
    suspect(upstream, ports);
    return { kind: "unknown", upstream: index };
  }
  const blockAt = (height: bigint): Promise<Checkpoint | null> => readCheckpoint(upstream, height, ports);
  const other = async (): Promise<ChainObservation> => {
    const checkpoints = await checkpointsAt(ends(ledger), blockAt);
    return { kind: "other", upstream: index, ledger, chainId: ledger.chainId, checkpoints };
  };
  if (chain === null || ledger.chainId !== chain.chainId) return other();
  const { blockHeight, oldestBlockHeight } = ledger;
  const isThere = ({ height }: Checkpoint): boolean => height >= oldestBlockHeight && height <= blockHeight;
  const newest = chain.checkpoints.findLast(isThere);
  if (newest !== undefined) {
    const found = await blockAt(newest.height);
    if (found === null) return { kind: "unknown", upstream: index };
    if (found.hash !== newest.hash) return other();
  }
  const isBehind = chain.checkpoints.some(({ height }) => height > blockHeight);
  const isNew = newest === undefined || blockHeight > newest.height;
  const checkpoints = isNew
    ? await checkpointsAt(chain.checkpoints.length < 2 ? ends(ledger) : [blockHeight], blockAt)
    : [];
  return { kind: isBehind ? "behind" : "same", upstream: index, ledger, checkpoints };
}

/** Heights of its first block after genesis (or the oldest it has) and of its newest. */
function ends({ blockHeight, oldestBlockHeight }: Ledger): bigint[] {
  const first = oldestBlockHeight > 1n ? oldestBlockHeight : 1n;
  return first < blockHeight ? [first, blockHeight] : [blockHeight];
}

async function checkpointsAt(
  heights: readonly bigint[],
  blockAt: (height: bigint) => Promise<Checkpoint | null>,
): Promise<Checkpoint[]> {
  return (await Promise.all(heights.map(blockAt))).filter((checkpoint) => checkpoint !== null);
}

async function ledgerOf(upstream: Upstream, ports: UpstreamPorts): Promise<Ledger | null> {
  const result = await ports.send(upstream.index, LEDGER_INFO, upstream.state.dialect, DEADLINE_MS);
  return result.kind === "response" ? result.response.ledger : null;
}

async function readCheckpoint(upstream: Upstream, height: bigint, ports: UpstreamPorts): Promise<Checkpoint | null> {
  const result = await ports.send(upstream.index, blockRequest(height), upstream.state.dialect, DEADLINE_MS);
  if (result.kind !== "response" || result.response.status !== 200) return null;
  const body = parseJson(new TextDecoder().decode(result.response.body));
  const text = isRecord(body) ? body["block_hash"] : undefined;
  const hash = typeof text === "string" ? parseHash(text) : undefined;
  return hash === undefined ? null : { height, hash };
}

function blockRequest(height: bigint): NodeRequest {
  const path = `/blocks/by_height/${height}`;
  const params = { block_height: height.toString() };
  return { ...LEDGER_INFO, endpoint: "block_by_height", path, key: `GET ${path} json `, params };
}
