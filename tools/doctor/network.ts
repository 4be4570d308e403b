import { lookup } from "node:dns/promises";
import { connect } from "node:tls";

const CONNECT_MS = 10_000;
const CERTIFICATE_DAYS = 14;

/** Problems between this machine and the host before any request: its name, its certificate. */
export async function networkProblems({ protocol, hostname, port }: URL, nowMs: number): Promise<string[]> {
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ""));
  } catch {
    return [`the name ${hostname} does not resolve; check the domain's DNS, or for a typing error`];
  }
  if (protocol === "http:") return [];
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: CONNECT_MS });
    const done = (problems: string[]) => {
      socket.destroy();
      resolve(problems);
    };
    socket.on("secureConnect", () => done(certificateProblems(socket.getPeerCertificate().valid_to, nowMs)));
    socket.on("timeout", () => done([`no TLS connection to ${hostname} within ${CONNECT_MS / 1000} s`]));
    socket.on("error", (cause) => done([`no TLS connection to ${hostname}: ${cause.message}`]));
  });
}

/** A certificate that expires soon has not been renewed. */
export function certificateProblems(validTo: string, nowMs: number): string[] {
  const days = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  if (!(days < CERTIFICATE_DAYS)) return [];
  return [`the certificate ends in ${days} days and has not been renewed; look at the zone's edge certificates`];
}
