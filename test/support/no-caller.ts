import * as gateway from "../../src/gateway/no-caller.ts";
import type { RequestAdmission } from "../../src/limiter/decision.ts";

/** A request's limiter that counts and records nothing. */
export const NO_CALLER: Omit<RequestAdmission, "decision"> = {
  ...gateway.NO_CALLER,
  peek: async () => ({ admitted: true, remaining: 60, resetSeconds: 0 }),
  trace: () => null,
};
