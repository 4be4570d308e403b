import { expect } from "vitest";

declare const __BASE_URL__: string;

/** The deployment that the contract suite asks; undefined when it runs inside workerd. */
export const baseUrl: string | undefined = __BASE_URL__ === "" ? undefined : __BASE_URL__.replace(/\/$/, "");

/** Over HTTP every test is the same caller: after the last admission of a window the next request waits for more. */
let waitUntilMs = 0;

/** One request to the product, wherever it runs, by a caller that no other test is. Redirects are answers. */
export async function ask(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: BodyInit } = {},
) {
  if (baseUrl === undefined) {
    const headers = { "CF-Connecting-IP": callerOfThisTest(), ...init.headers };
    return workerFetch(new Request(`https://edge.test${path}`, { ...init, method, headers, redirect: "manual" }));
  }
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitUntilMs - Date.now())));
  const response = await fetch(`${baseUrl}${path}`, { ...init, method, redirect: "manual" });
  const [, remaining, seconds] = /;r=(\d+);t=(\d+)$/.exec(response.headers.get("RateLimit") ?? "") ?? [];
  if (remaining === "0") waitUntilMs = Date.now() + Number(seconds) * 1000;
  return response;
}

async function workerFetch(request: Request): Promise<Response> {
  // Named through a variable: outside workerd no bundler can resolve it.
  const platform = "cloudflare:workers";
  const { exports } = (await import(/* @vite-ignore */ platform)) as WorkerModule;
  return exports.default.fetch(request);
}

/** The part of the platform's module that is used here; its own types need a generated Env. */
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
