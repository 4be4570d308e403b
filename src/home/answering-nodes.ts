import { isRecord } from "../base/json.ts";
import { ENDPOINTS, type EndpointId } from "../chain/endpoints.ts";
import { parseUnsigned } from "../chain/integer.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { ResourceCall, ViewCall, ViewResult } from "../chain/view.ts";
import type { AnsweringNode as Answering } from "../families/chain-node.ts";
import type { NodeReads } from "../families/move/move-node.ts";
import type { Ledger } from "../gateway/model/ledger.ts";
import { canonicalRequest } from "../gateway/request/canonical-request.ts";
import type { UpstreamPorts } from "../gateway/upstream/upstreams.ts";
import { reportedHead } from "./upstream-reports.ts";

/** An upstream that has just reported its newest ledger, and what it alone says: past every cache, without failover. */
export interface AnsweringNode extends NodeReads, Pick<Answering, "timeOf"> {
  readonly label: string;
  readonly ledger: Ledger;
}

const DEADLINE_MS = 3_000;

/**
 * The upstreams whose last probe was answered, in the operator's order. One whose ledger is not believed, or
 * contradicted, is among them: of two it may be the honest one. So is one that is behind: what another one reports of the
 * present excludes no node.
 */
export function answeringNodes(
  { pool, send, now }: Pick<UpstreamPorts, "pool" | "send" | "now">,
  isOver: () => boolean,
): AnsweringNode[] {
  return pool.upstreams.flatMap((upstream) => {
    const { label, index, state } = upstream;
    const { reported: ledger } = state;
    if (ledger === null || reportedHead(upstream, now()) === null) return [];
    const read = async (call: NodeCall, valuesIn: (body: unknown) => unknown): Promise<ViewResult> => {
      if (isOver()) return { kind: "unavailable" };
      const request = await canonicalRequest(call);
      if ("kind" in request) return { kind: "refused", status: request.status };
      const result = await send(index, request, upstream.state.dialect, DEADLINE_MS);
      // What a proxy or a plan refuses, and the node's own failure, are no words about the chain.
      if (result.kind === "error" || result.classification.kind === "failed") return { kind: "unavailable" };
      const { status, body, large, ledger: at } = result.response;
      await large?.stream.cancel();
      // Another chain's, behind one address with the one that was probed.
      if (at !== null && at.chainId !== ledger.chainId) return { kind: "unavailable" };
      const values = status === 200 ? valuesIn(parseJsonBytes(body)) : undefined;
      if (!Array.isArray(values)) return { kind: "refused", status };
      return { kind: "returned", values, ledgerVersion: at?.version ?? null };
    };
    return [
      {
        label,
        ledger,
        readView: (call) => read(viewRequest(call), (body) => body),
        readResource: (call) => read(resourceRequest(call), (body) => (isRecord(body) ? [body["data"]] : undefined)),
        timeOf: async (version) => timeIn(await read(blockRequest(version), blockTimeIn)),
      },
    ];
  });
}

type NodeCall = Parameters<typeof canonicalRequest>[0];

function viewRequest(call: ViewCall): NodeCall {
  const body = { function: call.function, type_arguments: call.typeArguments, arguments: call.arguments };
  return {
    ...requestOf("view", call.ledgerVersion),
    contentType: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

function resourceRequest({ address, type, ledgerVersion }: ResourceCall): NodeCall {
  return { ...requestOf("account_resource", ledgerVersion), params: { address, resource_type: type } };
}

function blockRequest(version: bigint): NodeCall {
  return { ...requestOf("block_by_version", null), params: { version: String(version) } };
}

function blockTimeIn(body: unknown): unknown {
  return isRecord(body) ? [body["block_timestamp"]] : undefined;
}

/** null for anything but microseconds. */
function timeIn(result: ViewResult): number | null {
  const [micros] = result.kind === "returned" ? result.values : [];
  const time = typeof micros === "string" ? parseUnsigned(micros, "u64") : undefined;
  return time === undefined ? null : Number(time / 1_000n);
}

function requestOf(id: EndpointId, ledgerVersion: bigint | null): NodeCall {
  const endpoint = ENDPOINTS.find((each) => each.id === id);
  if (endpoint === undefined) throw new RangeError(`no endpoint ${id}`);
  const query = ledgerVersion === null ? "" : `ledger_version=${ledgerVersion}`;
  return { endpoint, params: {}, query, accept: JSON_TYPE, contentType: null, body: null };
}
