// Plain JavaScript for any Node version: older versions would fail on the tools' TypeScript with a stack trace that
// names neither the version nor the remedy.
const [major, minor] = process.versions.node.split(".").map(Number);
const runsTypeScript = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
if (!runsTypeScript) {
  console.error(
    `edge-api needs Node 22.18 or newer, this is Node ${process.versions.node}: install it from https://nodejs.org ` +
      "(on Linux it comes with `npm ci`; use the npm scripts)",
  );
  process.exit(1);
}
