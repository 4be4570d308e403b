import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type OpenApi, operationsOf } from "../../../tools/page/openapi.ts";
import { operationHeading, referenceMarkdown } from "../../../tools/page/reference.ts";

const read = (name: string) => JSON.parse(readFileSync(`openapi/${name}.json`, "utf8")) as OpenApi; // linted

test.each(["public", "node"])("the reference of the %s document shows an answer for every operation", (name) => {
  const document = read(name);
  const sections = referenceMarkdown(document).split("\n### ");
  const answers = operationsOf(document).map((at) => {
    const section = sections.find((one) => one.startsWith(`${operationHeading(at)}\n`));
    return [operationHeading(at), /\nAnswer \(2\d\d, `[^`]+`\):\n\n```(?:json)?\n\S/.test(section ?? "")];
  });
  expect(answers.length).toBeGreaterThan(25);
  expect(answers.filter(([, isShown]) => !isShown)).toEqual([]);
});

test("bytes are shown as hexadecimal digits", () => {
  expect(referenceMarkdown(read("node"))).toContain("Answer (200, `application/x-bcs`):\n\n```\n0x036f6e65\n```");
});
