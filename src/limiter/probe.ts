import { DEADLINE_MS, type LimiterPorts } from "./limiter.ts";

/** Whether the counting objects answer within their deadline. Counts nothing and writes nothing. Never rejects. */
export function limiterAnswers({ reach, later }: Pick<LimiterPorts, "reach" | "later">): Promise<boolean> {
  return new Promise((resolve) => {
    later(() => resolve(false), DEADLINE_MS);
    reach("default:world:0", "world")()
      .look("health", 1, 1)
      .then(
        () => resolve(true),
        () => resolve(false),
      );
  });
}
