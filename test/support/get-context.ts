import type { AdmittedContext } from "../../src/admission.ts";
import { CURRENT_VERSION } from "../../src/http/api-version.ts";
import { NO_CALLER } from "./no-caller.ts";

interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
}

/** Makes the context in which a handler gets a GET of a path with its query. */
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
