import type { Exchange } from "../gateway/upstream/client.ts";

/** The platform allows an object six connections that wait for headers; the probes of two nodes find the other two. */
const READING_CONNECTIONS = 4;

/** Sends what readings ask, four at a time in the order of the calls. The deadline of each starts when it is sent. */
export function inTurn(send: Exchange): Exchange {
  const waiting: (() => void)[] = [];
  let free = READING_CONNECTIONS;
  return async (...sent) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await send(...sent);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
