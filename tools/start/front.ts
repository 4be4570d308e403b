import { createServer, type IncomingMessage, request as requestOf, type Server } from "node:http";
import { pipeline } from "node:stream";

/** Address at which other machines reach the runtime, which itself listens on this machine alone. */
export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  /** Port of the runtime. */
  readonly target: number;
  /** Header in which a proxy before this machine sends the caller's address; undefined: the operator has named none. */
  readonly callerHeader: string | undefined;
}

const PLATFORM_HEADER = "cf-connecting-ip";
/**
 * Header fields of one connection instead of the message (RFC 9110, section 7.6.1). `Expect` is among them, because
 * Node's server has already answered it.
 */
const HOP_BY_HOP: readonly string[] = ["connection", "keep-alive", "proxy-connection", "upgrade", "expect"];

/**
 * Passes requests to the runtime without header fields that only the platform may set. The runtime trusts
 * `CF-Connecting-IP` and obeys `MF-*`. The caller's address is that of its connection, unless the operator has named a
 * header.
 */
export async function listenInFront({ host, port, target, callerHeader }: FrontOptions): Promise<Server> {
  const isNamed = callerHeader?.toLowerCase() === PLATFORM_HEADER;
  const server = createServer((incoming, outgoing) => {
    const sent = requestOf({
      agent: false,
      host: "127.0.0.1",
      port: target,
      method: incoming.method,
      path: incoming.url,
      setHost: false,
      headers: [
        ...headersOf(incoming, (name) => !name.startsWith("mf-") && (isNamed || name !== PLATFORM_HEADER)),
        ...(isNamed ? [] : ["CF-Connecting-IP", incoming.socket.remoteAddress ?? ""]),
      ],
    });
    sent.once("response", (answer) => {
      outgoing.writeHead(
        answer.statusCode ?? 502,
        headersOf(answer, () => true),
      );
      pipeline(answer, outgoing, () => undefined);
    });
    sent.once("error", () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    // When a caller disconnects, its request ends too; a complete response is left alone.
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) sent.destroy();
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** Lists names and values in turn, as received, of the message's header fields whose lower-case name is wanted. */
function headersOf({ rawHeaders }: IncomingMessage, isWanted: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.includes(lower) && isWanted(lower)) kept.push(name, value);
  }
  return kept;
}
