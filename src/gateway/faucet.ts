import type { Handler } from "../http/handler.ts";
import type { GatewayRoute } from "./handlers.ts";
import type { ReadBody } from "./request/body.ts";

/** Where the faucet reports its health; clients that expect a faucet with its own URL are given this one. */
const FAUCET_BASE = "/faucet";
export const FAUCET_PATHS: readonly string[] = [FAUCET_BASE, "/faucet/fund", "/faucet/mint", "/fund", "/mint"];

/** One request to the embedded node, by path and query. */
export type CallFaucet = (path: string, init: RequestInit) => Promise<Response>;

const MAX_BODY_BYTES = 65_536;

/** The faucet's routes, proxied: health at its base, `mint` (no body) and `fund` at the base and at the root. */
export function faucetRoutes(call: CallFaucet, readBody: ReadBody): GatewayRoute[] {
  return FAUCET_PATHS.map((path) => {
    const hasBody = path.endsWith("/fund");
    return path === FAUCET_BASE
      ? { method: "GET" as const, path, handler: ({ path: target }) => pass(call, target, { method: "GET" }) }
      : { method: "POST" as const, path, handler: hasBody ? withBody(call, readBody) : withoutBody(call) };
  });
}

function withoutBody(call: CallFaucet): Handler {
  return ({ path, query }) => pass(call, `${path}?${query}`, { method: "POST" });
}

function withBody(call: CallFaucet, readBody: ReadBody): Handler {
  return async ({ request, path, query }) => {
    const body = await readBody(request, { maxBytes: MAX_BODY_BYTES, mayStream: false });
    if ("kind" in body) return body;
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "application/json" };
    return pass(call, `${path}?${query}`, {
      method: "POST",
      headers,
      body: body instanceof Uint8Array ? body : body.stream,
    });
  };
}

async function pass(call: CallFaucet, target: string, init: RequestInit): Promise<Awaited<ReturnType<Handler>>> {
  const answer = await call(target, init);
  const headers = {
    "Content-Type": answer.headers.get("Content-Type") ?? "application/json",
    "Cache-Control": "no-store",
  };
  return { kind: "reply", status: answer.status, headers, body: new Uint8Array(await answer.arrayBuffer()) };
}
