import type { Page } from "playwright-core";
import type {
  History,
  RateHistory,
  Supply,
  SupplyBreakdown,
  UnlockSchedule,
  Wallet,
  YieldProduct,
} from "../../page/src/api.ts";

/** The API's responses in one state; a number is a failing status. */
export interface PageState {
  readonly nowMs: number;
  readonly supply: Supply | number;
  readonly schedule: UnlockSchedule;
  readonly rates: readonly YieldProduct[] | number;
  readonly breakdown: SupplyBreakdown | number;
  readonly history?: History | number;
  readonly rateHistory?: RateHistory | number;
  readonly ageSeconds?: number;
}

/** "abort": every request fails. */
export type StateName = keyof typeof STATES;

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const DECIMALS = 8;
const UNIT = 10n ** BigInt(DECIMALS);

interface WorldOptions {
  readonly labels: readonly string[];
  readonly maximum: bigint;
  readonly start: readonly [number, number];
  readonly months: number;
  readonly nowMs?: number;
  /** Tokens on chain; by default the maximum, null when no node answers. */
  readonly total?: bigint | null;
}

/**
 * A schedule of equal monthly steps with a cliff for the last bucket in the middle, and the documents derived from it.
 */
function world({ labels, maximum, start, months, nowMs = NOW_MS, total = maximum }: WorldOptions): PageState {
  const [year, month] = start;
  const amount = (tokens: bigint): { tokens: string; base_units: string } => ({
    tokens: String(tokens),
    base_units: String(tokens * UNIT),
  });
  const allocation = maximum / BigInt(labels.length);
  const unlocked = (bucket: number, index: number): bigint =>
    bucket === labels.length - 1 && labels.length > 1
      ? index < Math.floor(months / 2)
        ? 0n
        : allocation
      : (allocation * BigInt(index + 1)) / BigInt(months);
  const rows = Array.from({ length: months }, (_, index) => {
    const instant = new Date(Date.UTC(year, month - 1 + index, 12)).toISOString().replace(".000", "");
    const tokens = labels.map((_label, bucket) => unlocked(bucket, index));
    return {
      month: instant.slice(0, 7),
      effective_from: instant,
      circulating: amount(tokens.reduce((sum, each) => sum + each, 0n)),
      buckets: Object.fromEntries(labels.map((label, bucket) => [label, String((tokens[bucket] ?? 0n) * UNIT)])),
    };
  });
  const schedule: UnlockSchedule = {
    token: { symbol: "XYZ", name: "Example", decimals: DECIMALS },
    max_supply: amount(maximum),
    revision: 1,
    sources: [{ title: "Published tokenomics", url: "https://example.org/tokenomics" }],
    methodology: null,
    rows,
  };
  const breakdown = holdings(schedule, labels, allocation, nowMs);
  const now = rows.findLastIndex((row) => Date.parse(row.effective_from) <= nowMs);
  const [current, next] = [rows[now], rows[now + 1]];
  if (current === undefined) return { nowMs, schedule, supply: 503, rates: [product(1)], breakdown };
  const circulating = BigInt(current.circulating.tokens);
  const supply: Supply = {
    max: amount(maximum),
    total: total === null ? null : amount(total),
    circulating: amount(circulating),
    locked: amount(maximum - circulating),
    circulating_percent: String((circulating * 100n) / maximum),
    month: current.month,
    effective_from: current.effective_from,
    next_unlock:
      next === undefined
        ? null
        : {
            at: next.effective_from,
            amount: amount(BigInt(next.circulating.tokens) - circulating),
            buckets: labels.map((label, bucket) => ({
              id: label,
              label,
              amount: amount(unlocked(bucket, now + 1) - unlocked(bucket, now)),
            })),
          },
    schedule_revision: 1,
    circulating_on_chain: amount(circulating),
    burned: null,
    unavailable: total === null ? { total: "No chain node answers." } : {},
  };
  return { nowMs, schedule, supply, rates: [product(1), product(2)], breakdown };
}

