import type { FileError } from "../../base/file/file-errors.ts";
import { tokenText, wholeTokens } from "../../chain/amount.ts";
import { type Capabilities, FIGURES, unitOf, whyNotOffered } from "../../figures.ts";
import { MANUAL_PATH } from "../../http/manual-path.ts";
import { isRounded } from "../../supply/figure-format.ts";
import type { Schedule } from "../../supply/schedule.ts";
import { type AddressUnits, figuresOf, type RegisteredAddress } from "../registered-address.ts";

/** Paths of a deployment besides the registered ones. */
export interface Surroundings {
  /** Documented query parameters, by path, of our paths without path parameters. */
  readonly documented: ReadonlyMap<string, readonly string[]>;
  /** Our paths with parameters in them, such as `/api/rates/{id}`. */
  readonly patterns: readonly string[];
  /** Names of the page's files in its folder. */
  readonly files: readonly string[];
  /** Patterns of the paths that reach the Worker, for each environment. */
  readonly workerFirst: readonly (readonly string[])[];
}

/** Number of patterns of `run_worker_first` that the platform allows. */
const MAX_PATTERNS = 100;

/** Paths that no entry may use. A path that ends in a slash reserves everything below it. */
const RESERVED: readonly (readonly [path: string, whose: string])[] = [
  ["/v1/", "the chain node's interface"],
  ["/.well-known/", "where programs look for documents"],
  ["/badge/", "kept for badges"],
  ["/cdn-cgi/", "the platform's own"],
  ["/faucet/", "the embedded node's faucet"],
  ["/mint", "the embedded node's faucet"],
  ["/fund", "the embedded node's faucet"],
  [`${MANUAL_PATH}/`, "the manual"],
  ["/assets/", "the page's files"],
  ["/documents/", "the page's files"],
  ["/api/health", "the health of the deployment"],
  ["/api/page", "what the page reads"],
  ["/api/page/history", "what the page reads"],
  ["/feed.atom", "the feed"],
  ["/llms.txt", "the list of documents"],
  ["/robots.txt", "for crawlers"],
  ["/sitemap.xml", "for crawlers"],
];

/** Files of every page, beside those of its public folder. */
export const PAGE_FILES: readonly string[] = [
  "index.html",
  "404.html",
  "verify.html",
  "embed/chart.html",
  "embed.js",
  "preview.png",
  "favicon.ico",
  "apple-touch-icon.png",
  "schedule/native.json",
  "_headers",
];

/** Finds entries whose path something else uses. */
export function surroundingErrors(entries: readonly RegisteredAddress[], surroundings: Surroundings): FileError[] {
  const conflicts = entries.flatMap((entry, index) => {
    const message = conflictOf(entry, surroundings);
    return message === undefined ? [] : [{ path: `addresses[${index}].path`, message }];
  });
  const most = Math.max(0, ...surroundings.workerFirst.map((patterns) => routedPatterns(entries, patterns).length));
  if (most <= MAX_PATTERNS) return conflicts;
  const message = `lead to ${most} patterns of run_worker_first with ours, and the platform allows ${MAX_PATTERNS}; put addresses below /api, which need none`;
  return [...conflicts, { path: "addresses", message }];
}

function conflictOf(
  { path, query }: RegisteredAddress,
  { documented, patterns, files }: Surroundings,
): string | undefined {
  const whose = RESERVED.find(([reserved]) =>
    reserved.endsWith("/") ? `${path}/`.startsWith(reserved) : path === reserved,
  );
  if (whose !== undefined) return `${path} is reserved: ${whose[1]}`;
  const pattern = patterns.find((each) => isPattern(each).test(path));
  if (pattern !== undefined) return `${path} is a path of ours, by ${pattern}`;
  const file = files.find((name) => filePaths(name).includes(path));
  if (file !== undefined) return `${path} is a file of the page, ${file}`;
  const parameters = documented.get(path);
  if (parameters === undefined) return undefined;
  if (query === null) return `${path} is a path of ours: an entry on it must have a query`;
  return parameters.includes(query.name)
    ? `${path} is a path of ours that has a parameter ${query.name} of its own: an entry on it must use another one`
    : undefined;
}

function isPattern(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replaceAll(/[.+()$]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/** Lists the paths at which the platform serves a file. An HTML file is served without its ending too. */
function filePaths(name: string): readonly string[] {
  const path = `/${name}`;
  if (!path.endsWith(".html")) return [path];
  const bare = path.slice(0, -".html".length);
  return bare.endsWith("/index") ? [path, bare, bare.slice(0, -"index".length)] : [path, bare, `${bare}/`];
}

/** Returns the patterns of an environment, with a pattern for each path that none of them covers. */
export function routedPatterns(
  entries: readonly Pick<RegisteredAddress, "path">[],
  patterns: readonly string[],
): readonly string[] {
  const isCovered = (path: string): boolean =>
    patterns.some((pattern) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
  return [...new Set([...patterns, ...entries.map(({ path }) => path).filter((path) => !isCovered(path))])];
}

/**
 * Finds figures that a deployment does not have, and numbers that JSON readers would round. Without a maximum the size
 * of a number is not known, so it is refused when it is served.
 */
export function figureErrors(
  entries: readonly RegisteredAddress[],
  capabilities: Capabilities,
  { maxSupply, token }: Pick<Schedule, "maxSupply" | "token">,
): FileError[] {
  const greatest: Readonly<Record<AddressUnits, string>> = {
    tokens: wholeTokens(maxSupply ?? 0n, token.decimals),
    exact: tokenText(maxSupply ?? 0n, token.decimals),
    base_units: String(maxSupply ?? 0n),
  };
  return entries.flatMap(({ body }, index) =>
    figuresOf(body).flatMap(({ figure, units, isNumber }): FileError[] => {
      const row = FIGURES.find(({ name }) => name === figure);
      const why = row === undefined ? null : whyNotOffered(row, capabilities);
      const path = `addresses[${index}]`;
      if (why !== null) return [{ path, message: `${figure} is not offered by this deployment. ${why}` }];
      const counts = row?.source !== "stable" && unitOf({ name: figure }) === undefined;
      if (!isNumber || !counts || !isRounded(greatest[units])) return [];
      const message = `${figure} may be as great as ${greatest[units]}, which JSON readers round: give it as text (plain, result, base_units; a member as string)`;
      return [{ path, message }];
    }),
  );
}
