import * as admission from "../../src/admission.ts";
import type { RequestAdmission } from "../../src/limiter/edge-limiter.ts";

/** Admission of a request that counts and records nothing. */
export const NO_CALLER: Omit<RequestAdmission, "decision"> = {
  ...admission.NO_CALLER,
  peek: async () => ({ admitted: true, remaining: 60, resetSeconds: 0 }),
  trace: () => null,
};
