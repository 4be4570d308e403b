import { integerIn } from "../src/base/settings.ts";
import { FAMILY_NAMES } from "../src/families/family.ts";
import type { FirstChainSettings } from "../src/families/token-chain.ts";
import { readWranglerFile } from "./wrangler-file.ts";

/** Reads the settings of the token's first chain. An invalid value counts as absent here; src/config.ts refuses it. */
export function firstSettings(settings: Readonly<Record<string, unknown>>): FirstChainSettings {
  const text = (name: string): string => String(settings[name] ?? "").trim();
  return {
    family: FAMILY_NAMES.find((each) => each === text("CHAIN_FAMILY")),
    chainId: integerIn(text("CHAIN_ID"), 1, Number.MAX_SAFE_INTEGER),
    asset: text("NATIVE_ASSET") || undefined,
  };
}

/**
 * Reads the first chain's settings in wrangler.toml: production's, and for what they leave out, the start's. `given`
 * wins over both.
 */
export function firstInFile(given: Readonly<Record<string, string>> = {}): FirstChainSettings {
  const { env, vars } = readWranglerFile();
  const deployed = Object.entries(env?.["production"]?.vars ?? {}).filter(([, value]) => value !== "");
  return firstSettings({ ...vars, ...Object.fromEntries(deployed), ...given });
}
