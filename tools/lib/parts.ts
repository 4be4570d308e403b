import { type Asset, type ChainFamily, NATIVE_COIN } from "../../src/chain/asset.ts";
import type { Config } from "../../src/config.ts";
import type { Capabilities } from "../../src/figures.ts";
import { capabilitiesOf, type SettingsCapabilities, settingsCapabilities } from "../../src/supply/capabilities.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "./command-line.ts";

/** What the settings decide that a deployment has: everything that is built follows it, and the schedule. */
export interface Parts extends SettingsCapabilities {
  /** `/v1` is served. */
  readonly node: boolean;
  /** Of the chain that is read. */
  readonly family: ChainFamily;
  /** The token on it; null: none is read. */
  readonly asset: Asset | null;
}

/** All that a deployment has, as the conditions of pages name it. */
export type Has = Readonly<Record<keyof Capabilities | "node", boolean>> & Pick<Parts, "family">;

/** As without settings: the whole product on one machine. */
export const ALL_PARTS: Parts = {
  chain: true,
  node: true,
  stableToken: true,
  staking: true,
  yields: true,
  everyChain: true,
  family: "move",
  asset: { kind: "coin", type: NATIVE_COIN },
};

export function partsOf(config: Config): Parts {
  const { assets, chain, chainFamily: family, servesNode: node } = config;
  return { ...settingsCapabilities(config), node, family, asset: chain === "none" ? null : assets.native };
}

/** Of these parts with a schedule. */
export function hasOf(parts: Parts, schedule: Schedule): Has {
  return { ...capabilitiesOf(parts, schedule), node: parts.node, family: parts.family };
}

/** The missing parts as the build takes them from another process: their names, separated by commas. */
export function withoutText(parts: Parts): string {
  return names()
    .filter((name) => !parts[name])
    .join();
}

/** The parts that are left without the named ones; throws a {@link Refusal} for an unknown name. */
export function partsWithout(
  text: string,
  family: ChainFamily = "move",
  asset = family === "move" ? ALL_PARTS.asset : null,
): Parts {
  const missing = text.split(",").filter((name) => name !== "");
  const unknown = missing.filter((name) => !names().some((known) => known === name));
  if (unknown.length > 0)
    throw new Refusal([`--without: has ${unknown.join(", ")}; known are ${names().join(", ")}, separated by commas`]);
  const left = names().map((name) => [name, !missing.includes(name)] as const);
  return { ...ALL_PARTS, ...Object.fromEntries(left), family, asset: missing.includes("chain") ? null : asset };
}

function names() {
  const { family: _family, asset: _asset, ...parts } = ALL_PARTS;
  return Object.keys(parts) as (keyof typeof parts)[];
}
