import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { call, isServed } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectDocumented } from "../support/openapi.ts";

async function documented(target: string, template = target.split("?")[0] ?? "") {
  const response = await call("GET", target);
  const text = await expectDocumented(publicDocument, "GET", template, response);
  return { status: response.status, text, field: (name: string) => response.headers.get(name) };
}
const json = async (target: string) => JSON.parse((await documented(target)).text);
const units = (amounts: readonly { base_units: string }[]) =>
  amounts.reduce((sum, { base_units }) => sum + BigInt(base_units), 0n);

test("the events add up to each figure of the schedule", async () => {
  const [events, schedule] = [await json("/api/unlock-events"), await json("/api/unlock-schedule")];
  expect(schedule.rows).not.toEqual([]);
  for (const row of schedule.rows) {
    const before = events.data.filter(({ at }: { at: string }) => at <= row.effective_from);
    expect(units(before.map(({ amount }: { amount: { base_units: string } }) => amount))).toBe(
      BigInt(row.circulating.base_units),
    );
  }
});

test("the allocations add up to the maximum, and their unlocked amounts to the figure", async () => {
  const { allocations, published_as: publishedAs, max_supply: max, unlocked } = await json("/api/allocations");
  const circulating = await (await call("GET", "/api/circulating-supply")).text();
  expect(unlocked.tokens.split(".")[0]).toBe(circulating);
  if (publishedAs === "table") return;
  const of = (part: string) => units(allocations.map((each: Record<string, { base_units: string }>) => each[part]));
  expect(of("allocation")).toBe(BigInt(max.base_units));
  expect(of("unlocked")).toBe(BigInt(unlocked.base_units));
});

test.skipIf(!isServed("/api/supply-breakdown"))(
  "what circulates on chain, what the wallets hold and what is burned add up to what was minted",
  async () => {
    const { status, text, field } = await documented("/api/supply-breakdown");
    expect(status).toBe(200);
    const body = JSON.parse(text);
    const balances = (burned: boolean) =>
      units(
        body.non_circulating_wallets
          .filter(({ category }: { category: string }) => (category === "burn") === burned)
          .flatMap(({ balance }: { balance: object | null }) => balance ?? []),
      );
    const amount = (name: string) => BigInt(body[name].base_units);
    expect(balances(false)).toBe(amount("non_circulating_supply"));
    expect(balances(true)).toBe(amount("burned_supply"));
    expect(amount("minted_supply") - balances(true)).toBe(amount("total_supply"));
    expect(amount("circulating_supply_on_chain") + balances(false) + balances(true)).toBe(amount("minted_supply"));
    expect(field("Age")).toMatch(/^\d+$/);
    const scheduled = await (await call("GET", "/api/circulating-supply")).text();
    expect(body.circulating_supply_scheduled.tokens.split(".")[0]).toBe(scheduled);
    const { allocations, wallets } = await json("/api/allocations");
    const listed = [...allocations.flatMap(({ addresses }: { addresses: unknown[] }) => addresses), ...wallets];
    const addressesOf = (of: { address: string }[]) => of.map(({ address }) => address);
    expect(addressesOf(body.non_circulating_wallets)).toEqual(addressesOf(listed));
  },
);

describe("history", () => {
  const today = () => new Date().toISOString().slice(0, 10);

  test("has one row of today per figure, as JSON and as CSV", async () => {
    const before = today();
    // The row is written after the answer of the reading that it is of.
    if (isServed("/api/total-supply"))
      await eventually(async () => {
        const rows: { date: string; figure: string }[] = (await json("/api/history")).data;
        expect(rows).toContainEqual(expect.objectContaining({ date: today(), figure: "total_supply" }));
      });
    const { status, text, field } = await documented("/api/history");
    expect(status).toBe(200);
    const { data } = JSON.parse(text);
    const keys = data.map(({ date, figure }: { date: string; figure: string }) => `${date} ${figure}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(field("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    const csv = (await documented("/api/history.csv")).text.trimEnd().split("\n");
    expect(csv).toHaveLength(data.length + 1);
    expect(csv[0]).toMatch(/,corrected,witnesses$/);
    const observed = data.filter(
      ({ date, source }: Record<string, string>) => date === before && source === "observed",
    );
    for (const { witnesses } of observed) expect(witnesses).toBeGreaterThan(0);
  });

  test.skipIf(!isServed("/api/rates"))("exists for each listed product, and is not found for another", async () => {
    const listing = await documented("/api/rates");
    const [{ id }] = JSON.parse(listing.text).data;
    const template = "/api/rates/{id}/history";
    const { status, text } = await documented(`/api/rates/${encodeURIComponent(id)}/history`, template);
    expect([status, JSON.parse(text).id]).toEqual([200, id]);
    expect((await documented("/api/rates/unknown-product/history", template)).status).toBe(404);
  });
});

test("the feed and the calendar are served with their media types", async () => {
  expect((await documented("/feed.atom")).field("Content-Type")).toBe("application/atom+xml; charset=utf-8");
  const calendar = await documented("/api/unlock-events.ics");
  expect(calendar.field("Content-Type")).toBe("text/calendar; charset=utf-8");
  expect(calendar.text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/);
});

test.each(["/api/unlock-events?from=2025-02-30", "/api/history?figure=price"])("%s is refused", async (target) => {
  const { status, text } = await documented(target);
  expect([status, JSON.parse(text).error_code]).toEqual([400, "invalid_input"]);
});
