import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { closing, listening } from "./listening.ts";

/** Answer on its way back, which a {@link Tamper} changes in place. */
export interface Passing {
  status: number;
  readonly headers: Headers;
  body: string;
  /** Number of characters of the body after which the connection ends; below 0: before the head. */
  cutAt?: number;
}

/** Changes an answer as a proxy, a zone setting or a broken node would. Returns whether it changed anything. */
export type Tamper = (path: string, request: IncomingHttpHeaders, answer: Passing) => boolean | Promise<boolean>;

export interface TamperingProxy {
  readonly url: string;
  /** Applies a change to every answer from now on; returns a counter of changed answers. */
  readonly use: (tamper: Tamper, removedRequestHeader?: string) => () => number;
  readonly close: () => Promise<void>;
}

/** Starts a proxy before a product or a node, over real HTTP. */
export async function startTamperingProxy(target: string): Promise<TamperingProxy> {
  let tamper: Tamper = () => false;
  let removed: string | undefined;
  let count = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === "string" && !["host", "connection", "content-length", removed].includes(name))
        headers.set(name, value);
    const sent = await buffer(request);
    const from = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      ...(sent.length === 0 ? {} : { body: new Uint8Array(sent) }),
      redirect: "manual",
    });
    const answer: Passing = { status: from.status, headers: new Headers(from.headers), body: await from.text() };
    for (const name of ["content-length", "content-encoding", "transfer-encoding", "connection"])
      answer.headers.delete(name);
    if (await tamper(request.url ?? "", request.headers, answer)) count += 1;
    const { cutAt } = answer;
    if (cutAt !== undefined && cutAt < 0) return void request.socket.destroy();
    response.sendDate = false;
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (cutAt !== undefined) return void response.write(answer.body.slice(0, cutAt), () => request.socket.destroy());
    response.end(answer.status === 304 || answer.status === 204 ? undefined : answer.body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  return {
    url: await listening(server),
    use: (next, removedRequestHeader) => {
      [tamper, removed, count] = [next, removedRequestHeader, 0];
      return () => count;
    },
    close: () => closing(server),
  };
}
