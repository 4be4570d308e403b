import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECRETS } from "../../../tools/start/settings.ts";

const FOLDER = ".github/workflows";
const text = (name: string) => readFileSync(join(FOLDER, name), "utf8");

describe.each(readdirSync(FOLDER))("the workflow %s", (name) => {
  const lines = text(name).split("\n");

  test("hands values to commands as variables, never inside their text", () => {
    // Everything that is deeper than its `run:` belongs to the command.
    const commands = lines.filter((line, index) => {
      const run = lines.slice(0, index + 1).findLast((each) => /^\s*(- )?\w[\w-]*:/.test(each)) ?? "";
      return /^\s*(- )?run:/.test(run) && line.trim() !== "";
    });
    expect(commands.filter((line) => line.includes("${{"))).toEqual([]);
  });

  test("names the actions of others by commit", () => {
    const used = lines.flatMap((line) => /uses: (\S+)/.exec(line)?.[1] ?? []);
    for (const action of used) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
  });
});

test("a deployment has every secret of its environment", () => {
  for (const name of SECRETS) expect(text("deploy.yml")).toContain(`${name}: \${{ secrets.${name} }}`);
});

test("a deployment follows the tests, in an environment that may ask for reviewers", () => {
  expect(text("deploy.yml")).toContain("needs: check");
  expect(text("deploy.yml")).toMatch(
    /environment: \$\{\{ github.ref_type == 'tag' && 'production' \|\| 'staging' \}\}/,
  );
});
