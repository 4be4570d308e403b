import { expect, test } from "vitest";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { identityProblems } from "../../../tools/doctor/identity.ts";
import { parseScheduleText } from "../../../tools/schedule/parse-schedule.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };

const SHA256 = "ab".repeat(32);
const COIN = "0x1::native::Coin";
const CHAIN = {
  id: "base",
  family: "evm",
  chain_id: 8453,
  asset: `0x${"c0".repeat(20)}`,
  supply: "issued",
};

function scheduleWith(change: object): Schedule {
  const parsed = parseScheduleText(JSON.stringify({ ...native, ...change }));
  if (parsed.kind !== "schedule") throw new Error(JSON.stringify(parsed.errors));
  return { ...parsed.schedule, sha256: SHA256 };
}

const WALLETS = [
  { chain: "native", address: "0xa1", label: "A", category: "treasury", holds: "account" },
  { chain: "native", address: "0xa2", label: "B", category: "other", holds: "delegation", pool: "0xb1" },
];
const own = scheduleWith({ buckets: native.buckets.map((bucket) => ({ ...bucket, addresses: [] })), wallets: WALLETS });
/** Wallets in the form of `/api/supply-breakdown`. */
const SERVED = WALLETS.map((wallet) => ({ bucket: "", pool: null, operator: null, balance: null, ...wallet }));

const answer = (body: object) => ({
  path: "/",
  status: 200,
  headers: new Headers(),
  body: JSON.stringify(body),
  atMs: 0,
});
const problems = (served: object, schedule = own, asset?: string, hash: unknown = SHA256) =>
  identityProblems(
    { health: answer({ schedule_sha256: hash }), breakdown: answer(served) },
    schedule,
    asset === undefined ? {} : { asset },
  );

test("the same file, wallets and token have no problem, also where the deployment serves no wallets", () => {
  expect(problems({ asset: COIN, non_circulating_wallets: SERVED }, own, COIN)).toEqual([]);
  expect(problems({ message: "There is none.", error_code: "not_found" }, own, COIN)).toEqual([]);
});

test.each<[string, object[], string[]]>([
  ["one more wallet", [...SERVED, { ...SERVED[0], address: "0xa3" }], ["0xa3 account (treasury) is served"]],
  ["one wallet less", SERVED.slice(1), ["0xa1 account (treasury) is in this checkout"]],
  ["another kind of holding", [{ ...SERVED[0], holds: "vesting" }, SERVED[1] ?? {}], ["vesting", "account"]],
  ["another pool", [SERVED[0] ?? {}, { ...SERVED[1], pool: "0xb2" }], ["0xb2", "0xb1"]],
  ["the same wallet of a bucket", [{ ...SERVED[0], bucket: "team" }, SERVED[1] ?? {}], ["(team)", "(treasury)"]],
])("%s is told, although revision and figures are the same", (_what, wallets, texts) => {
  const found = problems({ asset: COIN, non_circulating_wallets: wallets });
  expect(found).toEqual(texts.map((text) => expect.stringContaining(text)));
});

test.each([
  [undefined, "/api/health does not state the hash of the served schedule file"],
  [null, "/api/health does not state the hash of the served schedule file"],
  ["cd".repeat(32), "the served schedule file (SHA-256 cdcdcdcdcdcdcdcd) is not the one here (abababababababab)"],
])("the hash %j is told", (hash, text) => {
  expect(problems({ message: "none" }, own, COIN, hash === undefined ? 0 : hash)).toEqual([
    expect.stringContaining(text),
  ]);
});

test("another token on the first chain, or another further chain, is reported", () => {
  const several = scheduleWith({ chains: [CHAIN] });
  const rows = [
    { chain: "native", asset: COIN },
    { chain: "base", asset: CHAIN.asset },
  ];
  expect(problems({ chains: rows }, several, COIN)).toEqual([]);
  expect(problems({ chains: rows.slice(0, 1) }, several, COIN)).toEqual([
    expect.stringMatching(/chain base .* is in this checkout/),
  ]);
  expect(problems({ chains: [...rows, { chain: "op", asset: "0x1" }] }, several, COIN)).toEqual([
    expect.stringContaining("the chain op of 0x1 is served, but is not in this checkout"),
  ]);
  const other = { chains: [{ chain: "native", asset: "0x2::x::X", chain_id: 4 }] };
  expect(problems(other, own, COIN)).toEqual([
    expect.stringContaining("the chain native of 0x2::x::X is served"),
    expect.stringContaining(`the chain native of ${COIN} is in this checkout`),
  ]);
  expect(problems(other, own), "the settings are not known").toEqual([]);
  const statedOn = (chain_id: number) =>
    scheduleWith({ chains: [{ id: "native", family: "move", chain_id, asset: COIN }] });
  expect(problems(other, statedOn(5)), "another network is served").toEqual([]);
  expect(problems(other, statedOn(4)), "the schedule states it").toEqual([
    expect.stringContaining("the chain native of 0x2::x::X is served"),
    expect.stringContaining(`the chain native of ${COIN} is in this checkout`),
  ]);
});

const MAPPING_SHA256 = "ef".repeat(32);

test.each<[string, object, string | null, string[]]>([
  ["the same file", { rates_mapping_sha256: MAPPING_SHA256 }, MAPPING_SHA256, []],
  ["no file on either side", { rates_mapping_sha256: null }, null, []],
  ["an older build without the member", {}, null, []],
  [
    "another file",
    { rates_mapping_sha256: "cd".repeat(32) },
    MAPPING_SHA256,
    ["the served rates.json has the SHA-256 cdcdcdcdcdcdcdcd, the one here efefefefefefefef"],
  ],
  [
    "a file that is only here",
    { rates_mapping_sha256: null },
    MAPPING_SHA256,
    ["the served rates.json has the SHA-256 none, the one here efefefefefefefef"],
  ],
  [
    "a file that is only served",
    { rates_mapping_sha256: MAPPING_SHA256 },
    null,
    ["the served rates.json has the SHA-256 efefefefefefefef, the one here none"],
  ],
])("the mapping of the listing is compared: %s", (_what, served, sha256, texts) => {
  const ratesMapping = sha256 === null ? null : { sha256, mapping: { list: null, currentSeconds: null, members: [] } };
  const health = answer({ schedule_sha256: SHA256, ...served });
  const found = identityProblems({ health, breakdown: answer({}) }, own, { ratesMapping });
  expect(found).toEqual(texts.map((text) => `${text}; deploy this checkout, or use the one that was deployed`));
});
