import type { FamilyDefinition } from "./definition.ts";
import { EVM } from "./evm/family.ts";
import { MOVE } from "./move/family.ts";

/**
 * Families of chains. To add one, add a folder beside this file and three rows: here, in
 * `tools/nodes/families.ts` and in `page/src/verify/family.ts`.
 */
export const FAMILIES = { move: MOVE, evm: EVM } as const satisfies Readonly<Record<string, FamilyDefinition>>;

/** Name of a family, which decides how addresses and assets are parsed and how nodes are called. */
export type ChainFamily = keyof typeof FAMILIES;

export const FAMILY_NAMES = Object.keys(FAMILIES) as readonly ChainFamily[]; // the table's own keys

/** Family of a chain when neither schedule nor settings state it. */
export const DEFAULT_FAMILY: ChainFamily = "move";

/** Returns the definition of a family. */
export function familyOf(family: ChainFamily): FamilyDefinition {
  return FAMILIES[family];
}
