import "./started-workers.js";
import { expect } from "vitest";

declare const __DEPLOYMENT__: {
  readonly baseUrl: string;
  readonly isShort: boolean;
  readonly versionOverride: string;
  readonly hasStarted: boolean;
  readonly servedPaths: readonly string[];
  readonly servesNode: boolean;
};
const { versionOverride } = __DEPLOYMENT__;

/** The deployment that the contract suite tests; undefined when it runs inside workerd. */
export const baseUrl: string | undefined = __DEPLOYMENT__.baseUrl.replace(/\/$/, "") || undefined;

/** Somebody waits for this run over HTTP: what does not depend on the deployment is left to the tests inside workerd. */
export const isShort: boolean = __DEPLOYMENT__.isShort;

/** Whether the deployment's schedule has begun. Before, its figures of the present answer 503 and name the start. */
export const { hasStarted } = __DEPLOYMENT__;

/** Paths of the deployment's own document: those that it lacks answer 404 with a sentence. Whether `/v1` is served. */
export const { servedPaths: served, servesNode } = __DEPLOYMENT__;

export function isServed(path: string): boolean {
  return served.includes(path);
}

export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
  /** The test is about the limit: a 429 is a valid response, over HTTP too. */
  readonly limited?: boolean;
}

/** One request to the product, in workerd or over HTTP, by this test's own caller. Redirects are not followed. */
export async function call(method: string, path: string, init: CallInit = {}): Promise<Response> {
  const { limited = false, ...rest } = init;
  if (baseUrl === undefined) {
    const headers = { "CF-Connecting-IP": callerOfThisTest(), ...init.headers };
    return workerFetch(new Request(`https://edge.test${path}`, { ...rest, method, headers, redirect: "manual" }));
  }
  // Over HTTP every test is the same caller, so a refused request waits for the quota, as any client should.
  // A connection of its own for each request: the server may close an idle one just when it is used again.
  const version = versionOverride === "" ? {} : { "Cloudflare-Workers-Version-Overrides": versionOverride };
  const headers = { ...init.headers, ...version, Connection: "close" };
  for (;;) {
    const response = await fetch(`${baseUrl}${path}`, { ...rest, method, headers, redirect: "manual" });
    // To the end, whatever a test reads: a server that closes the connection meanwhile would fail the client.
    const body = await response.arrayBuffer();
    if (response.status !== 429 || limited)
      return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers });
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get("Retry-After") ?? "1") * 1000));
  }
}

async function workerFetch(request: Request): Promise<Response> {
  // Imported by a variable, because no bundler can resolve it outside workerd.
  const platform = "cloudflare:workers";
  const { exports } = (await import(/* @vite-ignore */ platform)) as WorkerModule;
  return exports.default.fetch(request);
}

/** The used part of the platform's module, whose own types need a generated Env. */
interface WorkerModule {
  readonly exports: { readonly default: { fetch(request: Request): Promise<Response> } };
}

/** An address in 10.0.0.0/8 from the running test's file and name. */
function callerOfThisTest(): string {
  const { testPath, currentTestName } = expect.getState();
  let hash = 7;
  for (const char of `${testPath} ${currentTestName}`) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  return `10.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}`;
}
