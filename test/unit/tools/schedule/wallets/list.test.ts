import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { withChecksum } from "../../../../../tools/lib/eip55.ts";
import { runSchedule, schedule } from "../../../../../tools/schedule.ts";
import { refusalOfPromise } from "../../../../support/refusal.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wallets-"));
  cpSync(join(import.meta.dirname, "../../../../fixtures/schedule"), folder, { recursive: true });
});

const context = () => ({ folder, nowMs: Date.parse("2026-11-21T00:00:00Z"), first: {} });
const refusal = (...args: string[]) => refusalOfPromise(runSchedule(args, context()));
const TITLES = "address,label,category,chain";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const EVM = ["--chain-family", "evm", "--chain-id", "8453", "--asset", CONTRACT];

function list(...rows: readonly string[]): string {
  const path = join(folder, "list.csv");
  writeFileSync(path, [TITLES, ...rows].join("\n"));
  return path;
}

/** Address number n with its checksum. */
const address = (n: number) => withChecksum(`0xabcdefabcdef${n.toString(16).padStart(28, "0")}`);

const out = () => join(folder, "mine.json");
const words = (path: string, maximum = "1000") => [
  ...["new", "--wallets", path, "--symbol", "ABC", "--decimals", "18", "--max-supply", maximum, "--out", out()],
  ...EVM,
];
const written = () => JSON.parse(readFileSync(out(), "utf8"));

