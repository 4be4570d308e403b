import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { replaceFileIfUnchanged, replaceFiles } from "../../../../tools/lib/replace-file.ts";
import { refusalOf } from "../../../support/refusal.ts";

test("files are replaced together or not at all, from what was read; a link stays, and nothing is left over", () => {
  const folder = fs.mkdtempSync(`${tmpdir()}/replace-`);
  const [file, link, lost] = [`${folder}/file`, `${folder}/link`, `${folder}/none/lost`];
  fs.writeFileSync(file, "1");
  fs.symlinkSync(file, link);
  replaceFileIfUnchanged(link, "1", "3");
  const files = [link, lost].map((path) => [path, "2"] as const);
  expect(refusalOf(() => replaceFiles(files))).toEqual([
    `${lost}: cannot be written (ENOENT: no such file or directory)`,
  ]);
  const changed = `${link}: changed meanwhile; run the command again`;
  expect(refusalOf(() => replaceFileIfUnchanged(link, "2", "3"))).toEqual([changed]);
  expect([fs.readFileSync(file, "utf8"), fs.lstatSync(link).isSymbolicLink()]).toEqual(["3", true]);
  expect(fs.readdirSync(folder)).toEqual(["file", "link"]);
});
