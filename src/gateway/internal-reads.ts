import { JSON_TYPE } from "../chain/media-types.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { ReadView, ViewCall } from "../chain/view.ts";
import { parseJson } from "../json.ts";
import type { Region } from "../placement/location-hint.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewayContext } from "./gateway-ports.ts";
import { NO_CALLER } from "./no-caller.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { VIEW } from "./request/endpoints.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

/** Views without a caller, for figures read from the chain. */
export function readViewOver(gateway: Gateway, region: () => Region): ReadView {
  return async (call) => {
    const request = await canonicalRequest(viewRequest(call));
    if ("kind" in request) return { kind: "refused", status: request.status };
    const result = await gateway.answer(request, contextIn(region()));
    if (result.kind !== "served") return { kind: "unavailable" };
    const { value, ageMs } = result;
    await value.large?.stream.cancel();
    const values = value.status === 200 ? parseJson(new TextDecoder().decode(value.body)) : undefined;
    if (!Array.isArray(values)) return { kind: "refused", status: value.status };
    const ledgerVersion = value.ledger?.version ?? null;
    return { kind: "returned", values, ledgerVersion, ageSeconds: Math.floor(ageMs / 1_000) };
  };
}

function viewRequest(call: ViewCall): Parameters<typeof canonicalRequest>[0] {
  const body = { function: call.function, type_arguments: call.typeArguments, arguments: call.arguments };
  return {
    endpoint: VIEW,
    params: {},
    query: call.ledgerVersion === null ? "" : `ledger_version=${call.ledgerVersion}`,
    accept: JSON_TYPE,
    contentType: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

/** Reads the ledger like a caller in that region. */
export async function readTip(gateway: Gateway, region: Region): Promise<TipRead> {
  const result = await gateway.answer(LEDGER_INFO, contextIn(region));
  if (result.kind !== "served" || result.value.status !== 200) return "unavailable";
  return result.source === "stale" ? "stale" : "current";
}

function contextIn(region: Region): GatewayContext {
  return { region, admission: NO_CALLER, minVersion: null, requestId: "internal", waitUntil: () => undefined };
}