describe("new --wallets", () => {
  test("writes a valid file of hundreds of wallets", async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${address(index)},Wallet ${index},treasury,native`);
    const reported = await runSchedule(words(list(...rows)), context());
    expect(reported).toContain("250 wallets of ABC, at most 1000");
    expect(written()).toMatchObject({ max_supply: "1000", chains: [{ family: "evm", chain_id: 8453 }] });
    expect(written().wallets).toHaveLength(250);
    expect(written()).not.toHaveProperty("start");
    expect(schedule(["check", out()], context())).toContain("ABC revision 1, 250 wallets alone");
  });

  test("--max-supply none is a token without a maximum", async () => {
    const reported = await runSchedule(words(list(`${address(1)},Team,team,`), "none"), context());
    expect(reported).toContain("written; 1 wallet of ABC, without a maximum");
    expect(schedule(["check", out()], context())).toContain("ABC revision 1, 1 wallet alone");
    expect(written()).toMatchObject({ max_supply: null, wallets: [{ chain: "native", holds: "account" }] });
  });

  test("a wrong option gets the usage of this form", async () => {
    expect(await refusal(...words(list(`${address(1)},Team,team,`)), "--csv", "x")).toEqual([
      expect.stringMatching(/^Unknown option '--csv'; usage: npm run schedule -- new --wallets LIST\.csv /),
    ]);
  });

  test("columns may be in any order, and the chain left out", async () => {
    const path = join(folder, "other.csv");
    writeFileSync(path, `Category;Address;Label\nburn;${address(7)};"Burned; for good"\n`);
    await runSchedule(words(path), context());
    expect(written().wallets).toEqual([
      { chain: "native", address: address(7), label: "Burned; for good", category: "burn", holds: "account" },
    ]);
  });

  const mistyped = address(3).replace(/[A-F]/, (letter) => letter.toLowerCase());
  test.each<[string, string[], RegExp[]]>([
    [
      "a wrong checksum",
      [`${address(1)},A,team,`, `${mistyped},B,team,`],
      [/line 3: .* fails its checksum \(EIP-55\)/],
    ],
    ["no address", ["0x12,A,team,"], [/line 2: must be .*, not "0x12"/]],
    ["no label", [`${address(1)},,team,`], [/line 2: has no label/]],
    ["an unknown category", [`${address(1)},A,friends,`], [/line 2: the category must be one of community, .*burn/]],
    ["a chain that the file has not", [`${address(1)},A,team,base`], [/line 2: "base" is no chain of the file/]],
    [
      "a wallet twice, in another case",
      [`${address(1)},A,team,`, `${address(2)},B,team,`, `${address(1).toLowerCase()},C,team,`],
      [/line 4: 0x.* is also line 2: each wallet is counted once/],
    ],
    [
      "every fault at once",
      ["0x12,,team,", `${address(1)},A,friends,`],
      [/line 2: must/, /line 2: has/, /line 3: the/],
    ],
    ["a list without wallets", [], [/has no wallet/]],
    [
      "more wallets than one reading may have",
      Array.from({ length: 1_025 }, (_, index) => `${address(index)},W,team,`),
      [/1025 wallets on this chain.*at most 1024/],
    ],
  ])("%s is refused by its line", async (_what, rows, faults) => {
    expect(await refusal(...words(list(...rows)))).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });

  test.each([
    ["address,label,group", /the column category is missing/, /the column "group" is none of/],
    ["address,label,category,label", /the column label is repeated/],
  ])("titles %s are refused", async (titles, ...faults) => {
    const path = join(folder, "titles.csv");
    writeFileSync(path, `${titles}\n${address(1)},A,team,\n`);
    expect(await refusal(...words(path))).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });

  test("addresses of an EVM chain are not read as those of a Move chain without being asked to", async () => {
    const path = list(`${address(1)},A,team,`);
    const bare = words(path).filter((word) => !EVM.includes(word));
    expect(await refusal(...bare)).toEqual([expect.stringMatching(/line 2: .* 40 digits of an EVM chain/)]);
    // One address that was cut does not make the others a Move chain's.
    const cut = list(`${address(1)},A,team,`, `${address(2).slice(0, -2)},B,team,`, `${address(3)},C,team,`);
    const mixed = words(cut).filter((word) => !EVM.includes(word));
    expect(await refusal(...mixed)).toEqual([expect.stringContaining("line 2"), expect.stringContaining("line 4")]);
    // With all its digits it is meant.
    const long = list(`0x${address(1).slice(2).padStart(64, "0")},A,team,`);
    await runSchedule(
      words(long).filter((word) => !EVM.includes(word)),
      context(),
    );
    expect(written().wallets).toHaveLength(1);
  });

  test("what is missing is named together", async () => {
    expect(await refusal("new", "--wallets", list())).toEqual([
      expect.stringMatching(/^--symbol: missing/),
      expect.stringMatching(/^--decimals: missing/),
      expect.stringMatching(/^--max-supply: missing; .* or none/),
      expect.stringContaining("--help"),
    ]);
  });
});

describe("an address of an EVM chain and a file of a Move chain", () => {
  const LONG = `0x${"0a1".padStart(64, "0")}`;
  const written40 = address(2);

  test.each([
    ["add", written40, "--category", "team", "--label", "B"],
    ["move", LONG, "--to", written40],
  ])("revise wallet %s refuses it, and writes nothing", async (...wallet) => {
    await runSchedule(
      words(list(`${LONG},A,team,`)).filter((word) => !EVM.includes(word)),
      context(),
    );
    const before = readFileSync(out(), "utf8");
    expect(await refusal("revise", "wallet", ...wallet, "--file", out())).toEqual([
      expect.stringMatching(`^${written40} has the 40 digits of an EVM chain`),
    ]);
    expect(readFileSync(out(), "utf8")).toBe(before);
  });

  test("on a chain of the other family it is added", async () => {
    await runSchedule(words(list(`${address(1)},A,team,`)), context());
    schedule(["revise", "wallet", "add", written40, "--category", "team", "--label", "B", "--file", out()], context());
    expect(written().wallets).toHaveLength(2);
  });
});

describe("revise wallet import", () => {
  const imported = (path: string) => ["revise", "wallet", "import", path, "--file", out()];

  test("an address of an EVM chain is not added to a file of a Move chain", async () => {
    const long = list(`0x${address(1).slice(2).padStart(64, "0")},A,team,`);
    await runSchedule(
      words(long).filter((word) => !EVM.includes(word)),
      context(),
    );
    expect(await refusal(...imported(list(`${address(2)},B,treasury,`)))).toEqual([
      expect.stringMatching(/line 2: .* 40 digits of an EVM chain/),
    ]);
  });

  test("adds a list to an existing file, as a new revision", async () => {
    await runSchedule(words(list(`${address(1)},A,team,`)), context());
    const before = written();
    const reported = schedule(imported(list(`${address(2)},B,treasury,`, `${address(3)},C,burn,`)), context());
    expect(reported).toContain("circulating-supply-on-chain");
    expect(written().wallets.map(({ label }: { label: string }) => label)).toEqual(["A", "B", "C"]);
    expect(written().revision).toBe(before.revision + 1);
  });

  test("a wallet that the file has is refused by its line, and nothing is written", async () => {
    await runSchedule(words(list(`${address(1)},A,team,`)), context());
    const text = readFileSync(out(), "utf8");
    const again = imported(list(`${address(2)},B,team,`, `${address(1)},A,team,`));
    expect(() => schedule(again, context())).toThrow(/line 3: 0x.* is in the file already/);
    expect(readFileSync(out(), "utf8")).toBe(text);
  });

  test("what unlocks cannot be revised in a file of wallets alone, by name", async () => {
    await runSchedule(words(list(`${address(1)},A,team,`)), context());
    for (const args of [
      ["revise", "delay", "team", "--months", "1", "--file", out()],
      ["print", out()],
      ["at", "now", out()],
      ["export", "--to", "defillama", out()],
      ["convert", out()],
    ])
      expect(() => schedule(args, context()), args.join(" ")).toThrow(/lists wallets alone: it has no unlock schedule/);
  });

  test("the record of the published past gets no rows, and refuses to lose those of a schedule", async () => {
    await runSchedule([...words(list(`${address(1)},A,team,`)), "--source", "https://abc.example/wallets"], context());
    const native = join(folder, "native.json");
    writeFileSync(native, readFileSync(out()));
    writeFileSync(join(folder, "published.json"), JSON.stringify({ symbol: "ABC", revision: 1, sha256: "0" }));
    expect(() => schedule(["check"], context())).toThrow(/records the \d+ months of an unlock schedule/);
    writeFileSync(
      join(folder, "published.csv"),
      "effective_from,circulating,circulating_base_units,max_supply,decimals\n",
    );
    writeFileSync(join(folder, "published.json"), JSON.stringify({ symbol: "ABC", revision: 0, sha256: "0" }));
    schedule(["publish", "--served"], context());
    expect(readFileSync(join(folder, "published.csv"), "utf8").trim().split("\n")).toHaveLength(1);
  });
});
