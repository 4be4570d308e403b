import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, ENVIRONMENT } from "../support/checkout.ts";
import { product } from "../support/shared-product.ts";

const NATIVE = join(CHECKOUT, "schedule", "native.json");

/** A schedule that circulates more than its maximum. */
function invalidFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), "schedule-")), "native.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(NATIVE, "utf8")), max_supply: "1" }));
  return path;
}

/** A schedule whose one wallet must hold more than the embedded chain's whole supply. */
function contradictedFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), "schedule-")), "native.json");
  const native = JSON.parse(readFileSync(NATIVE, "utf8"));
  const wallets = [{ chain: "native", address: "0xdead0001", label: "Empty", category: "treasury", holds: "account" }];
  const [first, ...others] = native.buckets;
  const buckets = [{ ...first, addresses: wallets.map(({ category: _category, ...each }) => each) }, ...others];
  writeFileSync(path, JSON.stringify({ ...native, buckets }));
  return path;
}

const node = (): string => `${product.url}/v1`;
const LISTS = { warnings: expect.any(Array), buckets: expect.any(Array), versions: [expect.any(String)] };

/** Command lines, their exit codes and the members that a program reads. */
const COMMANDS: readonly (readonly [string, () => readonly string[], number, object])[] = [
  [
    "a valid schedule",
    () => ["schedule", "check", "--json", NATIVE],
    0,
    {
      errors: [],
      symbol: "APT",
      warnings: [],
      revision: 1,
      rows: 121,
      first_day: "2022-10-12",
      last_day: "2032-10-12",
    },
  ],
  [
    "an invalid schedule",
    () => ["schedule", "check", invalidFile(), "--json"],
    1,
    { errors: expect.arrayContaining([expect.stringContaining("max_supply")]) },
  ],
  [
    "wallets as the schedule says",
    () => ["schedule", "verify", "--json", "--node", node(), NATIVE],
    0,
    { errors: [], contradictions: [], constants: "0", ...LISTS },
  ],
  [
    "wallets that contradict the schedule",
    () => ["schedule", "verify", "--json", "--node", node(), contradictedFile()],
    1,
    { errors: [], contradictions: [expect.stringContaining("must be locked")], ...LISTS },
  ],
  [
    "a deployment of another schedule",
    () => ["doctor", product.url, "--json", "--schedule", contradictedFile()],
    1,
    {
      is_passed: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ name: "schedule", problems: expect.arrayContaining([expect.any(String)]) }),
      ]),
    },
  ],
  [
    "a wrong command line of verify",
    () => ["schedule", "verify", "--json", "--nod", "x"],
    2,
    { errors: [expect.any(String)] },
  ],
  [
    "a wrong environment of deploy",
    () => ["deploy", "--json", "--env", "moon"],
    2,
    { errors: [expect.stringContaining("staging, production")] },
  ],
  [
    "a deployment that passes the doctor",
    () => ["doctor", product.url, "--json"],
    0,
    {
      is_passed: true,
      checks: expect.arrayContaining([{ name: "clock", is: expect.any(String), problems: [], warnings: [] }]),
    },
  ],
];

test.each(COMMANDS)(
  "%s is one JSON object on standard output, with the exit code in it",
  (_what, words, exitCode, members) => {
    const options = { cwd: CHECKOUT, env: ENVIRONMENT, encoding: "utf8" } as const;
    const { status, stdout } = spawnSync("node", ["tools/main.mjs", ...words()], options);
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: exitCode, ...members });
    expect(status).toBe(exitCode);
  },
);
