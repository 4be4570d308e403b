import { lookup } from "node:dns/promises";
import { connect } from "node:tls";

const CONNECT_MS = 10_000;
const CERTIFICATE_DAYS = 14;

/** State of the connection to a host. */
interface Connection {
  /** Reason why no request is possible: the name does not resolve, or the certificate is not valid; null: nothing does. */
  readonly problem: string | null;
  /** A certificate that expires soon; null: none does. */
  readonly warning: string | null;
}

const refused = (problem: string): Connection => ({ problem, warning: null });

/** Connects to a host and reads its certificate. */
export async function connectionTo({ protocol, hostname, port }: URL, nowMs: number): Promise<Connection> {
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ""));
  } catch {
    return refused(`the name ${hostname} does not resolve; check the domain's DNS and the spelling`);
  }
  if (protocol === "http:") return { problem: null, warning: null };
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: CONNECT_MS });
    const done = (connection: Connection) => {
      socket.destroy();
      resolve(connection);
    };
    const warningNow = () => certificateWarning(socket.getPeerCertificate().valid_to, nowMs);
    socket.on("secureConnect", () => done({ problem: null, warning: warningNow() }));
    socket.on("timeout", () => done(refused(`no TLS connection to ${hostname} within ${CONNECT_MS / 1000} s`)));
    socket.on("error", (cause) => done(refused(`no TLS connection to ${hostname}: ${cause.message}`)));
  });
}

/** Warns of a certificate that expires soon, which the platform should have renewed already; null: it is renewed. */
export function certificateWarning(validTo: string, nowMs: number): string | null {
  const days = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  if (!(days < CERTIFICATE_DAYS)) return null;
  return `the certificate expires in ${days} days and has not been renewed; check the zone's edge certificates`;
}
