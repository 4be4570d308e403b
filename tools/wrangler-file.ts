import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { Refusal } from "./lib/command-line.ts";
import type { WorkerConfig } from "./lib/worker-config.ts";

/** Content of a wrangler.toml that the tools read. */
export interface WranglerFile extends WorkerConfig {
  readonly env?: Readonly<Record<string, WranglerSection>>;
  readonly build?: { readonly command?: string };
  readonly [key: string]: unknown;
}

/** Section of one environment. */
export interface WranglerSection {
  readonly ratelimits?: readonly CoarseLimit[];
  readonly analytics_engine_datasets?: readonly { readonly binding: string; readonly dataset?: string }[];
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly secrets?: { readonly required?: readonly string[] };
  readonly [key: string]: unknown;
}

export interface CoarseLimit {
  readonly name: string;
  readonly simple: { readonly limit: number; readonly period: number };
}

const EDGE = join(import.meta.dirname, "..", "wrangler.toml");

/** Reads a wrangler.toml, by default the edge's, as wrangler does. Throws a {@link Refusal} for invalid TOML. */
export function readWranglerFile(path = EDGE): WranglerFile {
  try {
    // wrangler validates the members before anything is deployed.
    return parse(readFileSync(path, "utf8")) as WranglerFile;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.split("\n");
    throw new Refusal([`${basename(path)}, line ${error.line}, column ${error.column}: ${reason}`]);
  }
}

/** Address of a deployment: its custom domain, otherwise the first https address that wrangler reported; null: none. */
export function addressOf(config: Readonly<Record<string, unknown>>, reported: readonly string[]): string | null {
  const routes = Array.isArray(config["routes"]) ? (config["routes"] as readonly unknown[]) : [];
  const domain = routes.flatMap((route) =>
    typeof route === "object" && route !== null && "custom_domain" in route && route.custom_domain === true
      ? "pattern" in route && typeof route.pattern === "string"
        ? [route.pattern]
        : []
      : [],
  )[0];
  if (domain !== undefined) return `https://${domain}`;
  const target = reported.find((each) => each.startsWith("https://"));
  return target === undefined ? null : new URL(target).origin;
}

/** Writes the name as an SQL table's: `edge-api-production` writes into `edge_api_production`. */
export function datasetOf({ name }: WranglerSection): string {
  return String(name).replaceAll("-", "_");
}
