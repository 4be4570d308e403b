import { readFileSync } from "node:fs";
import fc from "fast-check";
import {
  acceptOf,
  bodyExample,
  exampleUrl,
  type OpenApi,
  type OperationAt,
  operationsOf,
  parametersOf,
  resolve,
} from "../../page/build/openapi.ts";
import { servedDocument } from "../../page/build/served-document.ts";
import { EVERYTHING, hasIn } from "../support/editions.ts";
import { KINDS, sdkTransaction } from "../support/sdk-transactions.ts";
import { type Change, hostileBody, hostileField, hostileTarget, METHODS, misframing, VALUES } from "./hostile.ts";
import { PLAIN, type RawRequest } from "./raw-request.ts";

type Field = RawRequest["fields"][number];

const DOCUMENTS: readonly OpenApi[] = [
  servedDocument(hasIn(EVERYTHING)),
  JSON.parse(readFileSync("openapi/node.json", "utf8")) as OpenApi, // linted with the documents
];
const OPERATIONS = DOCUMENTS.flatMap((document) => operationsOf(document).map((at) => ({ document, at })));
const QUERY = [
  ...new Set(OPERATIONS.flatMap(({ document, at }) => queryOf(document, at).map(({ name }) => name))),
  ...["__proto__", "constructor", "utm_source"],
];

/** Sound requests whose status depends on the products listed, or on what was submitted before. */
const DEPENDS = /^(GET|HEAD) \/api\/rates.*\?|^POST \/v1\/transactions(\/batch)?(\?|$)/;

/** BCS of signed transactions, with every kind of signature; none is executable. */
const SIGNED = KINDS.map(
  (kind, index) =>
    sdkTransaction({
      kind,
      sequenceNumber: BigInt(index),
      amount: 1n,
      maxGasAmount: 2_000n,
      gasUnitPrice: 100n,
      expirationTimestampSecs: 4_000_000_000n,
      chainId: 4,
      typeArguments: ["0x1::aptos_coin::AptosCoin"],
      multisig: false,
    }).signed,
);

/**
 * Generates requests from sound to hostile: a documented operation with its examples, then up to three changes. A run
 * is repeated by its seed, a failure by its path.
 */
export const request: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...OPERATIONS).chain(({ document, at }) => documented(document, at)) },
      { weight: 1, arbitrary: fc.constantFrom(...OPERATIONS).map(({ document, at }) => preflight(document, at)) },
      { weight: 1, arbitrary: fc.constantFrom("/api", "/nope", "/v1/nope", "/api/max-supply/", "/V1").map(lost) },
    ),
    fc.array(change(), { maxLength: 3 }),
    fc.oneof({ weight: 30, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: misframing() }),
    fc.option(fc.nat(63), { freq: 5 }),
  )
  .map(([sound, changes, misframed, host]) => {
    const changed = [...changes, ...(misframed === null ? [] : [misframed])];
    const raw = changed.reduce((before, apply) => ({ ...apply(before), expected: null }), sound);
    return caller(bodiless(raw), host);
  });

function queryOf(document: OpenApi, { operation }: OperationAt) {
  return parametersOf(document, operation).filter(({ in: place }) => place === "query");
}

/**
 * Generates an operation with its examples, at most one optional parameter, and polite fields. The expected status
 * applies unless the parameter's value is hostile.
 */
