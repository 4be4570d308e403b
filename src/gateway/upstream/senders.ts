import type { Config } from "../../config.ts";
import { httpSender, type SendPorts, type Transport, type TransportInit } from "./client.ts";
import { poolOf, type UpstreamPool } from "./pool.ts";
import { upstreamAt } from "./state.ts";
import type { Exchange, Send } from "./upstream-result.ts";

export interface SenderPorts extends Omit<SendPorts, "transport"> {
  /** Base URLs that end in `/v1`, preferred first; empty means the embedded node. */
  readonly nodeUrls: readonly string[];
  readonly apiKey: string | undefined;
  readonly fetchUrl: (url: string, init: TransportInit & { readonly cache: "no-store" }) => Promise<Response>;
  /** The embedded node; undefined where there is none. */
  readonly fetchEmbedded: ((url: string, init: TransportInit) => Promise<Response>) | undefined;
}

export interface LabelledSender {
  readonly label: string;
  readonly send: Send;
}

/** The `User-Agent` sent to upstreams: name, revision and the page about this deployment. */
export function userAgentOf({ buildRevision, contactUrl }: Pick<Config, "buildRevision" | "contactUrl">): string {
  const product = `edge-api/${buildRevision.replace(/[^\w.-]/g, "")}`;
  if (contactUrl === null) return product;
  // A comment of the field ends at its parenthesis (RFC 9110 section 5.6.5).
  return `${product} (+${new URL(contactUrl).href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

/** One sender per upstream, in the operator's order. */
export function upstreamSenders(ports: SenderPorts): LabelledSender[] {
  const { nodeUrls, fetchEmbedded } = ports;
  const [preferred] = nodeUrls;
  if (preferred !== undefined)
    return nodeUrls.map((url, index) => ({
      label: `upstream-${index + 1}`,
      send: httpSender({ ...ports, transport: overHttp(url, keyFor(url, preferred, ports.apiKey), ports.fetchUrl) }),
    }));
  if (fetchEmbedded === undefined) return [];
  const transport: Transport = (path, init) => fetchEmbedded(`http://node/v1${path}`, init);
  return [{ label: "embedded", send: httpSender({ ...ports, transport }) }];
}

/** The key belongs to the operator of the preferred upstream and is sent to no other host. */
function keyFor(url: string, preferred: string, key: string | undefined): string | undefined {
  return key !== "" && new URL(url).host === new URL(preferred).host ? key : undefined;
}

function overHttp(baseUrl: string, key: string | undefined, fetchUrl: SenderPorts["fetchUrl"]): Transport {
  const secret = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return (path, init) =>
    fetchUrl(baseUrl + path, { ...init, headers: { ...init.headers, ...secret }, cache: "no-store" });
}

/** Exchanges over the connections of the calling request. */
export function exchangeOver(senders: readonly LabelledSender[]): Exchange {
  return async (index, ...exchange) => {
    const sender = senders[index];
    if (sender === undefined) throw new RangeError(`no upstream has the index ${index}`);
    return sender.send(...exchange);
  };
}

/** The upstreams of these senders, of which nothing is known yet. */
export function poolOver(senders: readonly LabelledSender[]): UpstreamPool {
  const upstreams = senders.map(({ label }, index) => upstreamAt(index, label));
  return poolOf(upstreams, null);
}
