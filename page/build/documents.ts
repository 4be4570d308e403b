import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import { hasUnlocks, type Schedule } from "../../src/supply/schedule.ts";
import type { Conditions } from "../../tools/lib/parts.ts";
import { unlockCalendar } from "./icalendar.ts";
import { servedDocument } from "./served-document.ts";
import { type ServiceLinks, withServiceLinks } from "./service-links.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Part of the history that the operator maintains: earlier days, and corrections. */
export interface PastDays {
  readonly past?: readonly unknown[] | undefined;
  readonly corrections?: readonly unknown[] | undefined;
  /** Prices of shares on earlier days. */
  readonly prices?: readonly unknown[] | undefined;
}

/**
 * Writes a deployment's documents, without whitespace, with their catalog and the calendar of unlocks. They go to
 * `documents/` in the assets folder, where the Worker reads them.
 */
export function copyDocuments(
  assetsFolder: string,
  has: Conditions,
  schedule: Schedule,
  { past = [], corrections = [], prices = [] }: PastDays = {},
  addresses: readonly RegisteredAddress[] = [],
  links: ServiceLinks = {},
): void {
  const folder = join(resolve(ROOT, assetsFolder), "documents");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, document: unknown): void =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  // Client generators need an absolute address; the Worker replaces `https://HOST` by its own origin.
  const servers = [{ url: "https://HOST", description: "This host" }];
  const node = JSON.parse(readFileSync(join(ROOT, "openapi", "node.json"), "utf8"));
  write("public", { ...withServiceLinks(servedDocument(has, addresses), links), servers });
  write("node", { ...withServiceLinks(node, links), servers });
  const catalog = CATALOG.slice(0, has.node ? 2 : 1).map((entry) => ({ ...entry, ...catalogLinks(links) }));
  write("api-catalog", { linkset: catalog });
  if (hasUnlocks(schedule)) writeFileSync(join(folder, "unlock-events.ics"), unlockCalendar(schedule));
  write("history", past);
  write("history-corrections", corrections);
  write("history-prices", prices);
}

const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";
const MANUAL = [
  { href: "https://HOST/docs/", type: "text/html" },
  { href: "https://HOST/docs/index.md", type: "text/markdown" },
];
/** Catalog of both APIs (RFC 9727). */
const CATALOG = [
  {
    anchor: "https://HOST/api/",
    "service-desc": [{ href: "https://HOST/api/openapi.json", type: OPENAPI_TYPE }],
    "service-doc": MANUAL,
    "service-meta": [{ href: "https://HOST/llms.txt", type: "text/plain" }],
    status: [{ href: "https://HOST/api/health", type: "application/json" }],
  },
  {
    anchor: "https://HOST/v1/",
    "service-desc": [{ href: "https://HOST/v1/spec.json", type: OPENAPI_TYPE }],
    "service-doc": MANUAL,
  },
];

/** Relations of the operator's terms and status page (RFC 6903, RFC 8631). */
function catalogLinks({ terms, status }: ServiceLinks): Readonly<Record<string, readonly object[]>> {
  return {
    ...(terms ? { "terms-of-service": [{ href: terms }] } : {}),
    ...(status ? { status: [{ href: "https://HOST/api/health", type: "application/json" }, { href: status }] } : {}),
  };
}
