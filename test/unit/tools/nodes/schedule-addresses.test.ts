import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChainFamily } from "../../../../src/families/family.ts";
import { walletsOf } from "../../../../src/supply/wallets.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { schedule } from "../../../../tools/schedule.ts";
import { bucket, errorsOf, file, valid, wallet } from "../../supply/schedules.ts";

const GOOD = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const DEAD = "0x000000000000000000000000000000000000dEaD";

const listing = (address: string, changes: object = {}) =>
  file({
    buckets: [bucket({ addresses: [wallet(address, changes)] })],
    wallets: [wallet(DEAD, { category: "burn" })],
  });

describe("addresses of a schedule of a token on an EVM chain", () => {
  test("keep their 40 digits, in lower case; on a Move chain the leading zeros are none of the address", () => {
    const addresses = (family?: "evm") => walletsOf(valid(listing(GOOD), family)).map(({ address }) => address);
    expect(addresses("evm")).toEqual([GOOD.toLowerCase(), DEAD.toLowerCase()]);
    expect(addresses()).toEqual([GOOD.toLowerCase(), "0xdead"]);
  });

  test.each([
    ["right", GOOD, {}, null],
    ["in one case", GOOD.toLowerCase(), {}, null],
    ["a letter's case is wrong", GOOD.replace("BeAed", "BeAeD"), {}, "address: .* fails its checksum \\(EIP-55\\)"],
    ["a digit is mistyped", GOOD.replace("5aA", "6aA"), {}, "address: .* fails its checksum \\(EIP-55\\)"],
    ["without leading zeros", "0xdead", {}, "address: must be an address of exactly 40 hex digits"],
    ["64 digits", `0x${"ab".repeat(32)}`, {}, "address: must be an address of exactly 40 hex digits"],
    ["a stake pool", GOOD, { holds: "stake_pool" }, "holds: must be account or lock on an EVM chain, not stake_pool"],
    ["of another chain, in its own form", "GOOD", { chain: "other" }, null],
  ])("%s", (_case, address, changes, problem) => {
    const found = errorsOf(listing(address, changes), "evm");
    if (problem === null) expect(found).toEqual([]);
    else expect(found).toEqual([expect.stringMatching(`^buckets\\[0\\]\\.addresses\\[0\\]\\.${problem}`)]);
  });
});

test("the contract of a share price has its checksum too", () => {
  const share = (contract: string) => ({
    ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
    ...{ chain: "native", contract, view: "getRate()", decimals: 18 },
  });
  expect(errorsOf(file({ share_prices: [share(GOOD)] }), "evm")).toEqual([]);
  expect(errorsOf(file({ share_prices: [share(GOOD.replace("5aA", "6aA"))] }), "evm")).toEqual([
    expect.stringMatching(/^share_prices\[0\]\.contract: .* fails its checksum \(EIP-55\)/),
  ]);
});

describe("the settings tell the commands of the schedule which family it is", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "evm-schedule-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const written = (address: string): string => {
    const path = join(folder, "native.json");
    writeFileSync(path, JSON.stringify(listing(address), null, 2));
    return path;
  };

  test.each([
    ["check", "FILE"],
    ["revise", "wallet", "add", GOOD.replace("5aA", "6aA"), "--category", "team", "--label", "Team", "--file", "FILE"],
    ["revise", "wallet", "move", GOOD, "--to", GOOD.replace("5aA", "6aA"), "--file", "FILE"],
  ])("%s %s: a mistyped address is refused where the chain is an EVM chain", (...words) => {
    const path = written(words[0] === "check" ? GOOD.replace("5aA", "6aA") : GOOD);
    const run = (family: ChainFamily) => () =>
      schedule(
        words.map((word) => (word === "FILE" ? path : word)),
        { folder, nowMs: Date.parse("2026-02-01"), first: { family } },
      );
    expect(run("evm")).toThrow("fails its checksum (EIP-55)");
    // A file may list such an account of a Move chain, but a command adds none.
    if (words[0] === "check") expect(run("move")).not.toThrow();
    else expect(run("move")).toThrow("has the 40 digits of an EVM chain");
  });

  test("a wallet is added as it is written, and read in lower case", () => {
    const path = written(GOOD);
    const other = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
    const words = ["wallet", "add", other, "--category", "team", "--label", "Team", "--file", path];
    const first = { family: "evm" } as const;
    schedule(["revise", ...words], { folder, nowMs: Date.parse("2026-02-01"), first });
    expect(walletsOf(readSchedule(path, first)).map(({ address }) => address)).toContain(other.toLowerCase());
  });
});
