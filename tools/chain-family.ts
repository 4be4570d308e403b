import type { ChainFamily } from "../src/chain/asset.ts";
import { Refusal } from "./lib/command-line.ts";
import { readWranglerFile } from "./wrangler-file.ts";

export const FAMILIES = ["move", "evm"] as const satisfies readonly ChainFamily[];
const SETTING = "CHAIN_FAMILY";

/**
 * The family of the chain of this checkout's schedule. Its file does not say it, because an address of an EVM chain is a
 * Move address too: the environment variable CHAIN_FAMILY does, else the settings in wrangler.toml.
 */
export function chainFamily(): ChainFamily {
  return familyNamed(SETTING, process.env[SETTING] || settingInFile(SETTING) || "move");
}

/** Makes it the family of this process and of those that it starts: a command is given other settings than the file's. */
export function useChainFamily(name: string): void {
  process.env[SETTING] = familyNamed(SETTING, name);
}

/** `what` names it. Throws a {@link Refusal} for any other word. */
export function familyNamed(what: string, name: string): ChainFamily {
  const family = FAMILIES.find((each) => each === name.trim());
  if (family === undefined) throw new Refusal([`${what}: must be ${FAMILIES.join(" or ")}, not ${name}`]);
  return family;
}

/** A setting of wrangler.toml, of production or else of a start; "" without it. */
export function settingInFile(name: string): string {
  const { env, vars } = readWranglerFile();
  return String(env?.["production"]?.vars?.[name] ?? vars?.[name] ?? "");
}
