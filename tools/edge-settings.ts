import { type Config, parseConfig } from "../src/config.ts";
import { assetsOf } from "../src/holdings/assets.ts";

export type EdgeSettings =
  | { readonly kind: "config"; readonly config: Config }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** The settings as the edge reads them, or all reasons why it would refuse to serve with them. */
export function edgeSettings(settings: Readonly<Record<string, unknown>>): EdgeSettings {
  const parsed = parseConfig(settings);
  if (parsed.kind === "problems") return parsed;
  const assets = assetsOf(parsed.config);
  return "problems" in assets ? { kind: "problems", problems: assets.problems } : parsed;
}
