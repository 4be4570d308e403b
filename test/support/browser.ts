import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** In order of preference. The headless shell is the same engine without a desktop's windows: a quarter less processor time. */
const CANDIDATES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of a browser on this machine, if there is one. */
export const chromiumPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** The reason of a skipped browser test. */
export const NO_CHROMIUM =
  "no Chromium here: `apt-get install chromium-headless-shell`, or a whole `chromium`, or name one in CHROMIUM";

/**
 * The last list on the command line is in force, so it repeats the driver's own. Without the names of its end, every tab
 * comes with a second and a third page, which draw suggestions in an address bar: more work than the tested page itself.
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
 * A real browser, whose background services that use the network are disabled. Each worker has its own: every command
 * through a server for all of them takes longer.
 */
export async function launch(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      // Tabs of one site share a process: a tenth less processor time of the browser.
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
