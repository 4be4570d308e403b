import type { Admission } from "../http/handler.ts";

/** For reads without a caller: nothing is counted, nobody has been shown anything. */
export const NO_CALLER: Admission = {
  knownRefusal: () => null,
  mayReadAhead: () => true,
  admit: async () => ({ refusal: null, floor: null }),
  note: async () => true,
  noteHere: () => undefined,
  seenHere: () => null,
  noteTarget: () => null,
};
