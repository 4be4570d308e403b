import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { codeBytes } from "../../../tools/bundle-worker.ts";

const addresses = (count: number): string =>
  Array.from({ length: count }, () => `"0x${randomBytes(20).toString("hex")}"`).join();

test.each([0, 1, 256, 1_024])(
  "the size of the code counts no data of an operator: %i wallets of the schedule cost no build",
  (wallets) => {
    const code = addresses(500);
    const schedule = `export const schedule = [${addresses(wallets)}];`;
    const alone = codeBytes(code, "");
    expect(alone, "the code itself counts").toBeGreaterThan(10_000);
    expect(Math.abs(codeBytes(code + schedule, schedule) - alone)).toBeLessThan(1_024);
  },
);
