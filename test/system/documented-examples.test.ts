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
} from "../../page/build/openapi.ts";
import type { RecordedAnswer } from "../../page/build/reference.ts";
import { NOT_OF_THE_SAMPLE } from "../support/sample.ts";
import { product } from "../support/shared-product.ts";

const ANSWERS = "page/docs/answers.json";
/** Whether this run's responses are written to the manual where they differ in more than values. */
const RECORD = process.env["RECORD"] !== undefined;
const REPAIR = "RECORD=1 npx vitest run --project system test/system/documented-examples.test.ts";
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
    if (!RECORD) return;
    const before = readAnswers();
    const ids = DOCUMENTS.flatMap(operationsOf).map(({ operation }) => operation.operationId);
    const answers = ids.map((id) => [id, kept(before[id], recorded[id] ?? before[id])]);
    writeFileSync(ANSWERS, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
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
    const works = [200, 202, 206];
    const expected = NOT_OF_THE_SAMPLE.includes(at.path) ? [404] : works;
    expect([response.status, text.slice(0, 300)]).toEqual([expect.toBeOneOf(expected), expect.any(String)]);
    const documented = Object.keys(at.operation.responses);
    expect(documented).toContain(String(response.status));
    if (optional.length === 0 && works.includes(response.status))
      recorded[at.operation.operationId] = answerOf(response, text);
  });
});

test("the manual has a recorded response for every operation", () => {
  const answers = readAnswers();
  const operations = DOCUMENTS.flatMap(operationsOf).map(({ operation }) => operation.operationId);
  expect(
    operations.filter((id) => answers[id] === undefined),
    `record them: ${REPAIR}`,
  ).toEqual([]);
});

describe("a recorded response", () => {
  const answer = (body: string): RecordedAnswer => ({ status: 200, contentType: "application/json", body });

  test.each([
    ["stays when only values differ", '{"at": "2026-01-01", "n": 1}', '{"at": "2026-02-02", "n": -25.5}', false],
    ["stays when one of two cut ones is longer", '[{"n": 1},\n{"n"\n…', '[{"n": 100},\n{"n": 2\n…', false],
    ["stays when the bytes of a BCS response differ", "0x01ff", "0x02", false],
    ["changes with a new member", '{"n": 1}', '{"n": 1, "m": 1}', true],
    ["changes with a member's type", '{"n": 1}', '{"n": "1"}', true],
    ["changes with a null", '{"n": 1}', '{"n": null}', true],
  ])("a recorded response %s", (_what, before, after, isNew) => {
    expect(kept(answer(before), answer(after))).toEqual(answer(isNew ? after : before));
  });
});

function readAnswers(): Record<string, RecordedAnswer> {
  return JSON.parse(readFileSync(ANSWERS, "utf8")) as Record<string, RecordedAnswer>; // written above
}

/** The earlier answer unless the new one has another form: values such as times and hashes differ in every run. */
function kept(before?: RecordedAnswer, after?: RecordedAnswer): RecordedAnswer | undefined {
  if (before === undefined || after === undefined) return after;
  if (before.status !== after.status || before.contentType !== after.contentType) return after;
  const [one, other] = [formOf(before.body), formOf(after.body)];
  return one === other || (one.endsWith("…") && other.endsWith("…") && isCutAlike(one, other)) ? before : after;
}

/** A body with its values replaced by their types. */
function formOf(body: string): string {
  return body
    .replaceAll(/0x[0-9a-f]*/g, "0x")
    .replaceAll(/"(?:[^"\\]|\\.)*"(?!\s*:)/g, '""')
    .replaceAll(/-?\d+(?:\.\d+)?/g, "0");
}

/** Whether one of two bodies that were cut is the other's beginning, but for the line that was cut. */
function isCutAlike(one: string, other: string): boolean {
  const whole = (text: string) => text.split("\n").slice(0, -2).join("\n");
  const [first, second] = [whole(one), whole(other)];
  return first.startsWith(second) || second.startsWith(first);
}

function answerOf(response: Response, text: string): RecordedAnswer {
  const contentType = response.headers.get("Content-Type") ?? "";
  const pretty =
    contentType.startsWith("application/json") && /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const named = pretty.replaceAll(product.url, "https://HOST"); // the manual names the host that serves it
  const body = named.length > PREVIEW_CHARACTERS ? `${named.slice(0, PREVIEW_CHARACTERS)}\n…` : named;
  return { status: response.status, contentType, body };
}
