import { spawn } from "node:child_process";

/** Serves the product on this machine: `npm start -- [--port N] [--var NAME:VALUE]`. */
const wrangler = spawn("wrangler", ["dev", "--ip", "127.0.0.1", "--port", "8787", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
});
wrangler.on("exit", (code) => process.exit(code ?? 1));
