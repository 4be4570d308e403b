import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json" with { type: "json" };
import { documents, typesOf } from "../../../tools/api-types.ts";

const found = await documents();

test("both documents were found", () => {
  expect(found.map(({ document }) => document)).toContain("public.json");
});

test.each(found)("$types is the output of `npm run api:types` for $document", async ({ document, types }) => {
  const written = await readFile(`openapi/${types}`, "utf8");
  expect(written === (await typesOf(document)), "run `npm run api:types`").toBe(true);
});

test("the public document has exactly the tags Supply and Yield", () => {
  expect(publicDocument.tags.map(({ name }) => name)).toEqual(["Supply", "Yield"]);
});
