import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtFolder, draftFolder } from "../../../tools/build/folders.ts";
import { lockFolder } from "../../../tools/lib/lock.ts";

const rootFolder = () => mkdtempSync(join(tmpdir(), "builds-"));
const names = (root: string) =>
  readdirSync(root, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? e.name : []));
const contentOf = (folder: string) => readFileSync(join(folder, "content"), "utf8");

/** A checkout of one input, whose build is that input after `meanwhile`. */
function build(root: string, input: { text: string }, meanwhile: () => unknown = () => undefined): Promise<string> {
  return builtFolder(
    root,
    () => input.text,
    async (folder) => {
      const { text } = input;
      await meanwhile();
      writeFileSync(join(folder, "content"), text);
    },
  );
}

test("two commands at once with different inputs carry each their own", async () => {
  const root = rootFolder();
  let second = "";
  const first = await build(root, { text: "a" }, async () => {
    second = await build(root, { text: "b" });
  });
  expect([contentOf(first), contentOf(second)]).toEqual(["a", "b"]);
});

test("two commands at once with the same inputs carry the same, and it is not built again", async () => {
  const root = rootFolder();
  const second: string[] = [];
  const first = await build(root, { text: "a" }, async () => second.push(await build(root, { text: "a" })));
  expect([first, contentOf(first)]).toEqual([second[0], "a"]);
  const again = await build(root, { text: "a" }, () => expect.unreachable("it is up to date"));
  expect(again).toBe(first);
  expect(names(root)).toEqual(["a"]);
});

test("what an edit has changed while it was built is the build of neither text", async () => {
  const root = rootFolder();
  const input = { text: "a" };
  const folder = await build(root, input, () => {
    input.text = "b";
  });
  expect([contentOf(folder), names(root)]).toEqual(["b", ["b"]]);
});

test("a checkout that changes without end is refused, and nothing of it stays", async () => {
  const root = rootFolder();
  const input = { text: "a" };
  const building = build(root, input, () => {
    input.text += "a";
  });
  await expect(building).rejects.toThrow("files of this checkout change while they are built");
  expect(names(root)).toEqual([]);
});

test("a build that fails leaves nothing", async () => {
  const root = rootFolder();
  const failing = build(root, { text: "a" }, () => Promise.reject(new Error("no disk")));
  await expect(failing).rejects.toThrow("no disk");
  expect(names(root)).toEqual([]);
});

/** Builds that commands have left, the oldest first, and the draft of one that was killed. */
function leftBehind(root: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    mkdirSync(join(root, `old${index}`));
    utimesSync(join(root, `old${index}`), index, index);
  }
  mkdirSync(join(root, "old.killed"));
}

test("the builds of ended commands are removed, but for the last few", async () => {
  const root = rootFolder();
  leftBehind(root, 9);
  await build(root, { text: "new" });
  expect(names(root).sort()).toEqual(["new", "old3", "old4", "old5", "old6", "old7", "old8"]);
});

test("none is removed while a command uses one", async () => {
  const root = rootFolder();
  draftFolder(root, "dev");
  leftBehind(root, 9);
  expect(lockFolder(root, "builds", { pid: 1 }).kind, "it is used").toBe("in_use");
  await build(root, { text: "new" });
  expect(names(root)).toHaveLength(12);
  expect(existsSync(join(root, "old.killed"))).toBe(true);
});
