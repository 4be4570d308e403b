import { parseConfig } from "../src/config.ts";
import { assetsOf } from "../src/supply/asset.ts";

/** All reasons why the edge would refuse to serve with these settings. */
export function edgeProblems(settings: Readonly<Record<string, unknown>>): readonly string[] {
  const parsed = parseConfig(settings);
  if (parsed.kind === "problems") return parsed.problems;
  const assets = assetsOf(parsed.config);
  return "problems" in assets ? assets.problems : [];
}
