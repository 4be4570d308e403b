import fc from "fast-check";
import { Marked } from "marked";
import { expect, test } from "vitest";
import { amountsIn } from "../../../../tools/chain-reading.ts";
import { readCsv } from "../../../../tools/lib/csv.ts";
import { escapeMarkdown } from "../../../../tools/lib/escape.ts";
import type { Facts } from "../../../../tools/listing/facts.ts";
import { FORMS } from "../../../../tools/listing/forms.ts";
import { type Kit, listingKit, sha256, warningsOf } from "../../../../tools/listing/kit.ts";
import { sumProblems } from "../../../../tools/listing/sheet.ts";
import { sheetsOf, upbitText } from "../../../../tools/listing/sheets.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { fileOf, sketch } from "../../supply/generated-schedules.ts";
import { BURN, bucket, file, onePhase, table, valid, wallet } from "../../supply/schedules.ts";
import { AT_MS, EVIDENCE, factsOf, listed, TOKEN, WALLETS } from "./facts.ts";

const kit = (facts: Facts): Kit => listingKit(facts, EVIDENCE);

const refused = (facts: Facts) => refusalOf(() => kit(facts));

const cellsOf = (text: string | undefined) => readCsv(text ?? "").map(({ cells }) => cells);

test("each wallet sheet has the columns of its form, and one row per address", () => {
  const delegated = listed("0xa1", "team", { holds: "delegation", pool: "0xdd", label: "Staked" });
  const facts = factsOf(valid(file({ wallets: [...WALLETS, delegated] })), [100n, 5n, 40n]);
  const files = kit(facts);
  expect(cellsOf(files.get("coinmarketcap-annex-c-wallets.csv"))).toEqual([
    [...FORMS.cmcWallets.columns],
    ["0xa1", "140", "14.0703", "Vault 0xa1; Staked", "unlocked", "team", "", "", "https://scan.example/a/0xa1"],
    ["0xbb", "5", "", "Vault 0xbb", "burned", "burn", "", "", "https://scan.example/a/0xbb"],
  ]);
  expect(cellsOf(files.get("coingecko-locked-wallets.csv")).slice(1)).toEqual([
    ["0xa1", "Vault 0xa1; Staked", "140", "14.0703", "account; delegation 0xdd", "https://scan.example/a/0xa1"],
  ]);
  expect(cellsOf(files.get("coingecko-burn-wallets.csv")).slice(1)).toEqual([
    ["0xbb", "Vault 0xbb", "5", "https://scan.example/a/0xbb"],
  ]);
  expect(cellsOf(files.get("coinranking-supply-modifiers.csv"))).toEqual([
    ["blockchainName", "blockExplorerUrl", "name", "reference", "amount"],
    ["", "https://scan.example/a/0xa1", "Vault 0xa1; Staked", "0xa1", "140"],
    ["", "https://scan.example/a/0xbb", "Vault 0xbb", "0xbb", "5"],
  ]);
  expect(cellsOf(files.get("coinmarketcap-annex-c-supply.csv")).slice(0, 4)).toEqual([
    ["Item", "Old", "New"],
    ["Circulating Supply (CS)", "", "855"],
    ["Total Supply (TS)", "", "995"],
    ["Max Supply (MS)", "", "1000"],
  ]);
});

