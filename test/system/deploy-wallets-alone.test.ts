import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVICES } from "../fixtures/services.ts";
import { CHECKOUT, copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { SECRETS, UPSTREAMS } from "../support/operator-files.ts";
import { PlatformStandIn } from "../support/platform-stand-in.ts";
import { type Product, startProduct } from "../support/product.ts";
import { finished } from "../support/run-tool.ts";

/** The services that a file of wallets alone replaces, with a maximum and without one. */
const EDITIONS = [
  ["wallets", SERVICES.filter(({ file, max }) => file === "wallets" && max !== null)],
  ["unbounded", SERVICES.filter(({ max }) => max === null)],
] as const;

/** Form of a body: what remains of it when every digit sequence is the same. */
const formOf = (body: string): string => body.replaceAll(/\d+/g, "0");

describe.each(EDITIONS)("the services of the file %s", (edition, services) => {
  let folder: string;
  let own: string;
  let product: Product;
  let platform: PlatformStandIn;
  beforeAll(async () => {
    folder = copyCheckout();
    own = mkdtempSync(join(tmpdir(), "operator-"));
    const schedule = join(folder, "schedule");
    copyFileSync(join(CHECKOUT, "test", "fixtures", "editions", `${edition}.json`), join(schedule, "native.json"));
    for (const name of ["published.csv", "published.json"]) rmSync(join(schedule, name), { force: true });
    const addresses = services.flatMap((service) => service.addresses);
    if (addresses.length > 0) writeFileSync(join(schedule, "addresses.json"), JSON.stringify({ addresses }));
    platform = await new PlatformStandIn().start();
    product = await startProduct(
      { RATE_LIMIT_DEFAULT: "10000/60", RATE_LIMIT_NODE: "10000/60" },
      { cwd: folder, env: ENVIRONMENT },
    );
  });
  afterAll(async () => {
    await Promise.all([product?.stop(), platform?.stop()]);
    for (const each of [folder, own]) rmSync(each, { recursive: true, force: true });
  });

  test("are deployed to the platform, answer at their addresses, and are recorded", async () => {
    platform.deploy();
    platform.productUrl = product.url;
    for (const name of ["tmp", "home"]) mkdirSync(join(own, name));
    const env = {
      ...ENVIRONMENT,
      ...platform.environment,
      ...SECRETS,
      HOME: join(own, "home"),
      TMPDIR: join(own, "tmp"),
    };
    const words = ["tools/main.mjs", "deploy", "--env", "staging", "--address", platform.url, ...UPSTREAMS];
    const { code, output } = await finished(
      spawn("node", [...words, "--var", "STABLE_ASSET:0x1::usd::USD"], { cwd: folder, env }),
    );
    // The product was not built for a deployment, so its check fails.
    expect(code, output).toBe(4);
    expect(output).toMatch(/deployed, but 1 of \d+ checks fail \(health\)/);
    const failures = output.match(/^FAIL .*$/gm);
    expect(failures).toEqual(["FAIL  health     the build states no revision; deploy with `npm run deploy`"]);
    const { id, assets } = platform.versions.at(-1) ?? {};
    expect(platform.live()).toEqual([`${id}@100`]);
    const paths = services.flatMap(({ answers }) => answers.map(([target]) => target.split("?")[0] ?? ""));
    const outside = paths.filter((path) => !path.startsWith("/api/"));
    expect(assets?.config?.run_worker_first).toEqual(expect.arrayContaining(outside));
    // The embedded node has other balances than the service, so the digits differ.
    for (const [target, type, body] of services.flatMap(({ answers }) => answers)) {
      const answer = await fetch(platform.url + target);
      const answered = [answer.status, answer.headers.get("Content-Type")?.split(";")[0], formOf(await answer.text())];
      expect([target, ...answered]).toEqual([target, 200, type, formOf(body)]);
    }
    expect(readFileSync(join(folder, "schedule", "published.json"), "utf8")).toContain(
      edition === "wallets" ? "KPT" : "OPN",
    );
  });
});
