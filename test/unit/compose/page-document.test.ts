import { describe, expect, test } from "vitest";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { deploymentWorld } from "../../support/deployment-world.ts";
import { OWN } from "../rates/rows.ts";
import { valid } from "../supply/schedules.ts";

const SCHEDULE = valid(native);
const MEMBERS = { supply: "/api/supply", supply_breakdown: "/api/supply-breakdown", rates: "/api/rates" };
const ROWS = [{ ...OWN, source: "operator" }];

function deployment(settings: Record<string, string> = {}, balance: () => bigint | undefined = () => 7n) {
  // Amounts of every version differ: members of two readings would contradict each other.
  const chain = { minted: (version: bigint) => 97_000_000_012_345_678n + version, balance };
  return deploymentWorld({ schedule: SCHEDULE, chain, nodes: ["upstream-1", "upstream-2"], settings, rows: ROWS });
}

type Place = ReturnType<typeof deployment>;
const page = async (place: Place) => JSON.parse((await place.get("/api/page")).text);

describe("/api/page", () => {
  test.each([0, 5, 45, 700, 4_000])(
    "after %i s its members are the bodies of the paths at that instant",
    async (seconds) => {
      const place = deployment();
      await page(place);
      place.pass(seconds);
      // A renewal behind this response is in the next one.
      await page(place);
      const document = await page(place);
      for (const [name, path] of Object.entries(MEMBERS)) {
        const { status, text } = await place.get(path);
        expect([name, status, document[name]]).toEqual([name, 200, JSON.parse(text)]);
      }
      expect(document.unavailable).toEqual({});
      expect(document.as_of).toBe(document.supply_breakdown.as_of);
    },
  );

  test("while it is read anew, all figures of the chain are of one reading", async () => {
    const place = deployment();
    await page(place);
    for (let tries = 0; tries < 20; tries += 1) {
      place.pass(31);
      const { supply, supply_breakdown: breakdown } = await page(place);
      expect(supply.total).toEqual(breakdown.total_supply);
      expect(supply.circulating_on_chain).toEqual(breakdown.circulating_supply_on_chain);
    }
  });

  test("its Age is that of its oldest member, and no cache keeps it longer than each of them", async () => {
    const place = deployment();
    await page(place);
    place.pass(25);
    const { headers } = await place.get("/api/page");
    const parts = await Promise.all(Object.values(MEMBERS).map((path) => place.get(path)));
    const ages = parts.map((part) => Number(part.headers["Age"] ?? 0));
    expect(headers).toMatchObject({
      Age: String(Math.max(...ages)),
      "Cache-Control": "public, max-age=30",
      "X-Ledger-Version": parts[1]?.headers["X-Ledger-Version"],
    });
    expect(Math.max(...ages)).toBeGreaterThanOrEqual(25);
  });

  test("a copy of the same figures is current for as long as they are", async () => {
    const place = deployment();
    const first = await place.get("/api/page");
    const tag = { "If-None-Match": first.headers["ETag"] ?? "" };
    place.pass(20);
    expect(await place.get("/api/page", tag)).toMatchObject({ status: 304, headers: { ETag: first.headers["ETag"] } });
    place.pass(40);
    await place.get("/api/page");
    place.pass(1);
    expect(await place.get("/api/page", tag)).toMatchObject({ status: 200 });
  });

  test("a chain that cannot be read is named, with its time; the other members are there, and no cache keeps it", async () => {
    const place = deployment();
    for (const node of place.nodes) node.up = false;
    const { status, headers, text } = await place.get("/api/page");
    const document = JSON.parse(text);
    expect([status, headers["Cache-Control"], document.supply_breakdown]).toEqual([200, "no-store", null]);
    expect(document.unavailable).toEqual({
      supply_breakdown: { message: expect.stringMatching(/^The supply breakdown is not available: /), retry_after: 5 },
    });
    expect(document).toMatchObject({ as_of: null, supply: { total: null }, rates: { count: 1 } });
  });

  test("a wallet that no node can read: its sums are missing, what else is read is there", async () => {
    const document = await page(deployment({}, () => undefined));
    expect(document.unavailable.supply_breakdown.message).toMatch(/^The supply breakdown is incomplete: /);
    expect(document).toMatchObject({
      as_of: expect.any(String),
      supply_breakdown: null,
      supply: { circulating_on_chain: null },
    });
  });

  test("a chain that hangs delays it by four seconds at most", async () => {
    const place = deployment();
    place.world.nodesHang = true;
    const asked = place.answer("/api/page");
    const document = JSON.parse((await asked).text);
    place.world.nodesHang = false;
    expect(document).toMatchObject({ supply_breakdown: null, rates: { count: 1 } });
  });

  test("without a chain and yields it has the schedule's figures alone", async () => {
    const place = deployment({ NODE_URLS: "none", RATES_URL: "none", STABLE_ASSET: "" });
    expect(await page(place)).toMatchObject({
      as_of: null,
      supply_breakdown: null,
      rates: null,
      unavailable: {},
      supply: { max: { tokens: "1000000000" }, circulating: { tokens: expect.any(String) } },
    });
  });

  test("its parameters change nothing", async () => {
    const place = deployment();
    place.pass(1);
    const plain = await place.get("/api/page");
    place.pass(1);
    expect((await place.get("/api/page?id=unknown&format=plain&value=apy")).text).toBe(plain.text);
  });

  test("each second is written once: a thousand readers cost no more than one", async () => {
    const place = deployment();
    await page(place);
    const before = place.calls.home;
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => place.answer("/api/page")));
    expect([new Set(answers.map(({ text }) => text)).size, place.calls.home - before]).toEqual([1, 0]);
  });
});

test("/api/page/history has the days of /api/history, in base units", async () => {
  const place = deployment();
  await place.check();
  place.pass(86_400);
  await place.check();
  const { data, ...days } = await place.json("/api/history");
  const document = await place.json("/api/page/history");
  expect(document.data).toHaveLength(2);
  expect([document.from, document.to]).toEqual([days.from, days.to]);
  for (const row of document.data)
    for (const figure of ["total_supply", "non_circulating_supply"]) {
      const same = data.find((each: typeof row) => each.date === row.date && each.figure === figure);
      expect([figure, row[figure]]).toEqual([figure, same.base_units]);
    }
  expect(await place.json("/api/page/history?from=2020-01-01&figure=total_supply")).toEqual(document);
});
