import type { Exchange } from "../gateway/upstream/client.ts";

/** Connections that the platform lets a Durable Object have while they wait for headers. */
const CONNECTIONS = 6;

/**
 * Limits the calls of readings to the connections that the probes of `nodes` nodes leave, at least two. The next call
 * goes to the node with the fewest calls under way, so that a slow node does not block the others. The deadline of a
 * call starts when it is sent.
 */
export function withConnectionLimit(send: Exchange, nodes: number): Exchange {
  const limit = Math.max(2, CONNECTIONS - nodes);
  const waiting: { readonly index: number; readonly start: () => void }[] = [];
  const underWay: number[] = [];
  const underWayAt = (index: number): number => underWay.filter((each) => each === index).length;
  return async (index, ...sent) => {
    if (underWay.length === limit) await new Promise<void>((start) => waiting.push({ index, start }));
    else underWay.push(index);
    try {
      return await send(index, ...sent);
    } finally {
      underWay.splice(underWay.indexOf(index), 1);
      const [next] = [...waiting].sort((left, right) => underWayAt(left.index) - underWayAt(right.index));
      if (next !== undefined) {
        waiting.splice(waiting.indexOf(next), 1);
        underWay.push(next.index);
        next.start();
      }
    }
  };
}
