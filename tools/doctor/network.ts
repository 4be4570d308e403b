import { lookup } from "node:dns/promises";
import { connect } from "node:tls";

const CONNECT_MS = 10_000;
const CERTIFICATE_DAYS = 14;

/** Finds problems that prevent any request: the host's name does not resolve, or its certificate is not valid. */
export async function networkProblems({ protocol, hostname, port }: URL, nowMs: number): Promise<string[]> {
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ""));
  } catch {
    return [`the name ${hostname} does not resolve; check the domain's DNS and the spelling`];
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

/** Reports a certificate that expires soon: the platform should have renewed it already. */
export function certificateProblems(validTo: string, nowMs: number): string[] {
  const days = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  if (!(days < CERTIFICATE_DAYS)) return [];
  return [`the certificate expires in ${days} days and has not been renewed; check the zone's edge certificates`];
}
