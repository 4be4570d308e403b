import { closeSync, cpSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayText } from "../../src/base/utc.ts";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { eventually } from "../support/eventually.ts";
import { SLOW } from "../support/runtime.ts";

/** All that the home object's database consists of: its tables, and the indexes of three of them. */
const HOME = [
  "fact",
  "figure_day",
  "full_limiter",
  "health_change",
  "last_good",
  "price_day",
  "price_day_by_day",
  "rate_day",
  "rate_day_by_day",
  "rate_sum",
  "rate_sum_by_day",
];
const FIGURES = ["/api/total-supply", "/api/rates", "/api/history", "/api/supply-breakdown", "/feed.atom"];

let product: BareProduct;
let intact: string;

beforeAll(async () => {
  product = await startBareProduct({}, SLOW);
  for (const path of FIGURES) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  await eventually(async () => expect(await rowsOfToday()).toEqual([1, 1]));
  await product.kill();
  for (const file of databasesOf("Home"))
    inDatabase(file, (database) => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  for (const file of databasesOf("LimiterShard"))
    inDatabase(file, (database) => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  intact = `${product.disk}-intact`;
  cpSync(product.disk, intact, { recursive: true });
});
afterAll(async () => {
  await product?.remove();
});

let asked = 0;
/** Sends each request as another caller, unless one is named. */
const ask = (path: string, address = `203.0.113.${(asked++ % 200) + 1}`) =>
  fetch(`${product.url}${path}`, { headers: { "CF-Connecting-IP": address } });
const json = async (path: string) => (await ask(path)).json();

/** Counts today's history rows of a figure and of a product. */
async function rowsOfToday(): Promise<number[]> {
  const today = dayText(Date.now());
  const days = `from=${today}&to=${today}`;
  const bodies = [
    await json(`/api/history?figure=total_supply&${days}`),
    await json(`/api/rates/native-staking/history?${days}`),
  ];
  return bodies.map((body) => (body as { readonly count: number }).count);
}

const problems = async () =>
  (
    (await json("/api/health")) as { readonly problems: readonly { readonly code: string; readonly subject: string }[] }
  ).problems.map(({ code, subject }) => `${code}:${subject}`);

function databasesOf(objectClass: string): string[] {
  const folder = join(product.disk, objectClass);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite"))
    .map((name) => join(folder, name));
}

function inDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Name and root page of what was made by a statement. */
const partsOf = (file: string) =>
  inDatabase(file, (database) =>
    database.prepare("SELECT name, rootpage AS page FROM sqlite_master WHERE sql NOT NULL ORDER BY name").all(),
  ).map(({ name, page }) => ({ name: String(name), page: Number(page) }));

/** Overwrites the beginning of a page, as a bad sector does; proves that the part cannot be read any more. */
function damage(file: string, part: string): void {
  const { page } = partsOf(file).find(({ name }) => name === part) ?? expect.fail(`no ${part}`);
  const size = inDatabase(file, (database) => Number(database.prepare("PRAGMA page_size").get()?.["page_size"]));
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, (page - 1) * size);
  closeSync(descriptor);
  // Of an empty index the check lists the damage; otherwise it fails.
  const check = () => {
    const [row] = inDatabase(file, (database) => database.prepare("PRAGMA integrity_check").all());
    if (row?.["integrity_check"] !== "ok") throw new Error("malformed");
  };
  expect(check, "control: the page is damaged").toThrow("malformed");
}

async function restartDamaged(objectClass: string, part: string): Promise<void> {
  await product.kill();
  rmSync(product.disk, { recursive: true });
  cpSync(intact, product.disk, { recursive: true });
  const files = databasesOf(objectClass).filter((file) => partsOf(file).some(({ name }) => name === part));
  expect(files, "control: there is something to damage").not.toEqual([]);
  for (const file of files) damage(file, part);
  await product.start();
}

describe("a damaged page of the home object's store", () => {
  test("can be in any of these", () => {
    const [file = ""] = databasesOf("Home");
    expect(
      partsOf(file)
        .map(({ name }) => name)
        .filter((name) => !name.startsWith("_cf_")),
    ).toEqual(HOME);
  });

  test.each(HOME)("of %s takes no answer: figures, rates and history go on, and health names it", async (part) => {
    await restartDamaged("Home", part);
    const table = part.replace(/_by_day$/, "");
    for (const path of FIGURES) expect([path, (await ask(path)).status]).toEqual([path, 200]);
    await expect.poll(rowsOfToday).toEqual([1, 1]);
    // Health reads one of the tables while it is made.
    await expect.poll(problems).toEqual([`store_damaged:${table}`]);
    await expect.poll(product.log).toContain('"event":"store_damaged"');
  });

  test("is in health after a restart, and the table that took its place has the rows", async () => {
    await product.kill();
    await product.start();
    for (const path of FIGURES) expect([path, (await ask(path)).status]).toEqual([path, 200]);
    await expect.poll(rowsOfToday).toEqual([1, 1]);
    await expect.poll(problems).toEqual(["store_damaged:rate_sum"]);
  });
});

test("a damaged store of the limiter takes no answer: isolates count, and health names the region", async () => {
  await restartDamaged("LimiterShard", "_cf_KV");
  const statuses: number[] = [];
  for (let count = 0; count < 62; count += 1) statuses.push((await ask("/api/max-supply", "198.51.100.9")).status);
  expect(statuses.map((status) => status === 200)).toEqual([...Array(60).fill(true), false, false]);
  await expect.poll(problems).toEqual([expect.stringMatching(/^limiter_local:/)]);
});