test("a form's questions have the answers of schedule and chain; the README names those without one", () => {
  const wallets = [...WALLETS, listed("0xf0", "foundation"), listed("0x77", "treasury")];
  // 900 of at most 1,000 exist.
  const files = kit(factsOf(valid(file({ wallets })), [100n, 5n, 40n, 10n], 900n));
  const answersIn = (name: string) => Object.fromEntries(cellsOf(files.get(name)));
  const readme = files.get("README.md") ?? "";
  expect(answersIn("coingecko-supply.csv")).toEqual({
    Question: "Answer",
    "Max Supply": "1000",
    "Total Supply: Max Supply less burned tokens": "995",
    "Total Supply by its methodology: on-chain supply less burned tokens": "895",
    "Burn Token Wallet": "0xbb",
    "Burned without a wallet: amount and evidence": "",
    "Circulating Supply: on-chain Total Supply less uncirculated wallets": "745",
    "Total Supply API": "https://api.example.org/api/total-supply?format=result&decimals=exact",
    "Circulating Supply API": "https://api.example.org/api/circulating-supply-on-chain?format=result&decimals=exact",
  });
  expect(readme).toContain("\n- coingecko-supply.csv: Burned without a wallet: amount and evidence\n");
  expect(answersIn("token-transparency-framework-supply.csv")).toMatchObject({
    "Supply: maximum, total, circulating": "1000 XYZ; 895 XYZ; 745 XYZ, at 2026-01-01",
    Allocations: "Community: 1000 XYZ",
    "Changes to the schedule": "none",
    "Holdings of foundation and treasury": "foundation: 40 XYZ in 0xf0; treasury: 10 XYZ in 0x77",
    "Whether locked tokens can be staked": "",
  });
  expect(readme).toContain("\n- token-transparency-framework-supply.csv: Whether locked tokens can be staked\n");
  expect(readme).not.toContain("framework-supply.csv: Allocations");
});

test("what the contract burned of a maximum that was minted once is burned too, with its evidence", () => {
  const supplyAnswers = (minted: bigint) => {
    const constants = [
      {
        label: "Sent to nobody",
        category: "burn",
        amount: "2",
        source: "https://example.org/lost",
        date: "2025-06-01",
      },
    ];
    const schedule = valid(file({ wallets: WALLETS, constants, minted_once: true }));
    const files = kit(factsOf(schedule, [100n, 5n], minted));
    return Object.fromEntries(cellsOf(files.get("coingecko-supply.csv")));
  };
  expect(supplyAnswers(750n)).toMatchObject({
    "Total Supply: Max Supply less burned tokens": "743",
    "Total Supply by its methodology: on-chain supply less burned tokens": "743",
    "Burned without a wallet: amount and evidence":
      "2: https://example.org/lost; 250: https://api.example.org/api/burned-by-contract",
  });
  // Nothing is burned yet.
  expect(supplyAnswers(1_000n)).toMatchObject({
    "Total Supply: Max Supply less burned tokens": "993",
    "Burned without a wallet: amount and evidence": "2: https://example.org/lost",
  });
});

test("only wallets of the first chain have a page of the explorer, which is of that chain", () => {
  const base = { id: "base", family: "evm", chain_id: 8453, asset: `0x${"c1".repeat(20)}`, supply: "issued" };
  const elsewhere = wallet(`0x${"b1".repeat(20)}`, { chain: "base", category: "team" });
  const facts = factsOf(valid(file({ chains: [base], wallets: [listed("0xa1", "team"), elsewhere] })), [100n, 7n]);
  const sheet = sheetsOf(facts).find(({ form }) => form.file === "coingecko-locked-wallets.csv");
  const pages = sheet?.rows.map((row) => [row[0], row.at(-1)]);
  expect(pages).toEqual([
    ["0xa1", "https://scan.example/a/0xa1"],
    [elsewhere.address, ""],
  ]);
});

test("a locked wallet says so, with the day of its next unlock", () => {
  const phases = [{ kind: "cliff", amount: "600", month: 24 }];
  const addresses = [wallet("0xa7", { label: "Team, vault" })];
  const schedule = valid(file({ buckets: [bucket({ genesis: "400", phases, addresses })], wallets: WALLETS }));
  const [, row] = cellsOf(kit(factsOf(schedule, [600n])).get("coinmarketcap-annex-c-wallets.csv"));
  const [address, page] = ["0xa7", "https://scan.example/a/0xa7"];
  expect(row).toEqual([address, "600", "60", "Team, vault", "locked", "Community", "", "01/02/2027", page]);
});

test.each([
  [600n, "locked: 300 of the allocation's wallets"],
  [301n, "locked: 300 of the allocation's wallets"],
  [300n, "locked"],
  [200n, "locked"],
])("a wallet of %s tokens of which 300 are locked is declared %s", (held, lock) => {
  const phases = [
    { kind: "cliff", amount: "300", month: 1 },
    { kind: "cliff", amount: "300", month: 24 },
  ];
  const schedule = valid(file({ buckets: [bucket({ genesis: "400", phases, addresses: [wallet("0xa7")] })] }));
  const [, row] = cellsOf(kit(factsOf(schedule, [held])).get("coinmarketcap-annex-c-wallets.csv"));
  expect(row?.[4]).toBe(lock);
});

