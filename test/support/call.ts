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
 * Paths of the deployment's own document: those that it lacks answer 404 with a sentence. Whether `/v1` is served. Paths
 * of its registered addresses. What its kind of schedule file serves at each path, by the table of kinds.
 */
export const { servedPaths: served, servesNode, registeredPaths, kindRows } = __DEPLOYMENT__;

export function isServed(path: string): boolean {
  return served.includes(path);
}

export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

/** One request to the Worker, by this test's own caller. Redirects are not followed. */
export async function call(method: string, path: string, init: CallInit = {}): Promise<Response> {
  // Imported by a variable, because no bundler can resolve it outside workerd.
  const platform = "cloudflare:workers";
  const { exports } = (await import(/* @vite-ignore */ platform)) as WorkerModule;
  const headers = { "CF-Connecting-IP": callerOfThisTest(), ...init.headers };
  return exports.default.fetch(
    new Request(`https://edge.test${path}`, { ...init, method, headers, redirect: "manual" }),
  );
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
