import { fnv1aHex } from "../../hash/fnv1a.ts";
import { type Exchange, exchange, type SendPorts, type Transport } from "./client.ts";
import type { Upstream } from "./upstreams.ts";

interface SenderSettings {
  /** Base URLs that end in `/v1`, preferred first; empty means the embedded node. */
  readonly nodeUrls: readonly string[];
  /** One key for each URL, in the same order; "" for none. */
  readonly apiKeys: readonly string[];
  readonly fetchUrl: Transport;
  /** The embedded node; undefined where there is none. */
  readonly fetchEmbedded: Transport | undefined;
}

export interface Sender extends Pick<Upstream, "label" | "origin"> {
  readonly transport: Transport;
}

/** One sender for each upstream, in the operator's order. */
export function sendersFor({ nodeUrls, apiKeys, fetchUrl, fetchEmbedded }: SenderSettings): Sender[] {
  if (nodeUrls.length > 0)
    return nodeUrls.map((url, index) => ({
      label: `upstream-${index + 1}`,
      origin: fnv1aHex(new URL(url).origin),
      transport: overHttp(url, apiKeys[index] ?? "", fetchUrl),
    }));
  if (fetchEmbedded === undefined) return [];
  const transport: Transport = (path, init) => fetchEmbedded(`http://node/v1${path}`, init);
  return [{ label: "embedded", origin: "embedded", transport }];
}

function overHttp(baseUrl: string, key: string, fetchUrl: SenderSettings["fetchUrl"]): Transport {
  const secret = key === "" ? {} : { Authorization: `Bearer ${key}` };
  return (path, init) =>
    fetchUrl(baseUrl + path, { ...init, headers: { ...init.headers, ...secret }, cache: "no-store" });
}

/** Exchanges over the connections of the calling request. */
export function exchangeOver(senders: readonly Sender[], ports: SendPorts): Exchange {
  return async (index, ...sent) => {
    const sender = senders[index];
    if (sender === undefined) throw new RangeError(`no upstream has the index ${index}`);
    return exchange(sender.transport, ports, ...sent);
  };
}
