/** Whether a log tells of a limiter object that was late, after which an isolate keeps its own order and quota alone. */
export const wasLimiterLate = (log: string): boolean =>
  /"event":"limiter_unreachable"[^\n]*"cause":"deadline"/.test(log);
