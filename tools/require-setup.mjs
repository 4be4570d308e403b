// Checks what every command needs: a Node that runs TypeScript, and the packages of package-lock.json. It is plain
// JavaScript for any Node version. Without it a stack trace would show neither the reason nor the remedy.
import { readFileSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
const runsTypeScript = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
if (!runsTypeScript) {
  console.error(
    `edge-api needs Node 22.18 or newer, this is Node ${process.versions.node}: install it from https://nodejs.org ` +
      "(on Linux it comes with `npm ci`; use the npm scripts)",
  );
  process.exit(1);
}

const packagesIn = (path) => {
  try {
    return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).packages;
  } catch {
    return {};
  }
};
// npm lists here what it has installed. Optional packages may be for other platforms, so they are skipped.
const installed = packagesIn("../node_modules/.package-lock.json");
const missing = Object.entries(packagesIn("../package-lock.json")).find(
  ([path, { version, optional, devOptional }]) =>
    path.startsWith("node_modules/") && !optional && !devOptional && installed[path]?.version !== version,
);
if (missing !== undefined) {
  const [path, { version }] = missing;
  const found = installed[path]?.version;
  console.error(
    `edge-api needs the packages of package-lock.json: ${path.replace(/^.*node_modules\//, "")} ${version} is ` +
      `${found === undefined ? "not installed" : `installed as ${found}`}. Run: npm ci`,
  );
  process.exit(1);
}
