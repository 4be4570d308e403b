import type { AdmittedRoute } from "../../admission.ts";
import { concatBytes } from "../../chain/bytes.ts";
import { JSON_TYPE } from "../../chain/media-types.ts";
import { collect } from "../../http/body.ts";
import type { Failure } from "../../http/failure.ts";

/**
 * Path at which the faucet reports its health; clients that expect a faucet with a URL of its own are given this one.
 */
const FAUCET_BASE = "/faucet";
export const FAUCET_PATHS: readonly string[] = [FAUCET_BASE, "/faucet/fund", "/faucet/mint", "/fund", "/mint"];

/** Calls the embedded node, by path and query. */
export type CallFaucet = (path: string, init: RequestInit) => Promise<Response>;

const MAX_BODY_BYTES = 65_536;
const UNREADABLE_BODY: Failure = {
  kind: "invalid_input",
  message: `the body did not arrive whole, or has more than ${MAX_BODY_BYTES} bytes`,
};

/** Routes of the embedded node's faucet: health at its base, `mint` and `fund` at the base and at the root. */
export function faucetRoutes(call: CallFaucet): AdmittedRoute[] {
  return FAUCET_PATHS.map((path) => {
    const method = path === FAUCET_BASE ? "GET" : "POST";
    const handler: AdmittedRoute["handler"] = async ({ request, query }) => {
      const chunks = await collect(request, MAX_BODY_BYTES, request.signal, () => undefined).catch(() => undefined);
      if (chunks === undefined) return UNREADABLE_BODY;
      const body = method === "GET" ? null : concatBytes(chunks);
      const target = query === "" ? path : `${path}?${query}`;
      const answer = await call(target, { method, headers: { "Content-Type": typeOf(request) }, body });
      const headers = { "Content-Type": typeOf(answer), "Cache-Control": "no-store" };
      return { kind: "reply", status: answer.status, headers, body: new Uint8Array(await answer.arrayBuffer()) };
    };
    return { method, path, handler };
  });
}

function typeOf({ headers }: Request | Response): string {
  return headers.get("Content-Type") ?? JSON_TYPE;
}
