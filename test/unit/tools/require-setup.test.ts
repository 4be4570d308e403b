import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

type Packages = Readonly<Record<string, { readonly version: string; readonly optional?: true }>>;

/** Output of the check in a checkout that needs and has these packages; "": it passes. */
function checked(needed: Packages, installed: Packages | null): string {
  const folder = mkdtempSync(join(tmpdir(), "checkout-"));
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "node_modules"));
  copyFileSync("tools/require-setup.mjs", join(folder, "tools", "require-setup.mjs"));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ packages: { "": { version: "1.0.0" }, ...needed } }),
  );
  if (installed !== null)
    writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
  const { status, stderr } = spawnSync(process.execPath, ["tools/require-setup.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr.trim();
}

const NEEDED = { "node_modules/workerd": { version: "1.2.0" } };

test.each<[string, Packages, Packages | null, string]>([
  ["every package is installed", NEEDED, NEEDED, ""],
  ["nothing was installed", NEEDED, null, "workerd 1.2.0 is not installed. Run: npm ci"],
  ["a package came since", NEEDED, {}, "workerd 1.2.0 is not installed. Run: npm ci"],
  [
    "a package has another version",
    NEEDED,
    { "node_modules/workerd": { version: "1.1.0" } },
    "workerd 1.2.0 is installed as 1.1.0. Run: npm ci",
  ],
  ["an optional package is of another platform", { "node_modules/x": { version: "1.0.0", optional: true } }, {}, ""],
])("where %s, a command says so before it starts", (_what, needed, installed, text) => {
  expect(checked(needed, installed)).toBe(
    text === "" ? "" : `edge-api needs the packages of package-lock.json: ${text}`,
  );
});