test.each([
  [{ kind: "cliff", month: 2 }, ["2025-04-01", "2025-04-01", "cliff", "", ""]],
  [
    { kind: "installments", first_month: 1, count: 4, every_months: 3 },
    ["2025-03-01", "2025-12-01", "linear", "3", "month"],
  ],
  [
    { kind: "installments", first_day: 10, count: 3, every_days: 7 },
    ["2025-02-23", "2025-03-09", "linear", "7", "day"],
  ],
  [{ kind: "installments", first_month: 1, count: 1, every_months: 1 }, ["2025-03-01", "2025-03-01", "cliff", "", ""]],
  [{ kind: "linear", from: "2025-03-05", to: "2025-09-05" }, ["2025-03-05", "2025-09-05", "linear", "1", "day"]],
])("a phase %j is one row of Annex M", (phase, [from, to, ...expected]) => {
  const schedule = valid(onePhase(phase, { wallets: WALLETS }));
  expect(cellsOf(kit(factsOf(schedule)).get("coinmarketcap-annex-m.csv"))).toEqual([
    [...FORMS.cmcUnlocks.columns],
    ["Community", `${from} 00:00:00`, `${to} 00:00:00`, ...expected, "", "1000"],
  ]);
});

test("what never unlocks has no row in Annex M, and a burn is deflationary", () => {
  const buckets = [bucket({ genesis: "300", phases: [{ kind: "never", amount: "700" }] })];
  const burn = { ...BURN, month: "2025-06", delta: "-20" };
  const schedule = valid(file({ buckets, adjustments: [burn], wallets: WALLETS }));
  expect(cellsOf(kit(factsOf(schedule)).get("coinmarketcap-annex-m.csv")).slice(1)).toEqual([
    ["Community", "2025-02-13 00:00:00", "2025-02-13 00:00:00", "cliff", "", "", "", "300"],
    ["Community", "2025-06-01 00:00:00", "2025-06-01 00:00:00", "deflationary", "", "", "", "20"],
  ]);
});

test("for every schedule, the sums of all sheets are exact", () => {
  fc.assert(
    fc.property(sketch, (sketched) => {
      const schedule = valid(fileOf(sketched));
      const { decimals } = schedule.token;
      expect(sheetsOf(factsOf(schedule)).flatMap((each) => sumProblems(each, decimals))).toEqual([]);
    }),
  );
});

test("a schedule of figures only has no adapter, and its steps as rows", () => {
  const json = { ...table(["2025-02", "10"], ["2025-03", "11"]), start: "2025-02-01", wallets: WALLETS };
  const files = kit(factsOf(valid(json)));
  expect(files.has("defillama.ts")).toBe(false);
  expect(cellsOf(files.get("coinmarketcap-annex-m.csv")).map((row) => row[7])).toEqual(["tokenAmount", "10", "1"]);
  expect(files.get("xangle-cumulative.csv")).toBe("Date,Total\n2025-02-01,10\n2025-03-01,11\n");
});

test("Upbit's record keeps every digit, and names no price", () => {
  const schedule = valid(file({ wallets: WALLETS }));
  const facts = factsOf(schedule);
  const amounts = { ...facts.reading.amounts, circulating: 900_719_925_474_099_312_345_678n };
  expect(upbitText({ ...facts, reading: { ...facts.reading, amounts } })).toContain(
    '"circulatingSupply": 9007199254740993.12345678,',
  );
  const records: unknown = JSON.parse(kit(facts).get("upbit.json") ?? "");
  expect(records).toHaveLength(5);
  expect(records).toMatchObject(
    ["KRW", "USD", "IDR", "SGD", "THB"].map((currencyCode) => ({
      symbol: "XYZ",
      currencyCode,
      price: null,
      marketCap: null,
      accTradePrice24h: null,
      circulatingSupply: 1000,
      maxSupply: 1000,
      provider: "Example",
      lastUpdatedTimestamp: AT_MS,
    })),
  );
});

