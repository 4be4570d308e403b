import { describe, expect, test } from "vitest";
import { isTransient, meaningOfStatus, type UnexpectedStatusMeaning } from "../../../src/http/status-meaning.ts";

const of = (status: number): UnexpectedStatusMeaning => meaningOfStatus(status, null);
const REFUSALS = [301, 302, 307, 400, 401, 402, 403, 404, 405, 406, 407, 413, 414, 415, 421, 426, 431, 451];

describe("a status of an upstream that is not its own answer", () => {
  test.each(REFUSALS)("%d is a refusal", (status) => {
    expect(of(status)).toBe("refused");
  });

  // Statuses of a balancer (408, 499), TLS (425), nginx (444), Cloudflare (52x), and of nobody (418, 599).
  test.each([408, 425, 499, 444, 418, 420, 520, 521, 522, 523, 524, 525, 526, 530, 598, 599])(
    "%d is silence, which may pass",
    (status) => {
      expect(of(status)).toBe("silent");
      expect(isTransient(of(status))).toBe(true);
    },
  );

  test("429 is a limit, a 503 only when it names a time", () => {
    expect([of(429), meaningOfStatus(503, 8_000), of(503)]).toEqual(["throttled", "throttled", "unavailable"]);
  });

  test("every other status has one reading, and none of an error is a verdict unless it is listed", () => {
    for (let status = 200; status < 600; status += 1) {
      const isListed = (status >= 300 && status < 400) || REFUSALS.includes(status);
      expect(of(status) === "refused", String(status)).toBe(isListed);
      expect(of(status) === "invalid", String(status)).toBe(status < 300);
    }
  });
});
