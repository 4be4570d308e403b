import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { replaceFiles, replaceRead } from "../../../tools/replace-file.ts";
import { refusalOf } from "../../support/refusal.ts";

test("files are replaced together or not at all, a link's file behind the link, and nothing is left over", () => {
  const folder = mkdtempSync(join(tmpdir(), "replace-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, link, directory] = ["a", "link", "directory"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, "1");
  symlinkSync(file, link);
  mkdirSync(directory);
  expect(
    refusalOf(() =>
      replaceFiles([
        [link, "2"],
        [directory, "2"],
      ]),
    ),
  ).toEqual([`${directory}: cannot be written (EISDIR: illegal operation on a directory)`]);
  expect(readFileSync(file, "utf8")).toBe("1");
  replaceFiles([[link, "2"]]);
  expect([readFileSync(file, "utf8"), lstatSync(link).isSymbolicLink()]).toEqual(["2", true]);
  expect(refusalOf(() => replaceRead(file, "1", "3"))).toEqual([`${file}: changed meanwhile; run the command again`]);
  expect(readFileSync(file, "utf8")).toBe("2");
  expect(readdirSync(folder)).toEqual(["a", "directory", "link"]);
});