/** One wallet for every bucket with a locked amount, with exactly that balance. */
function holdings(
  { token, max_supply, rows }: UnlockSchedule,
  labels: readonly string[],
  allocation: bigint,
  nowMs: number,
): SupplyBreakdown {
  const current = rows.findLast((row) => Date.parse(row.effective_from) <= nowMs);
  const as_of = new Date(nowMs).toISOString();
  const amount = (units: bigint): { tokens: string; base_units: string } => ({
    tokens: String(units / UNIT),
    base_units: String(units),
  });
  const parts = labels.map((label, index) => ({
    label,
    id: label,
    units: allocation * UNIT - BigInt(current?.buckets[label] ?? 0),
    address: `0x${(index + 1).toString(16).padStart(64, "a")}`,
  }));
  const locked = parts.reduce((sum, { units }) => sum + units, 0n);
  const total = BigInt(max_supply.base_units);
  return {
    token,
    schedule_revision: 1,
    as_of,
    ledger_version: "123456",
    minted_supply: max_supply,
    burned_supply: amount(0n),
    total_supply: max_supply,
    non_circulating_supply: amount(locked),
    circulating_supply_on_chain: amount(total - locked),
    circulating_supply_scheduled: current?.circulating ?? null,
    complete: true,
    buckets: parts.map(({ id, label, units }) => ({
      id,
      label,
      category: "other",
      locked_by_schedule: amount(units),
      held_on_chain: amount(units),
      difference: amount(0n),
    })),
    non_circulating_wallets: parts
      .filter(({ units }) => units > 0n)
      .map(({ id, label, units, address }) => ({
        bucket: id,
        category: "other",
        chain: "native",
        address,
        label: `${label} custody`,
        holds: "account",
        pool: null,
        operator: null,
        verification: "on_chain",
        balance: amount(units),
        stake: null,
        percentage_of_total_supply: String((units * 100n) / total),
        anomaly: false,
        anomaly_reason: null,
        observed_balance: null,
        ledger_version: "123456",
        last_updated: as_of,
      })),
  };
}

/** The same with an anomaly in the first wallet, and its effect on the bucket. */
function withWallet(breakdown: SupplyBreakdown | number, wallet: Partial<Wallet>, missing: bigint): SupplyBreakdown {
  if (typeof breakdown === "number") throw new Error("no breakdown to change");
  const { buckets, non_circulating_wallets: wallets } = breakdown;
  const minus = { tokens: String(-missing), base_units: String(-missing * UNIT) };
  return {
    ...breakdown,
    complete: false,
    buckets: buckets.map((bucket, index) => (index === 0 ? { ...bucket, difference: minus } : bucket)),
    non_circulating_wallets: wallets.map((one, index) => (index === 0 ? { ...one, ...wallet } : one)),
  };
}

function product(number: number, changes: Partial<YieldProduct> = {}): YieldProduct {
  return {
    id: `product-${number}`,
    name: `Staking ${number}`,
    kind: "staking",
    provider: "Provider",
    url: "https://example.org/",
    asset: { symbol: "XYZ", address: null, decimals: DECIMALS },
    apy: 5.25 + number,
    apy_base: 5 + number,
    apy_reward: 0.25,
    apr: null,
    compounds_per_year: null,
    rate_type: "variable",
    window: "7d",
    apy_mean_30d: 5.5,
    tvl: "1000000",
    tvl_usd: 2_500_000,
    min_deposit: null,
    lockup_seconds: 0,
    cooldown_seconds: 0,
    status: "active",
    as_of: new Date(NOW_MS - 60_000).toISOString(),
    stale_after: new Date(NOW_MS + 3_600_000).toISOString(),
    source: "upstream",
    featured: false,
    order: number,
    ...changes,
  };
}

const FOUR = ["Community", "Core contributors", "Foundation", "Investors"];
const USUAL = { labels: FOUR, maximum: 1_000_000_000n, start: [2024, 6], months: 60 } as const;
const LONG = "Ecosystem development, liquidity provision and strategic partnerships of the second programme";

const NO_DAYS = { from: "2025-11-21", to: "2026-11-21", count: 0, data: [], corrections: [] };
/** Seven days before now, of which one was not observed. */
const DATES = [7, 6, 5, 3, 2, 1].map((days) => new Date(NOW_MS - days * 86_400_000).toISOString().slice(0, 10));

function figureDays(figure: History["data"][number]["figure"], tokens: bigint): History["data"] {
  return DATES.map((date) => ({
    date,
    figure,
    tokens: String(tokens),
    base_units: String(tokens * UNIT),
    decimals: DECIMALS,
    ledger_version: "1",
    observed_at: `${date}T00:00:05Z`,
    source: "observed",
    corrected: false,
  }));
}

