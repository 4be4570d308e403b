import { NO_CALLER } from "../admission.ts";
import { VIEW } from "../chain/endpoints.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { ConfirmView, ReadView, ViewCall } from "../chain/view.ts";
import { parseJson } from "../json.ts";
import type { Region } from "../placement/location-hint.ts";
import type { Gateway, GatewayContext } from "./isolate.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { exclusionOf, LEDGER_INFO, type UpstreamPorts } from "./upstream/upstreams.ts";

/** Views without a caller, for figures read from the chain. */
export function readViewOver(gateway: Gateway, region: () => Region): ReadView {
  return async (call) => {
    const request = await canonicalRequest(viewRequest(call));
    if ("kind" in request) return { kind: "refused", status: request.status };
    const result = await gateway.answer(request, contextIn(region()));
    if (result.kind !== "found") return { kind: "unavailable" };
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
  if (result.kind !== "found" || result.value.status !== 200) return "unavailable";
  return result.source === "stale" ? "stale" : "current";
}

function contextIn(region: Region): GatewayContext {
  return { region, admission: NO_CALLER, requestId: "internal", waitUntil: () => undefined };
}

const CONFIRM_DEADLINE_MS = 3_000;

/** Calls each upstream that is not excluded itself, past every cache. */
export function confirmViewOver({
  pool: { upstreams },
  send,
  now,
}: Pick<UpstreamPorts, "pool" | "send" | "now">): ConfirmView {
  return async (call, ledgerVersion) => {
    const request = await canonicalRequest(viewRequest({ ...call, ledgerVersion }));
    if ("kind" in request) return [];
    const callable = upstreams.filter(({ state }) => exclusionOf(state, now()) === null);
    const answers = await Promise.all(
      callable.map(({ index, state }) => send(index, request, state.dialect, CONFIRM_DEADLINE_MS)),
    );
    return answers.flatMap((answer) => {
      if (answer.kind === "error" || answer.response.status !== 200) return [];
      const values = parseJson(new TextDecoder().decode(answer.response.body));
      return Array.isArray(values) ? [values] : [];
    });
  };
}
