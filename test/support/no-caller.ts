import type { Admission } from "../../src/http/handler.ts";

/** Counts nothing and has shown nobody anything. */
export const NO_CALLER: Admission = {
  knownRefusal: () => null,
  admit: async () => ({ refusal: null, floor: null }),
  note: async () => true,
  noteHere: () => undefined,
  shownHere: () => null,
  noteTarget: () => null,
};
