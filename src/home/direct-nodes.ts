import { isRecord } from "../base/json.ts";
import { ENDPOINTS, type EndpointId } from "../chain/endpoints.ts";
import { parseUnsigned } from "../chain/integer.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { ResourceCall, ViewCall, ViewResult } from "../chain/view.ts";
import type { AnsweringNode } from "../families/chain-node.ts";
import type { NodeReads } from "../families/move/move-node.ts";
import type { Ledger } from "../gateway/model/ledger.ts";
import { canonicalRequest } from "../gateway/request/canonical-request.ts";
import type { UpstreamPorts } from "../gateway/upstream/upstreams.ts";
import { reportedHead } from "./upstream-reports.ts";

/** An upstream that has just reported its newest ledger. Its reads go to this node only, without caches or failover. */
export interface DirectNode extends NodeReads, Pick<AnsweringNode, "timeOf"> {
  readonly label: string;
  readonly ledger: Ledger;
}

const DEADLINE_MS = 3_000;

/**
 * Lists the upstreams that answered their last probe, in the operator's order. A node that is contradicted or behind is
 * included: it may be the honest one of two, and no node's report excludes another node.
 */
export function directNodes(
  { pool, send, now }: Pick<UpstreamPorts, "pool" | "send" | "now">,
  isOver: () => boolean,
): DirectNode[] {
  return pool.upstreams.flatMap((upstream) => {
    const { label, index, state } = upstream;
    const { reported: ledger } = state;
    if (ledger === null || reportedHead(upstream, now()) === null) return [];
    const read = async (call: RequestInput, valuesIn: (body: unknown) => unknown): Promise<ViewResult> => {
      if (isOver()) return { kind: "unavailable" };
      const request = await canonicalRequest(call);
      if ("kind" in request) return { kind: "refused", status: request.status };
      const result = await send(index, request, upstream.state.dialect, DEADLINE_MS);
      // A refusal by a proxy or a plan, or a failure of the node, says nothing about the chain.
      if (result.kind === "error" || result.classification.kind === "failed") return { kind: "unavailable" };
      const { status, body, large, ledger: at } = result.response;
      await large?.stream.cancel();
      // Several nodes may share one address; this response came from a node of another chain.
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

type RequestInput = Parameters<typeof canonicalRequest>[0];

function viewRequest(call: ViewCall): RequestInput {
  const body = { function: call.function, type_arguments: call.typeArguments, arguments: call.arguments };
  return {
    ...requestOf("view", call.ledgerVersion),
    contentType: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

function resourceRequest({ address, type, ledgerVersion }: ResourceCall): RequestInput {
  return { ...requestOf("account_resource", ledgerVersion), params: { address, resource_type: type } };
}

function blockRequest(version: bigint): RequestInput {
  return { ...requestOf("block_by_version", null), params: { version: String(version) } };
}

function blockTimeIn(body: unknown): unknown {
  return isRecord(body) ? [body["block_timestamp"]] : undefined;
}

/** Parses microseconds to milliseconds; null for anything else. */
function timeIn(result: ViewResult): number | null {
  const [micros] = result.kind === "returned" ? result.values : [];
  const time = typeof micros === "string" ? parseUnsigned(micros, "u64") : undefined;
  return time === undefined ? null : Number(time / 1_000n);
}

function requestOf(id: EndpointId, ledgerVersion: bigint | null): RequestInput {
  const endpoint = ENDPOINTS.find((each) => each.id === id);
  if (endpoint === undefined) throw new RangeError(`no endpoint ${id}`);
  const query = ledgerVersion === null ? "" : `ledger_version=${ledgerVersion}`;
  return { endpoint, params: {}, query, accept: JSON_TYPE, contentType: null, body: null };
}