test("the README has the ledger version, every file's hash and the command that reproduces them", () => {
  const files = kit(factsOf(valid(file({ wallets: WALLETS }))));
  const readme = files.get("README.md") ?? "";
  for (const [name, text] of files)
    if (name !== "README.md") expect(readme).toMatch(new RegExp(`^\\| ${name} .*${sha256(text)}`, "m"));
  expect(readme).toContain("chain 4 at ledger version 7 (2026-01-01T00:00:00Z)");
  expect(readme).toContain(
    "npm run listing -- --node NODE_URL --ledger-version 7 --asset '0x1::c::C' --url https://api.example.org --out FOLDER",
  );
});

test("the README says of each allocation where its figures come from", () => {
  const { buckets = [] } = JSON.parse(JSON.stringify(file({}))) as { buckets?: { label: string }[] };
  const told = buckets.map((bucket) => ({ ...bucket, precision: "estimated", source: "https://example.org/paper" }));
  const readme = kit(factsOf(valid(file({ wallets: WALLETS, buckets: told })))).get("README.md") ?? "";
  for (const { label } of told)
    expect(readme).toMatch(new RegExp(`^- ${label}: [\\d.]+ XYZ, estimated, https://example\\.org/paper$`, "m"));
  expect(told.length).toBeGreaterThan(0);
});

test("the kit of sample data warns that it is not to be sent", () => {
  const warningsOf = (sample: boolean) =>
    (kit(factsOf(valid(file({ wallets: WALLETS, sample })))).get("README.md") ?? "").split("## Warnings")[1];
  const warning = `- ${escapeMarkdown("the schedule is sample data: do not send these files")}\n`;
  expect(warningsOf(true)).toContain(warning);
  expect(warningsOf(false)).not.toContain("sample");
});

