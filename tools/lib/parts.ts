import type { Config } from "../../src/config.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import { firstChain, type TokenChain } from "../../src/families/token-chain.ts";
import type { Capabilities } from "../../src/figures.ts";
import { capabilitiesOf, type SettingsCapabilities, settingsCapabilities } from "../../src/supply/capabilities.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "./command-line.ts";

/** What the settings decide that a deployment has: everything that is built follows it, and the schedule. */
export interface Parts extends SettingsCapabilities {
  /** `/v1` is served. */
  readonly node: boolean;
  /** Every chain of the token, the first one first. */
  readonly chains: readonly [TokenChain, ...TokenChain[]];
}

/** All that a deployment has, as the conditions of pages name it. */
export type Has = Readonly<Record<keyof Capabilities | "node", boolean>> & {
  /** Of the first chain. */
  readonly family: ChainFamily;
};

/** As without settings: the whole product on one machine. */
export const ALL_PARTS: Parts = {
  chain: true,
  node: true,
  stableToken: true,
  staking: true,
  yields: true,
  everyChain: true,
  chains: [firstChain(undefined, {})],
};

export function partsOf(config: Config): Parts {
  const [first, ...further] = config.chains;
  return {
    ...settingsCapabilities(config),
    node: config.servesNode,
    chains: [first.chain, ...further.map(({ chain }) => chain)],
  };
}

/** Of these parts with a schedule. */
export function hasOf(parts: Parts, schedule: Schedule): Has {
  return { ...capabilitiesOf(parts, schedule), node: parts.node, family: parts.chains[0].family };
}

/** The missing parts as the build takes them from another process: their names, separated by commas. */
export function withoutText(parts: Parts): string {
  return names()
    .filter((name) => !parts[name])
    .join();
}

/** The parts that are left without the named ones; throws a {@link Refusal} for an unknown name. */
export function partsWithout(text: string, chains = ALL_PARTS.chains): Parts {
  const missing = text.split(",").filter((name) => name !== "");
  const unknown = missing.filter((name) => !names().some((known) => known === name));
  if (unknown.length > 0)
    throw new Refusal([`--without: has ${unknown.join(", ")}; known are ${names().join(", ")}, separated by commas`]);
  const left = names().map((name) => [name, !missing.includes(name)] as const);
  return { ...ALL_PARTS, ...Object.fromEntries(left), chains };
}

function names() {
  const { chains: _chains, ...parts } = ALL_PARTS;
  return Object.keys(parts) as (keyof typeof parts)[];
}
