import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  acceptOf,
  answersOf,
  bodyExample,
  exampleUrl,
  type OpenApi,
  type OperationAt,
  operationsOf,
  parametersOf,
} from "../../tools/page/openapi.ts";
import { undocumented } from "../support/documented.ts";
import { product } from "../support/shared-product.ts";

const DOCUMENTS = ["public", "node"].map(
  (name) => JSON.parse(readFileSync(`openapi/${name}.json`, "utf8")) as OpenApi, // linted with the documents
);

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

describe("every documented example works unchanged, and its answer is as the document's", () => {
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
    const text = await response.text();
    expect([response.status, text.slice(0, 300)]).toEqual([expect.toBeOneOf([200, 202, 206]), expect.any(String)]);
    const field = (name: string) => response.headers.get(name);
    expect(undocumented(document, at.method, at.path, { status: response.status, field, text })).toEqual([]);
    const type = (field("Content-Type") ?? "").split(";")[0];
    const shown = answersOf(document, at.operation).find(
      (one) => one.status === String(response.status) && one.type === type,
    );
    const answer: unknown = type === "application/json" ? JSON.parse(text) : [];
    if (optional.length > 0 || (Array.isArray(answer) && answer.length === 0)) return;
    expect(membersOf(shown?.example)).toEqual(membersOf(answer));
  });
});

/** The names of an object's members, or of those of a list's first entry; else the type of the value. */
function membersOf(value: unknown): string | string[] {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "object" && first !== null ? Object.keys(first).sort() : typeof first;
}
