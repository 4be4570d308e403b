import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Deployment } from "../../../tools/deploy/platform.ts";
import { publishedRecord, settleKilledDeployment } from "../../../tools/deploy/record.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "record-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const paths = () => ["published.csv", "published.json"].map((name) => join(folder, name));
const intent = () => join(folder, "published.intent.json");
const write = (text: string): void => {
  for (const path of paths()) writeFileSync(path, text);
};
const texts = () => paths().map((path) => (existsSync(path) ? readFileSync(path, "utf8") : null));
const WHICH = { worker: "edge", message: "revision r, unique", before: "old" };

/** A deployment that has said what it is to record. */
function intended(before = "old") {
  const record = publishedRecord(intent(), () => paths().map((path) => ({ path, text: "after" })));
  record.intend({ ...WHICH, before });
  return record;
}

test.each([
  ["that there is", "before"],
  ["of which there is none", null],
])("a record %s is written once the version serves, and put back if it does not in the end", (_what, before) => {
  if (before !== null) write(before);
  const record = intended();
  expect([record.isChanged(), texts()]).toEqual([true, [before, before]]);
  expect([record.complete(), texts()]).toEqual([true, ["after", "after"]]);
  expect([record.restore(), texts()]).toEqual([true, [before, before]]);
  record.end();
  expect(readdirSync(folder).length).toBe(before === null ? 0 : 2);
});

test("what another command has written meanwhile stays", () => {
  write("before");
  const record = intended();
  writeFileSync(paths()[1] ?? "", "because");
  expect([record.complete(), record.restore(), texts()]).toEqual([false, false, ["before", "because"]]);
});

/** Settles a killed deployment while these versions serve with these messages; returns the sentence and the files. */
async function settledWith(shares: Readonly<Record<string, string>>) {
  const deployment: Deployment = Object.keys(shares).map((id) => ({
    id,
    percentage: 100 / Object.keys(shares).length,
  }));
  const sentence = await settleKilledDeployment(intent(), {
    deployment: async (worker) => (worker === "edge" ? deployment : null),
    messageOf: async (_worker, id) => shares[id] ?? null,
  });
  return { sentence, texts: texts(), isOpen: existsSync(intent()) };
}

const [BEFORE, AFTER] = [
  ["before", "before"],
  ["after", "after"],
];
/** States in which a killed command may have left the two files. */
const LEFT = [BEFORE, ["after", "before"], AFTER];

test.each(LEFT)("a killed deployment whose version serves is recorded (%s, %s)", async (...left) => {
  write("before");
  intended();
  for (const [index, path] of paths().entries()) writeFileSync(path, left[index] ?? "");
  expect(await settledWith({ new: WHICH.message })).toEqual({
    sentence:
      "a deployment of edge stopped before it recorded its result: its version new serves, and schedule/published.* record it: commit them",
    texts: AFTER,
    isOpen: false,
  });
});

test.each(LEFT)("one whose version serves nobody is not (%s, %s)", async (...left) => {
  write("before");
  intended();
  for (const [index, path] of paths().entries()) writeFileSync(path, left[index] ?? "");
  expect(await settledWith({ old: "an older message" })).toEqual({
    sentence:
      "a deployment of edge stopped before it recorded its result: its version serves nobody (old serves), and nothing of it is recorded",
    texts: BEFORE,
    isOpen: false,
  });
});

test("a half of the requests is serving", async () => {
  write("before");
  intended();
  expect(await settledWith({ old: "an older message", new: WHICH.message })).toMatchObject({ texts: AFTER });
});

test("where others have deployed since, what was recorded stays, to be looked at", async () => {
  write("before");
  intended().complete();
  const { sentence, texts: left } = await settledWith({ theirs: "another message" });
  expect([left, sentence]).toEqual([
    AFTER,
    expect.stringMatching(/theirs serves now, deployed by somebody else.*git diff/),
  ]);
});

test("what another command has written since stays, and is reported", async () => {
  write("before");
  intended();
  write("because");
  const { sentence, texts: left } = await settledWith({ new: WHICH.message });
  expect([left, sentence]).toEqual([["because", "because"], expect.stringContaining("another command has changed")]);
});

test("while the platform does not answer nothing is settled", async () => {
  write("before");
  intended();
  const silent = { deployment: () => Promise.reject(new Error("outage")), messageOf: async () => null };
  await expect(settleKilledDeployment(intent(), silent)).rejects.toThrow("outage");
  expect([texts(), existsSync(intent())]).toEqual([BEFORE, true]);
});

test("after a deployment that recorded its result there is nothing to settle", async () => {
  write("before");
  intended().end();
  expect(await settledWith({ new: WHICH.message })).toMatchObject({ sentence: null, texts: BEFORE });
});