function documented(document: OpenApi, at: OperationAt): fc.Arbitrary<RawRequest> {
  const isRead = at.method === "get";
  const own = queryOf(document, at);
  const options = own.flatMap(({ name, schema, example }) => {
    const { enum: values, type } = resolve(document, schema);
    const sound = values ?? (type === "boolean" ? [true, false] : example === undefined ? [] : [example]);
    return sound.map((value) => `${name}=${encodeURIComponent(String(value))}`);
  });
  const hostile = own.flatMap(({ name }) => VALUES.map((value) => `${name}=${value}`));
  const target = exampleUrl(document, at);
  const posted = content(document, at);
  const accept = acceptOf(document, at.operation);
  return fc
    .record({
      option: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom("", "", "unknown=1", ...options) },
        { weight: hostile.length === 0 ? 0 : 1, arbitrary: fc.constantFrom("", ...hostile) },
      ),
      method: isRead ? fc.constantFrom("GET", "GET", "GET", "HEAD") : fc.constant("POST"),
      polite: fc.subarray(POLITE),
      content: posted.length === 0 ? fc.constant(null) : fc.constantFrom(...posted),
    })
    .map(({ option, method, polite, content: chosen }) => {
      const asked = option === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${option}`;
      const type: Field[] = chosen === null ? [] : [["Content-Type", chosen.type]];
      return {
        ...PLAIN,
        method,
        target: asked,
        fields: [...(accept === undefined ? polite : [["Accept", accept] as const]), ...type],
        body: chosen?.body ?? null,
        expected: chosen?.isSigned || hostile.includes(option) || DEPENDS.test(`${method} ${asked}`) ? null : [200],
      };
    });
}

const POLITE: Field[] = [
  ["Accept", "application/json, */*;q=0.1"],
  ["X-API-Version", "1"],
  ["Origin", "https://page.example"],
  ["User-Agent", "tracker/1.0"],
  ["Accept-Encoding", "gzip, deflate, br, zstd"],
];

/** Lists the bodies of an operation: its JSON example, and signed transactions where it takes BCS. */
function content(document: OpenApi, { operation }: OperationAt) {
  const example = bodyExample(document, operation);
  if (operation.requestBody === undefined || example === undefined) return [];
  const types = Object.keys(resolve(document, operation.requestBody).content ?? {});
  const json = { type: "application/json", body: Buffer.from(example), isSigned: false };
  const bcs = types.filter((type) => type.endsWith("+bcs"));
  return [json, ...bcs.flatMap((type) => SIGNED.map((body) => ({ type, body, isSigned: true })))];
}

function preflight(document: OpenApi, at: OperationAt): RawRequest {
  const fields: Field[] = [
    ["Origin", "https://page.example"],
    ["Access-Control-Request-Method", at.method.toUpperCase()],
    ["Access-Control-Request-Headers", "x-api-version"],
  ];
  return { ...PLAIN, method: "OPTIONS", target: exampleUrl(document, at), fields, expected: [204] };
}

function lost(target: string): RawRequest {
  return { ...PLAIN, target, expected: [404] };
}

/** Makes one part of a request invalid, unusual or hostile. */
function change(): fc.Arbitrary<Change<RawRequest>> {
  const body = hostileBody();
  return fc.oneof(
    {
      weight: 2,
      arbitrary: hostileTarget(QUERY).map((apply) => (raw: RawRequest) => ({ ...raw, target: apply(raw.target) })),
    },
    {
      weight: 2,
      arbitrary: hostileField().map((field) => (raw: RawRequest) => ({ ...raw, fields: [...raw.fields, field] })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS).map((method) => (raw: RawRequest) => ({ ...raw, method })) },
    {
      weight: 1,
      arbitrary: fc.constant<Change<RawRequest>>((raw) => ({ ...raw, fields: [...raw.fields, ...raw.fields] })),
    },
    { weight: 1, arbitrary: fc.constant<Change<RawRequest>>((raw) => ({ ...raw, fields: raw.fields.slice(1) })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(body, fc.constantFrom("declared", "declared", "chunked"))
        .map(([apply, framing]) => (raw: RawRequest) => ({ ...raw, method: "POST", framing, body: apply(raw.body) })),
    },
    { weight: 1, arbitrary: body.map((apply) => (raw: RawRequest) => ({ ...raw, body: apply(raw.body) })) },
  );
}

/** Removes the body of a HEAD request, because some servers take it for the next request. */
function bodiless(raw: RawRequest): RawRequest {
  return raw.method === "HEAD" ? { ...raw, body: null, framing: "declared" } : raw;
}

/** Adds a caller's address to most requests, as a real proxy would. */
function caller(raw: RawRequest, host: number | null): RawRequest {
  if (host === null || raw.fields.some(([name]) => name.toLowerCase() === "cf-connecting-ip")) return raw;
  return { ...raw, fields: [...raw.fields, ["CF-Connecting-IP", `198.51.100.${host}`]] };
}
