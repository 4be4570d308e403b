import type { Admission } from "../http/handler.ts";

/** For internal reads: nothing is counted or recorded. */
export const NO_CALLER: Admission = {
  knownRefusal: () => null,
  mayReadAhead: () => true,
  admit: async () => ({ refusal: null, floor: null }),
  note: async () => true,
  noteHere: () => undefined,
  seenHere: () => null,
  noteTarget: () => null,
};
