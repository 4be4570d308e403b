import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of a browser on this machine, if there is one. */
export const chromiumPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** The reason of a skipped browser test. */
export const NO_CHROMIUM = "no Chromium here: `apt-get install chromium`, or name one in CHROMIUM";

/** A real browser with all background services that use the network disabled. */
export function launch(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
