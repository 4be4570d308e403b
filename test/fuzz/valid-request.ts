import { ALICE, BOB } from "../../devnode/development-keys.ts";
import type { Random } from "./random.ts";
import { PLAIN, type RawRequest } from "./raw-request.ts";
import type { World } from "./world.ts";

/** Valid requests, and the status that each must have. */
export function validRequest(random: Random, world: World): RawRequest {
  const [make, expected] = random.pick(MAKERS);
  return { ...PLAIN, expected: world.chain || make === publicRead ? expected : null, ...make(random, world) };
}

type Maker = (random: Random, world: World) => Partial<RawRequest>;

const OK = [200];
const FORMATS = ["", "?format=number", "?format=plain", "?format=result", "?utm_source=tracker&x=1&x=2"];
const PEOPLE = [`0x${hexOf(ALICE.address)}`, `0x${hexOf(BOB.address)}`];
const COIN = "0x1::aptos_coin::AptosCoin";

function hexOf(address: string | Uint8Array): string {
  return typeof address === "string" ? address.replace(/^0x/, "") : Buffer.from(address).toString("hex");
}

function publicRead(random: Random): Partial<RawRequest> {
  const month = `${2023 + random.below(12)}-${String(1 + random.below(12)).padStart(2, "0")}`;
  const day = `${month}-${String(1 + random.below(28)).padStart(2, "0")}`;
  const target = random.pick([
    `/api/max-supply${random.pick(FORMATS)}`,
    `/api/circulating-supply${random.pick(FORMATS)}`,
    `/api/circulating-supply?month=${month}`,
    `/api/circulating-supply?date=${day}`,
    "/api/supply",
    "/api/unlock-schedule",
    "/api/unlock-schedule.csv",
    "/api/openapi.json",
    "/.well-known/api-catalog",
    "/v1/spec.json",
  ]);
  return { target, method: random.pick(["GET", "GET", "GET", "HEAD"]), fields: politeFields(random) };
}

function fedRead(random: Random): Partial<RawRequest> {
  const target = random.pick([`/api/total-supply${random.pick(FORMATS)}`, "/api/rates", "/api/health"]);
  return { target, method: random.pick(["GET", "GET", "HEAD"]), fields: politeFields(random) };
}

function nodeRead(random: Random, { hashes }: World): Partial<RawRequest> {
  const at = random.pick(["", "", "?ledger_version=8", "?ledger_version=20", "?unknown=1"]);
  const person = random.pick(PEOPLE);
  const version = random.below(9);
  const target = random.pick([
    "/v1",
    "/v1/-/healthy",
    "/v1/estimate_gas_price",
    `/v1/accounts/${random.pick(["0x1", "0x3"])}${random.pick(["", "?unknown=1"])}`,
    `/v1/accounts/${person}`,
    `/v1/accounts/${person}/balance/${COIN}`,
    `/v1/accounts/0x1/resources${random.pick(["", "?limit=2", "?limit=9999"])}`,
    `/v1/accounts/0x1/resource/0x1::chain_id::ChainId${at}`,
    `/v1/accounts/0x1/resource/0x1::coin::CoinInfo%3C${COIN}%3E`,
    `/v1/accounts/0x1/modules?limit=${1 + random.below(3)}`,
    `/v1/accounts/${random.pick(["0x1", "1"])}/module/coin`,
    `/v1/accounts/${person}/transactions?limit=2`,
    `/v1/blocks/by_height/${random.below(3)}${random.pick(["", "?with_transactions=true"])}`,
    `/v1/blocks/by_version/${version}`,
    `/v1/transactions?start=${version}&limit=1`,
    "/v1/transactions?limit=2",
    `/v1/transactions/by_hash/${random.pick(hashes)}`,
    `/v1/transactions/wait_by_hash/${random.pick(hashes)}`,
    `/v1/transactions/by_version/${version}`,
  ]);
  return {
    target,
    method: random.pick(["GET", "GET", "HEAD"]),
    fields: nodeFields(random),
  };
}

function view(random: Random): Partial<RawRequest> {
  const [name, types, args] = random.pick([
    ["0x1::coin::supply", [COIN], []],
    ["0x1::coin::balance", [COIN], [random.pick(PEOPLE)]],
    ["0x1::account::exists_at", [], ["0x1"]],
  ]);
  return posted("/v1/view", { function: name, type_arguments: types, arguments: args });
}

function encode(random: Random): Partial<RawRequest> {
  return posted("/v1/transactions/encode_submission", transactionRequest(random));
}

/** Must be refused: it is not signed. */
function refusedSubmit(random: Random, { signed }: World): Partial<RawRequest> {
  const type = random.pick(["application/x.node.signed_transaction+bcs", "application/x.aptos.signed_transaction+bcs"]);
  return { method: "POST", target: "/v1/transactions", fields: [["Content-Type", type]], body: random.pick(signed) };
}

/** A transaction in JSON for encode_submission. */
export function transactionRequest(random: Random): Record<string, unknown> {
  return {
    sender: random.pick(PEOPLE),
    sequence_number: String(random.below(5)),
    max_gas_amount: "2000",
    gas_unit_price: "100",
    expiration_timestamp_secs: "4000000000",
    payload: {
      type: "entry_function_payload",
      function: "0x1::aptos_account::transfer",
      type_arguments: [],
      arguments: [random.pick(PEOPLE), String(random.below(1_000))],
    },
  };
}

export function posted(target: string, value: unknown): Partial<RawRequest> {
  return {
    method: "POST",
    target,
    fields: [["Content-Type", "application/json"]],
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** A preflight to a path that exists. */
function preflight(random: Random): Partial<RawRequest> {
  return {
    method: "OPTIONS",
    target: random.pick(["/api/rates", "/api/max-supply", "/v1", "/v1/view", "/v1/transactions"]),
    fields: [
      ["Origin", "https://page.example"],
      ["Access-Control-Request-Method", "GET"],
      ["Access-Control-Request-Headers", "x-api-version"],
    ],
  };
}

function lost(random: Random): Partial<RawRequest> {
  return { target: random.pick(["/api", "/api/nope", "/nope", "/v1/nope", "/v1/accounts", "/api/max-supply/", "/V1"]) };
}

function politeFields(random: Random): RawRequest["fields"] {
  const offered: RawRequest["fields"] = [
    ["Accept", random.pick(["*/*", "application/json", "text/html,application/xhtml+xml", "text/plain;q=0.4"])],
    ["X-API-Version", "1"],
    ["Origin", "https://page.example"],
    ["User-Agent", "tracker/1.0"],
    ["Accept-Encoding", "gzip, br"],
  ];
  return offered.filter(() => random.chance(0.3));
}

function nodeFields(random: Random): RawRequest["fields"] {
  const offered: RawRequest["fields"] = [
    ["Accept", random.pick(["application/json", "*/*"])],
    ["Origin", "https://wallet.example"],
    ["Content-Type", "application/json"],
    ["Accept-Encoding", "gzip, deflate, br, zstd"],
  ];
  return offered.filter(() => random.chance(0.3));
}

/** Chosen as often as listed. */
const MAKERS: readonly (readonly [Maker, readonly number[]])[] = [
  [publicRead, OK],
  [publicRead, OK],
  [publicRead, OK],
  [fedRead, OK],
  [nodeRead, OK],
  [nodeRead, OK],
  [nodeRead, OK],
  [view, OK],
  [encode, OK],
  [refusedSubmit, [400]],
  [preflight, [204]],
  [lost, [404]],
];
