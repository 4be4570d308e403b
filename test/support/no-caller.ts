import type { RequestAdmission } from "../../src/limiter/decision.ts";

/** Counts nothing and has shown nobody anything. */
export const NO_CALLER: Omit<RequestAdmission, "decision"> = {
  knownRefusal: () => null,
  mayReadAhead: () => true,
  admit: async () => ({ refusal: null, floor: null }),
  note: async () => true,
  noteHere: () => undefined,
  seenHere: () => null,
  noteTarget: () => null,
  trace: () => null,
};
