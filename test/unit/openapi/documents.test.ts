import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json";
import released from "../../../openapi/released.json";
import { documents, typesOf } from "../../../tools/api-types.ts";

const found = await documents();

test("both documents are there", () => {
  expect(found.map(({ document }) => document)).toContain("public.json");
});

test.each(found)("$types is what `npm run api:types` makes of $document", async ({ document, types }) => {
  const standing = await readFile(`openapi/${types}`, "utf8");
  expect(standing === (await typesOf(document)), "run `npm run api:types`").toBe(true);
});

test("the public document has exactly the tags Supply and Yield", () => {
  expect(publicDocument.tags.map(({ name }) => name)).toEqual(["Supply", "Yield"]);
});

test("a released version is frozen: a breaking change ships under a new number", () => {
  const { paths, components } = publicDocument;
  const digest = createHash("sha256").update(JSON.stringify({ paths, components })).digest("hex");
  const release = released["1"];
  expect(release.sha256 === digest, `version 1 was released as ${release.sha256}`).toBe(true);
});
