import { concatBytes } from "../chain/bytes.ts";
import { collect } from "../http/body.ts";
import type { Handler } from "../http/handler.ts";

interface FaucetRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: Handler;
}

/** Where the faucet reports its health; clients that expect a faucet with its own URL are given this one. */
const FAUCET_BASE = "/faucet";
export const FAUCET_PATHS: readonly string[] = [FAUCET_BASE, "/faucet/fund", "/faucet/mint", "/fund", "/mint"];

/** One request to the embedded node, by path and query. */
export type CallFaucet = (path: string, init: RequestInit) => Promise<Response>;

const MAX_BODY_BYTES = 65_536;

/** The embedded node's faucet, proxied: health at its base, `mint` (no body) and `fund` at the base and at the root. */
export function faucetRoutes(call: CallFaucet): FaucetRoute[] {
  return FAUCET_PATHS.map((path) => {
    if (path === FAUCET_BASE) return { method: "GET", path, handler: () => pass(call, path, { method: "GET" }) };
    const handler: Handler = path.endsWith("/fund")
      ? withBody(call)
      : ({ query }) => pass(call, `${path}?${query}`, { method: "POST" });
    return { method: "POST", path, handler };
  });
}

function withBody(call: CallFaucet): Handler {
  return async ({ request, path, query }) => {
    const chunks = await collect(request, MAX_BODY_BYTES, request.signal, () => undefined).catch(() => undefined);
    if (chunks === undefined)
      return {
        kind: "invalid_input",
        message: `the body did not arrive whole, or has more than ${MAX_BODY_BYTES} bytes`,
      };
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "application/json" };
    return pass(call, `${path}?${query}`, { method: "POST", headers, body: concatBytes(chunks) });
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