const rateDays = DATES.map((date, index) => ({
  date,
  apy: 6 + index / 10,
  apy_base: null,
  apy_reward: null,
  tvl: null,
  tvl_usd: null,
  observed_at: `${date}T00:00:05Z`,
  source: "upstream",
  corrected: false,
}));
const observedDays = [
  ...figureDays("total_supply", 1_000_000_000n),
  ...figureDays("non_circulating_supply", 625_000_000n),
];

/** Every state that the page is designed for. */
export const STATES = {
  usual: world(USUAL),
  "one upstream down": { ...world({ ...USUAL, total: null }), rates: 503, breakdown: 503 },
  "all down": { ...world(USUAL), supply: 503, rates: 503, breakdown: 503 },
  "observed days": {
    ...world(USUAL),
    history: { ...NO_DAYS, count: observedDays.length, data: observedDays },
    rateHistory: { id: "product-1", ...NO_DAYS, count: rateDays.length, data: rateDays },
  },
  "before the start": world({ ...USUAL, start: [2027, 3] }),
  "after the end": world({ ...USUAL, start: [2019, 1], months: 36 }),
  "wallet on another chain": {
    ...world(USUAL),
    breakdown: withWallet(
      world(USUAL).breakdown,
      { chain: "ethereum", verification: "unverified", balance: null, percentage_of_total_supply: null },
      0n,
    ),
  },
  "huge numbers": world({ ...USUAL, maximum: 9_007_199_254_740_991n }),
  "30 buckets": world({ ...USUAL, labels: Array.from({ length: 30 }, (_, index) => `Allocation ${index + 1}`) }),
  "long names": {
    ...world({ ...USUAL, labels: [LONG, "Unbreakable".repeat(6), "Team"] }),
    rates: [product(1, { name: LONG, provider: LONG }), product(2, { name: "Unbreakable".repeat(6) })],
  },
  "right-to-left names": {
    ...world({ ...USUAL, labels: ["المجتمع", "المساهمون الأساسيون", "מייסדים", "Investors"] }),
    rates: [product(1, { name: "تخزين سائل", provider: "مزود" })],
  },
  "old values": {
    ...world(USUAL),
    ageSeconds: 1_500,
    breakdown: withWallet(
      world(USUAL).breakdown,
      {
        anomaly: true,
        anomaly_reason: "The balance fell by more than half; the last good balance is kept.",
        observed_balance: { tokens: "12345", base_units: String(12_345n * UNIT) },
      },
      1_000n,
    ),
    rates: [product(1, { stale_after: new Date(NOW_MS - 1_000).toISOString() }), product(2, { status: "paused" })],
  },
} satisfies Readonly<Record<string, PageState>>;

/** The text of the element that embeds the page's schedule. */
export const SCHEDULE_IN_HTML = /(?<=<script type="application\/json" id="unlock-schedule">)[^<]+/;

const FAILURE = JSON.stringify({ message: "The figure is not available now.", error_code: "service_unavailable" });

/**
 * Makes every API response of a page that of one state, and sets its clock. To be called before the page is opened,
 * because the page embeds its schedule.
 */
export async function enterState(page: Page, name: StateName): Promise<PageState> {
  const state: PageState = STATES[name];
  await page.clock.setFixedTime(state.nowMs);
  const answer = (path: string, body: unknown): Promise<unknown> =>
    page.route(`**${path}`, (route) =>
      route.fulfill(
        typeof body === "number"
          ? { status: body, body: FAILURE, contentType: "application/json", headers: { "Retry-After": "30" } }
          : {
              body: JSON.stringify(body),
              contentType: "application/json",
              headers: state.ageSeconds === undefined ? {} : { Age: String(state.ageSeconds) },
            },
      ),
    );
  await answer("/api/supply", state.supply);
  await answer("/api/unlock-schedule", state.schedule);
  await page.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      // The server may close an idle connection just when it is used again.
      const response = await route.fetch({ maxRetries: 3 });
      const html = (await response.text()).replace(SCHEDULE_IN_HTML, () => JSON.stringify(state.schedule));
      await route.fulfill({ response, body: html });
    },
  );
  await answer(
    "/api/rates",
    typeof state.rates === "number"
      ? state.rates
      : { as_of: new Date(state.nowMs).toISOString(), count: state.rates.length, data: state.rates },
  );
  await answer("/api/history", state.history ?? NO_DAYS);
  await answer("/api/rates/*/history", state.rateHistory ?? { id: "product-1", ...NO_DAYS });
  await answer("/api/supply-breakdown", state.breakdown);
  return state;
}