test("a name in the README is text, whatever it is", () => {
  const [symbol, label] = ["`X` | Y", "[a](https://b.example) <img src=x>"];
  const buckets = [bucket({ label, source: "https://example.org/<script>" })];
  const token = { symbol, name: label, decimals: 8 };
  const readme = kit(factsOf(valid(file({ wallets: WALLETS, buckets, token })))).get("README.md") ?? "";
  const html = new Marked().parse(readme, { async: false });
  expect(html).toContain("Listing kit of [a](https://b.example) &lt;img src=x&gt; (`X` | Y)");
  expect(html).toContain("[a](https://b.example) &lt;img src=x&gt;: 1000 `X` | Y, precision not stated,");
  expect(html).not.toMatch(/<(img|script)|href="https:\/\/b\.example/);
});

test("each form names where its columns come from, and when they were read", () => {
  for (const { source, readOn } of Object.values(FORMS)) {
    expect(source).toMatch(/https:\/\//);
    expect(readOn).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

const SCHEDULE = valid(file({ wallets: WALLETS }));
const TRUE = factsOf(SCHEDULE, [100n, 5n]);
test.each<[string, Facts, RegExp]>([
  ["a wallet that was never read", factsOf(SCHEDULE, [null, 5n]), /^wallet 0xa1 \(Vault 0xa1\) was never read$/],
  [
    "a wallet on another chain",
    factsOf(valid(file({ wallets: [listed("0xa1", "team", { chain: "ethereum" })] }))),
    /^wallet 0xa1 .* is on ethereum, which this deployment does not read/,
  ],
  ["a schedule without wallets", factsOf(valid(file())), /^wallets: the schedule lists none/],
  ["a schedule that starts later", { ...TRUE, atMs: Date.parse("2025-01-01") }, /^start: is after the reading/],
  [
    "a contradiction between chain and schedule",
    { ...TRUE, reading: { ...TRUE.reading, contradictions: ["total_above_max: too many"] } },
    /^total_above_max: too many$/,
  ],
  [
    "wallets that are not what the total leaves",
    { ...TRUE, reading: { ...TRUE.reading, amounts: { ...TRUE.reading.amounts, held: 99n * TOKEN } } },
    /^coingecko-locked-wallets.csv: the locked wallets .*: the rows add up to 100, not to 99$/,
  ],
])("%s is refused, and says why", (_what, facts, reason) => {
  expect(refused(TRUE)).toEqual([]);
  expect(refused(facts)).toContainEqual(expect.stringMatching(reason));
});

test("where locks without a wallet have a figure of their own, both addresses are named, each with its meaning", () => {
  const locked = { genesis: "0", phases: [{ kind: "never", amount: "300" }] };
  const buckets = [
    bucket({ id: "public", allocation: "400", genesis: "400" }),
    bucket({ id: "team", allocation: "300", ...locked, addresses: [wallet("0xa1")] }),
    bucket({ id: "investors", allocation: "300", ...locked }),
  ];
  const files = kit(factsOf(valid(file({ buckets })), [300n]));
  const [onChain, hybrid] = ["on-chain", "hybrid"].map(
    (name) => `https://api.example.org/api/circulating-supply-${name}`,
  );
  for (const [name, row, query] of [
    ["coinmarketcap-annex-c-supply.csv", "Circulating supply API endpoint", ""],
    ["coingecko-supply.csv", "Circulating Supply API", "?format=result&decimals=exact"],
  ] as const) {
    const answer = cellsOf(files.get(name))
      .find(([first]) => first === row)
      ?.at(-1);
    expect(answer).toBe(
      `${onChain}${query} (the total less the listed wallets, as above) or ${hybrid}${query} (that less what the schedule locks in allocations without a wallet); give one`,
    );
  }
});

test("a contract that states another figure is a warning, and the kit is written", () => {
  const line = "circulating_view_differs: it states less";
  const facts = { ...TRUE, reading: { ...TRUE.reading, differences: [line] } };
  expect(warningsOf(TRUE)).not.toContain(line);
  expect(warningsOf(facts)).toContain(line);
  expect(refused(facts)).toEqual([]);
});

test("a constant is a row of its own, with its source in the place of an explorer's page", () => {
  const source = "https://example.org/lost";
  const stated = (label: string, category: string, amount: string) => ({
    label,
    category,
    amount,
    source,
    date: "2025-12-31",
  });
  const constants = [stated("Stuck", "other", "12.5"), stated("Sent to nobody", "burn", "3")];
  const schedule = valid(file({ wallets: WALLETS, constants }));
  const facts = factsOf(schedule, [100n, 5n]);
  const files = kit(facts);
  expect(facts.reading.amounts).toMatchObject({ total: 992n * TOKEN, held: (225n * TOKEN) / 2n });
  const rows = (name: string) => cellsOf(files.get(name)).slice(1);
  expect(rows("coingecko-locked-wallets.csv")).toContainEqual([
    "",
    "Stuck",
    "12.5",
    expect.stringMatching(/^1\.26/),
    "stated on 2025-12-31",
    source,
  ]);
  expect(rows("coingecko-burn-wallets.csv")).toContainEqual(["", "Sent to nobody", "3", source]);
  expect(rows("coinmarketcap-annex-c-wallets.csv").map((row) => [row[0], row[1], row[4]])).toEqual([
    ["0xa1", "100", "unlocked"],
    ["0xbb", "5", "burned"],
    ["", "12.5", "stated"],
    ["", "3", "burned"],
  ]);
  expect(rows("coinranking-supply-modifiers.csv")).toContainEqual(["", source, "Stuck", "", "12.5"]);
  const questions = Object.fromEntries(
    cellsOf(files.get("coingecko-supply.csv")).map(([name, answer]) => [name, answer]),
  );
  expect(questions["Burned without a wallet: amount and evidence"]).toBe(`3: ${source}`);
  expect(sheetsOf(facts).flatMap((each) => sumProblems(each, 8))).toEqual([]);
  // Control: on the day before it neither counts.
  const dayBefore = { ...facts.reading.reading, readAtMs: Date.parse("2025-12-30T00:00:00Z") };
  expect(amountsIn(schedule, dayBefore)).toMatchObject({ total: 995n * TOKEN, held: 100n * TOKEN });
});
