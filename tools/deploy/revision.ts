import { spawnSync } from "node:child_process";

/** Folders whose untracked files the build reads. Other untracked files, such as a sheet, do not change a build. */
const BUILT = ["page", "schedule", "src", "tools", "openapi"];

/**
 * Returns the full commit id of a checkout, which `.ci/served-commit` reads back. It ends in `-dirty` when the deployed
 * files differ from the commit; `unknown` outside of git.
 */
export function gitRevision(root: string): string {
  const git = (...words: string[]) => spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
  const commit = git("rev-parse", "HEAD");
  if (commit === "") return "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no") + git("status", "--porcelain", "--", ...BUILT);
  return changed === "" ? commit : `${commit}-dirty`;
}
