import type { AdmittedContext } from "../../src/admission.ts";
import { CURRENT_VERSION } from "../../src/http/api-version.ts";
import { NO_CALLER } from "./no-caller.ts";

interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
}

/** One GET of a path, with its query if it has one, as a handler gets it. */
export function getContext(target: string, { headers = {}, params = {}, nowMs = 0 }: More = {}): AdmittedContext {
  const [path = "", query = ""] = target.split("?");
  const request = new Request(`https://edge.example${target}`, { headers });
  const rest = {
    params,
    version: CURRENT_VERSION,
    nowMs,
    requestId: "1",
    admission: NO_CALLER,
    waitUntil: () => undefined,
  };
  return { request, method: "GET", path, query, ...rest };
}
