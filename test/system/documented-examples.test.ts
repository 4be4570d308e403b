import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import {
  acceptOf,
  bodyExample,
  exampleUrl,
  type OpenApi,
  type OperationAt,
  operationsOf,
  parametersOf,
} from "../../tools/page/openapi.ts";
import type { RecordedAnswer } from "../../tools/page/reference.ts";
import { product } from "../support/shared-product.ts";

const ANSWERS = "page/docs/answers.json";
/** With RECORD set, this run's responses are written to the manual. */
const RECORD = process.env["RECORD"] !== undefined;
const PREVIEW_CHARACTERS = 1_500;
const BCS = "application/x-bcs";

const read = (name: string): OpenApi => JSON.parse(readFileSync(`openapi/${name}.json`, "utf8")) as OpenApi;
const DOCUMENTS = [read("public"), read("node")];

interface Case {
  readonly title: string;
  readonly document: OpenApi;
  readonly at: OperationAt;
  readonly optional: readonly string[];
}

/** Each operation with its required parameters, and again with each optional one that has an example. */
const CASES: readonly Case[] = DOCUMENTS.flatMap((document) =>
  operationsOf(document).flatMap((at) => {
    const optional = parametersOf(document, at.operation).filter(
      ({ in: place, required, example }) => place === "query" && !required && example !== undefined,
    );
    return [[], ...optional.map(({ name }) => [name])].map((names) => ({
      title: [at.method.toUpperCase(), at.path, ...names].join(" "),
      document,
      at,
      optional: names,
    }));
  }),
);

describe("every documented example works unchanged", () => {
  const recorded: Record<string, RecordedAnswer> = {};

  afterAll(() => {
    if (RECORD) writeFileSync(ANSWERS, `${JSON.stringify(recorded, null, 2)}\n`);
  });

  test.each(CASES)("$title", async ({ document, at, optional }) => {
    const body = bodyExample(document, at.operation);
    const accept = acceptOf(document, at.operation);
    const response = await fetch(product.url + exampleUrl(document, at, optional), {
      method: at.method.toUpperCase(),
      headers: {
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = accept === BCS ? `0x${Buffer.from(bytes).toString("hex")}` : new TextDecoder().decode(bytes);
    expect([response.status, text.slice(0, 300)]).toEqual([expect.toBeOneOf([200, 202, 206]), expect.any(String)]);
    const documented = Object.keys(at.operation.responses);
    expect(documented).toContain(String(response.status));
    if (optional.length === 0) recorded[at.operation.operationId] = answerOf(response, text);
  });
});

test("the manual has a recorded response for every operation", () => {
  const answers = JSON.parse(readFileSync(ANSWERS, "utf8")) as Record<string, RecordedAnswer>;
  const operations = DOCUMENTS.flatMap(operationsOf).map(({ operation }) => operation.operationId);
  expect(operations.filter((id) => answers[id] === undefined)).toEqual([]);
});

function answerOf(response: Response, text: string): RecordedAnswer {
  const contentType = response.headers.get("Content-Type") ?? "";
  const pretty =
    contentType.startsWith("application/json") && /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const body = pretty.length > PREVIEW_CHARACTERS ? `${pretty.slice(0, PREVIEW_CHARACTERS)}\n…` : pretty;
  return { status: response.status, contentType, body };
}
