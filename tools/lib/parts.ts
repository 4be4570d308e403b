import type { Config } from "../../src/config.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import { firstChain, type TokenChain } from "../../src/families/token-chain.ts";
import type { Capabilities } from "../../src/figures.ts";
import { capabilitiesOf, type SettingsCapabilities, settingsCapabilities } from "../../src/supply/capabilities.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "./command-line.ts";

/** Parts that a deployment has by its settings; the build follows them and the schedule. */
export interface Parts extends SettingsCapabilities {
  /** Whether `/v1` is served. */
  readonly node: boolean;
  /** Chains of the token, the first one first. */
  readonly chains: readonly [TokenChain, ...TokenChain[]];
}

/** Conditions of pages and documents, by what a deployment has. */
export type Conditions = Readonly<Record<keyof Capabilities | "node", boolean>> & {
  /** Family of the first chain. */
  readonly family: ChainFamily;
};

/** Parts of a start without settings: the whole product on one machine. */
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

/** Returns the conditions of pages and documents for a deployment with these parts and this schedule. */
export function conditionsOf(parts: Parts, schedule: Schedule): Conditions {
  return { ...capabilitiesOf(parts, schedule), node: parts.node, family: parts.chains[0].family };
}

/** Names of the missing parts, separated by commas, as the build takes them from another process. */
export function missingPartsText(parts: Parts): string {
  return names()
    .filter((name) => !parts[name])
    .join();
}

/** Returns the parts without the named ones; throws a {@link Refusal} for an unknown name. */
export function partsWithout(text: string, chains = ALL_PARTS.chains): Parts {
  const missing = text.split(",").filter((name) => name !== "");
  const unknown = missing.filter((name) => !names().some((known) => known === name));
  if (unknown.length > 0)
    throw new Refusal([`--without: has ${unknown.join(", ")}; it takes ${names().join(", ")}, separated by commas`]);
  const left = names().map((name) => [name, !missing.includes(name)] as const);
  return { ...ALL_PARTS, ...Object.fromEntries(left), chains };
}

function names() {
  const { chains: _chains, ...parts } = ALL_PARTS;
  return Object.keys(parts) as (keyof typeof parts)[];
}
