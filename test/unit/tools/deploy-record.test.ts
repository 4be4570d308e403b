import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { publishedRecord } from "../../../tools/deploy/record.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "record-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const paths = () => ["published.csv", "published.json"].map((name) => join(folder, name));
const write = (text: string): void => {
  for (const path of paths()) writeFileSync(path, text);
};
const texts = () => paths().map((path) => (existsSync(path) ? readFileSync(path, "utf8") : null));

/** What a deployment that fails leaves of the record. */
function afterFailure(publish: () => void, meanwhile: () => void) {
  const record = publishedRecord(paths(), () => {
    publish();
    return "published";
  });
  expect(record.publish()).toBe("published");
  meanwhile();
  return { isChanged: record.isChanged(), isRestored: record.restore(), texts: texts() };
}

test.each([
  ["that it replaced", ["before", "before"]],
  ["of which there was none", [null, null]],
])("a failed deployment puts back the record %s", (_what, expected) => {
  if (expected[0] !== null) write("before");
  const found = afterFailure(
    () => write("published"),
    () => undefined,
  );
  expect(found).toEqual({ isChanged: true, isRestored: true, texts: expected });
  expect(readdirSync(folder).length).toBe(expected[0] === null ? 0 : 2);
});

test("what another command has written meanwhile stays", () => {
  write("before");
  const because = (): void => writeFileSync(paths()[1] ?? "", "because");
  expect(afterFailure(() => write("published"), because)).toEqual({
    isChanged: true,
    isRestored: false,
    texts: ["published", "because"],
  });
});

test("what another command has written is not this deployment's", () => {
  write("before");
  expect(
    afterFailure(
      () => undefined,
      () => write("because"),
    ),
  ).toMatchObject({
    isChanged: false,
    texts: ["because", "because"],
  });
});

test("what was written by a publication that failed then is put back too", () => {
  write("before");
  const record = publishedRecord(paths(), () => {
    write("published");
    throw new Error("the check fails");
  });
  expect(() => record.publish()).toThrow("the check fails");
  expect([record.isChanged(), record.restore(), ...texts()]).toEqual([true, true, "before", "before"]);
});
