import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/**
 * Browsers in order of preference. The headless shell is the same engine without a desktop's windows, and takes a
 * quarter less processor time.
 */
const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of a browser on this machine, if there is one. */
export const chromiumPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** Reason for a skipped browser test. */
export const NO_CHROMIUM =
  "no Chromium here: `apt-get install chromium-headless-shell`, or a whole `chromium`, or name one in CHROMIUM";

/**
 * Features to disable. The last such list on the command line is in force, so this one repeats the driver's. Without
 * its last names, every tab opens two more pages, which draw suggestions in an address bar. They cost more than the
 * tested page.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
];

/**
 * Starts a real browser without background services that use the network. Each worker has its own, because commands
 * through a shared server take longer.
 */
export async function launch(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      // Tabs of one site share a process, which saves a tenth of the browser's processor time.
      "--renderer-process-limit=1",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${DISABLED_FEATURES.join(",")}`,
    ],
  });
}
