import { FakeNode } from "./fake-node.ts";
import type { FarEdge } from "./far-edge.ts";

/** Response to a caller of a far edge. */
export interface Seen {
  readonly status: number;
  readonly version: bigint;
  readonly cache: string;
  /** Calls of the isolate for this request. */
  readonly calls: string;
  readonly text: string;
}

/** Starts a node and one that may be behind it, both of a chain that lives: else they are probed for having stalled. */
export async function livingNodes(): Promise<readonly [node: FakeNode, laggard: FakeNode]> {
  const nodes = [await FakeNode.start(), await FakeNode.start()] as const;
  for (const node of nodes) {
    node.version = 1_000n;
    node.ledgerHeaders = () => ({ "X-NODE-LEDGER-TIMESTAMPUSEC": `${Date.now()}000` });
  }
  return nodes;
}

/** Paths of so many accounts from this one on. */
export const accounts = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_none, index) => `/v1/accounts/0x${(first + index).toString(16)}`);

/** Callers of a far edge, which a test may replace. Without an address a request is of a caller of its own. */
export function callersOf(edge: () => FarEdge) {
  let caller = 0;
  const newCaller = (): string => `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller++ & 255}`;
  const get = async (isolate: number, path: string, address = newCaller(), init: RequestInit = {}): Promise<Seen> => {
    const headers = { "CF-Connecting-IP": address, "Content-Type": "application/json", ...init.headers };
    const response = await fetch(`${edge().urls[isolate % 3]}${path}`, { ...init, headers });
    return {
      status: response.status,
      version: BigInt(response.headers.get("X-NODE-LEDGER-VERSION") ?? -1),
      cache: response.headers.get("Cache-Status") ?? "",
      calls: response.headers.get("X-Far-Calls") ?? "",
      text: await response.text(),
    };
  };
  /** Reads each path, through all isolates in turn. */
  const getAll = (paths: readonly string[]): Promise<Seen[]> =>
    Promise.all(paths.map((path, index) => get(index, path)));
  return { newCaller, get, getAll };
}
