import "./started-workers.js";
import { expect } from "vitest";
import type { ServedPath } from "./kinds.ts";

declare const __DEPLOYMENT__: {
  readonly servedPaths: readonly string[];
  readonly servesNode: boolean;
  readonly registeredPaths: readonly string[];
  readonly kindRows: readonly ServedPath[];
};

/**
 * Facts about the tested deployment: paths of its API document (others answer 404 with a sentence), whether it serves
 * `/v1`, and its registered addresses.
 */
export const { servedPaths: served, servesNode, registeredPaths, kindRows } = __DEPLOYMENT__;

export function isServed(path: string): boolean {
  return served.includes(path);
}

export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

/** Sends a request to the Worker, as a caller of this test alone. Redirects are not followed. */
export async function call(method: string, path: string, init: CallInit = {}): Promise<Response> {
  // The module name is a variable, because bundlers cannot resolve it outside workerd.
  const platform = "cloudflare:workers";
  const { exports } = (await import(/* @vite-ignore */ platform)) as WorkerModule;
  const headers = { "CF-Connecting-IP": callerOfThisTest(), ...init.headers };
  return exports.default.fetch(
    new Request(`https://edge.test${path}`, { ...init, method, headers, redirect: "manual" }),
  );
}

/** Used part of the platform's module, whose own types need a generated Env. */
interface WorkerModule {
  readonly exports: { readonly default: { fetch(request: Request): Promise<Response> } };
}

/** Derives an address in 10.0.0.0/8 from the running test's file and name. */
function callerOfThisTest(): string {
  const { testPath, currentTestName } = expect.getState();
  let hash = 7;
  for (const char of `${testPath} ${currentTestName}`) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  return `10.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}`;
}
