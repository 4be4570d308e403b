import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs the contract suite, the same that runs locally, against a deployed address: `npm run smoke -- URL`. */
const [address = ""] = process.argv.slice(2);
if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
  console.error("usage: npm run smoke -- https://the-address");
  process.exit(1);
}
const { status } = spawnSync("vitest", ["run", "--project", "contract"], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, BASE_URL: new URL(address).origin },
});
process.exit(status ?? 1);
