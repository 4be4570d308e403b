import { spawnSync } from "node:child_process";

/** What the build reads without having been told of it. Other untracked files, such as a sheet, change nothing. */
const BUILT = ["page", "schedule", "src", "tools", "openapi"];

/** The whole commit id of a checkout, which `.ci/served-commit` reads back, with `-dirty` when what is deployed differs from it; `unknown` outside of git. */
export function gitRevision(root: string): string {
  const git = (...words: string[]) => spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
  const commit = git("rev-parse", "HEAD");
  if (commit === "") return "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no") + git("status", "--porcelain", "--", ...BUILT);
  return changed === "" ? commit : `${commit}-dirty`;
}
