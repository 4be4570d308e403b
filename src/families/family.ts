import type { FamilyDefinition } from "./definition.ts";
import { EVM } from "./evm/family.ts";
import { MOVE } from "./move/family.ts";

/** The families of chains. A further one is a folder beside this file and a row here, in the tools' and in the page's table. */
export const FAMILIES = { move: MOVE, evm: EVM } as const satisfies Readonly<Record<string, FamilyDefinition>>;

/** Name of a family, by which addresses, assets and nodes are read. */
export type ChainFamily = keyof typeof FAMILIES;

export const FAMILY_NAMES = Object.keys(FAMILIES) as readonly ChainFamily[]; // the table's own keys

/** The family of a chain of which nothing says it. */
export const DEFAULT_FAMILY: ChainFamily = "move";

/** The definition of a family. */
export function familyOf(family: ChainFamily): FamilyDefinition {
  return FAMILIES[family];
}
