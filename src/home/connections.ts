import type { Exchange } from "../gateway/upstream/client.ts";

/** The platform allows an object so many connections that wait for headers. */
const CONNECTIONS = 6;

/**
 * Sends what readings ask over the connections that the probes of these nodes leave, two at least: next is the first call
 * of the node that has the fewest under way, so that a slow node does not hold the connections of another one. The
 * deadline of each call starts when it is sent.
 */
export function inTurn(send: Exchange, nodes: number): Exchange {
  const most = Math.max(2, CONNECTIONS - nodes);
  const waiting: { readonly index: number; readonly go: () => void }[] = [];
  const underWay: number[] = [];
  const countOf = (index: number): number => underWay.filter((each) => each === index).length;
  return async (index, ...sent) => {
    if (underWay.length === most) await new Promise<void>((go) => waiting.push({ index, go }));
    else underWay.push(index);
    try {
      return await send(index, ...sent);
    } finally {
      underWay.splice(underWay.indexOf(index), 1);
      const [next] = [...waiting].sort((left, right) => countOf(left.index) - countOf(right.index));
      if (next !== undefined) {
        waiting.splice(waiting.indexOf(next), 1);
        underWay.push(next.index);
        next.go();
      }
    }
  };
}
