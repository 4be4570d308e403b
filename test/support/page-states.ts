import type { Page } from "playwright-core";
import { monthsTable, scheduleElement, scheduleText, withSchedule } from "../../page/build/site.ts";
import type { PageHistory, Rates, SupplyBreakdown, Wallet, YieldProduct } from "../../page/src/documents.ts";
import { parseSchedule } from "../../page/src/schedule.ts";
import { allocationsView } from "../../src/supply/allocations.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { unlockScheduleOf } from "../../tools/schedule/files.ts";
import { parseScheduleText } from "../../tools/schedule/parse-schedule.ts";

/** State of the page: its schedule, and the API's responses; a number is a failing status. */
export interface PageState {
  readonly nowMs: number;
  readonly schedule: UnlockSchedule;
  readonly rates: readonly YieldProduct[] | number;
  readonly breakdown: SupplyBreakdown | number;
  readonly history?: PageHistory;
}

export type StateName = keyof typeof STATES;

const NOW_MS = Date.UTC(2026, 10, 21, 12);

interface Plan {
  readonly labels?: readonly string[];
  readonly maximum?: bigint;
  readonly start?: string;
  readonly months?: number;
  readonly decimals?: number;
  /** Whether each bucket lists a wallet. */
  readonly isListed?: boolean;
  /** Whether the first bucket has its last ten installments at once, ten months after the cliff. */
  readonly isVaried?: boolean;
}

const FOUR = ["Community", "Core contributors", "Foundation", "Investors"];

/**
 * Makes a schedule of equal buckets. A 25th circulates from the start, the rest unlocks in monthly installments; the
 * last bucket unlocks at once in the middle.
 */
function scheduleOf({
  labels = FOUR,
  maximum = 1_000_000_000n,
  start = "2024-06-12",
  months = 60,
  decimals = 8,
  isListed = true,
  isVaried = false,
}: Plan) {
  const allocation = maximum / BigInt(labels.length);
  const buckets = labels.map((label, index) => {
    const isLast = index === labels.length - 1;
    const amount = isLast ? maximum - allocation * BigInt(index) : allocation;
    const genesis = isLast && index > 0 ? 0n : amount / 25n;
    const phase =
      isLast && index > 0
        ? { kind: "cliff", amount: String(amount), month: months / 2 }
        : { kind: "installments", amount: String(amount - genesis), first_month: 1, count: months, every_months: 1 };
    const early = ((amount - genesis) * 10n) / BigInt(months);
    const varied = [
      { ...phase, amount: String(amount - genesis - early), count: months - 10 },
      { kind: "cliff", amount: String(early), month: months / 2 + 10 },
    ];
    const phases = isVaried && index === 0 ? varied : [phase];
    const parts = { allocation: String(amount), genesis: String(genesis), phases };
    const wallet = { chain: "native", address: addressAt(index), label: `${label} custody`, holds: "account" };
    const addresses = isListed ? [wallet] : [];
    return { id: `bucket-${index}`, label, category: "other", precision: "stated", ...parts, addresses };
  });
  return parsed({ token: { symbol: "XYZ", name: "Example", decimals }, max_supply: String(maximum), start, buckets });
}

const addressAt = (index: number): string => `0x${(index + 1).toString(16).padStart(64, "a")}`;

/** Makes a schedule of 60 monthly totals, as published by networks that name no buckets. */
function tableOf(): UnlockSchedule {
  const table = Array.from({ length: 60 }, (_, index) => ({
    month: new Date(Date.UTC(2024, 5 + index, 12)).toISOString().slice(0, 7),
    circulating: String(130_000_000 + index * 14_000_000),
  }));
  const token = { symbol: "XYZ", name: "Example", decimals: 8 };
  return parsed({ token, max_supply: "1000000000", start: "2024-06-12", table });
}

function parsed(file: object): UnlockSchedule {
  const result = parseScheduleText(
    JSON.stringify({
      revision: 1,
      published_at: "2024-05-01",
      publisher: "The Example Foundation",
      sources: [{ title: "Published tokenomics", url: "https://example.org/tokenomics" }],
      step_day: 12,
      ...file,
    }),
  );
  if (result.kind !== "schedule") throw new Error(JSON.stringify(result));
  return unlockScheduleOf(result.schedule);
}

/**
 * Makes a state with two yield products and a wallet for every bucket with a locked amount, which holds exactly that
 * amount.
 */
function world(schedule: UnlockSchedule, nowMs = NOW_MS): PageState {
  return { nowMs, schedule, rates: [product(1), product(2)], breakdown: breakdownOf(schedule, nowMs) };
}

function breakdownOf(schedule: UnlockSchedule, nowMs: number): SupplyBreakdown {
  const { token, revision, maxSupply } = schedule;
  const as_of = new Date(nowMs).toISOString();
  const step = stepAt(schedule, nowMs);
  const amount = (units: bigint) => ({
    tokens: String(units / 10n ** BigInt(token.decimals)),
    base_units: String(units),
  });
  const parts = allocationsView(schedule, step).allocations.map(({ id, label, locked }) => ({ id, label, locked }));
  const locked = parts.reduce((sum, part) => sum + BigInt(part.locked.base_units), 0n);
  return {
    token,
    asset: "0x1::aptos_coin::AptosCoin",
    schedule_revision: revision,
    as_of,
    ledger_version: "123456",
    minted_supply: amount(maxSupply),
    burned_supply: amount(0n),
    total_supply: amount(maxSupply),
    non_circulating_supply: amount(locked),
    circulating_supply_on_chain: amount(maxSupply - locked),
    circulating_supply_scheduled: step === undefined ? null : amount(step.circulating),
    complete: true,
    confirmed_by: { nodes: ["upstream-1", "upstream-2"], ledger_version: "123456", at: as_of },
    unavailable: {},
    buckets: parts.map((part) => ({
      id: part.id,
      label: part.label,
      category: "other",
      locked_by_schedule: part.locked,
      held_on_chain: part.locked,
      difference: amount(0n),
    })),
    constants: [],
    non_circulating_wallets: parts
      .filter((part) => part.locked.base_units !== "0")
      .map((part, index) => ({
        bucket: part.id,
        category: "other",
        pool: null,
        operator: null,
        view: null,
        contract: null,
        chain: "native",
        address: addressAt(index),
        label: `${part.label} custody`,
        holds: "account",
        verification: "on_chain",
        balance: part.locked,
        stake: null,
        percentage_of_total_supply: String((BigInt(part.locked.base_units) * 100n) / maxSupply),
        anomaly: false,
        anomaly_reason: null,
        observed_balance: null,
        ledger_version: "123456",
        last_updated: as_of,
      })),
  } as SupplyBreakdown;
}

/** Adds a wallet of the project without locked tokens, and a burn address. */
function withOthers(state: PageState, freeTokens: bigint, burnedTokens: bigint): PageState {
  if (typeof state.breakdown === "number") throw new Error("no breakdown to change");
  const { breakdown } = state;
  const [like] = breakdown.non_circulating_wallets;
  if (like === undefined) throw new Error("no wallet to copy");
  const amount = (tokens: bigint) => ({ tokens: String(tokens), base_units: String(tokens * 10n ** 8n) });
  const less = (from: { readonly tokens: string }, tokens: bigint) => amount(BigInt(from.tokens) - tokens);
  const other = (label: string, category: Wallet["category"], tokens: bigint): Wallet => {
    return { ...like, bucket: "", category, label, balance: amount(tokens), percentage_of_total_supply: null };
  };
  return {
    ...state,
    breakdown: {
      ...breakdown,
      burned_supply: amount(burnedTokens),
      total_supply: less(breakdown.total_supply, burnedTokens),
      circulating_supply_on_chain: less(breakdown.circulating_supply_on_chain, freeTokens + burnedTokens),
      non_circulating_wallets: [
        ...breakdown.non_circulating_wallets,
        other("Treasury", "treasury", freeTokens),
        other("Burn address", "burn", burnedTokens),
      ],
    },
  };
}

/** Changes the first wallet, with the effect on its bucket. */
function withWallet(state: PageState, wallet: Partial<Wallet>, missingTokens: number, readMs = NOW_MS): PageState {
  if (typeof state.breakdown === "number") throw new Error("no breakdown to change");
  const { buckets, non_circulating_wallets: wallets } = state.breakdown;
  const difference = { tokens: String(-missingTokens), base_units: String(-missingTokens * 1e8) };
  const breakdown = {
    ...state.breakdown,
    as_of: new Date(readMs).toISOString(),
    buckets: buckets.map((bucket, index) => (index === 0 && missingTokens > 0 ? { ...bucket, difference } : bucket)),
    non_circulating_wallets: wallets.map((one, index) => (index === 0 ? { ...one, ...wallet } : one)),
  };
  return { ...state, breakdown };
}

/** Moves tokens from the wallets of the first bucket into circulation. */
function withMoved(state: PageState, tokens: bigint): PageState {
  if (typeof state.breakdown === "number") throw new Error("no breakdown to change");
  const { breakdown } = state;
  const amount = (whole: bigint) => ({ tokens: String(whole), base_units: String(whole * 10n ** 8n) });
  const plus = (from: { readonly tokens: string }, whole: bigint) => amount(BigInt(from.tokens) + whole);
  return {
    ...state,
    breakdown: {
      ...breakdown,
      non_circulating_supply: plus(breakdown.non_circulating_supply, -tokens),
      circulating_supply_on_chain: plus(breakdown.circulating_supply_on_chain, tokens),
      buckets: breakdown.buckets.map((bucket, index) => {
        if (index > 0 || bucket.held_on_chain === null) return bucket;
        return { ...bucket, held_on_chain: plus(bucket.held_on_chain, -tokens), difference: amount(-tokens) };
      }),
      non_circulating_wallets: breakdown.non_circulating_wallets.map((one, index) =>
        index > 0 || one.balance === null ? one : { ...one, balance: plus(one.balance, -tokens) },
      ),
    },
  };
}

/** Removes all wallets; a part of the maximum is not minted. */
function withoutWallets(state: PageState, notMintedTokens: bigint): PageState {
  if (typeof state.breakdown === "number") throw new Error("no breakdown to change");
  const { breakdown, schedule } = state;
  const minted = schedule.maxSupply / 10n ** 8n - notMintedTokens;
  const amount = (whole: bigint) => ({ tokens: String(whole), base_units: String(whole * 10n ** 8n) });
  const wallets = breakdown.non_circulating_wallets.slice(0, 1);
  return {
    ...state,
    breakdown: {
      ...breakdown,
      minted_supply: amount(minted),
      total_supply: amount(minted),
      non_circulating_supply: amount(14_000_000n),
      circulating_supply_on_chain: amount(minted - 14_000_000n),
      buckets: breakdown.buckets.map((bucket) => ({ ...bucket, held_on_chain: null, difference: null })),
      non_circulating_wallets: wallets.map((one) => {
        return { ...one, bucket: "", category: "treasury", label: "Treasury", balance: amount(14_000_000n) };
      }),
    },
  };
}

/** Puts the token on two chains: issued on one, and bridged to another, where the first wallet is. */
function onTwoChains(state: PageState): PageState {
  if (typeof state.breakdown === "number") throw new Error("no breakdown to change");
  const { breakdown } = state;
  const read = { ledger_version: "123456", at: breakdown.as_of };
  const amount = (whole: bigint) => ({ tokens: String(whole), base_units: String(whole * 10n ** 8n) });
  const row = { ledger_version: "123456", as_of: breakdown.as_of, block_hash: null, unavailable: null };
  const escrow = { chain: "native", address: addressAt(7), backs: ["base"], balance: amount(100_000_000n) };
  return {
    ...state,
    breakdown: {
      ...breakdown,
      confirmed_by: {
        ...breakdown.confirmed_by,
        nodes: ["upstream-1", "upstream-2", "base-1", "base-2"],
        chains: ["native", "base"].map((chain) => ({ chain, nodes: [`${chain}-1`, `${chain}-2`], ...read })),
      },
      chains: [
        { ...row, chain: "native", family: "move", chain_id: null, asset: breakdown.asset, supply: "issued" },
        { ...row, chain: "base", family: "evm", chain_id: 8453, asset: `0x${"c1".repeat(20)}`, supply: "bridged" },
      ].map((one, index) => ({
        ...one,
        minted_supply: index === 0 ? breakdown.minted_supply : amount(100_000_001n),
        escrow: index === 0 ? null : { ...escrow, difference: amount(-1n) },
      })) as NonNullable<SupplyBreakdown["chains"]>,
      non_circulating_wallets: breakdown.non_circulating_wallets.map((one, index) =>
        index > 0 ? one : { ...one, chain: "base", address: `0x${"7b".repeat(20)}` },
      ),
    },
  };
}

function product(number: number, changes: Partial<YieldProduct> = {}): YieldProduct {
  return {
    id: `product-${number}`,
    name: `Staking ${number}`,
    kind: "staking",
    provider: "Provider",
    url: "https://example.org/",
    chain: null,
    asset: { symbol: "XYZ", address: null, decimals: 8 },
    reward_assets: null,
    apy: 5.25 + number,
    apy_base: 5 + number,
    apy_reward: 0.25,
    apr: null,
    compounds_per_year: null,
    rate_type: "variable",
    window: "7d",
    apy_mean_7d: 5.4,
    apy_mean_7d_base: 5.15,
    apy_mean_7d_reward: 0.25,
    apy_mean_30d: 4.5 + number,
    apy_mean_30d_base: 4.25 + number,
    apy_mean_30d_reward: 0.25,
    apy_mean_30d_source: "history",
    apy_mean_90d: null,
    apy_mean_90d_base: null,
    apy_mean_90d_reward: null,
    apy_mean_365d: null,
    apy_mean_365d_base: null,
    apy_mean_365d_reward: null,
    apy_change_7d: null,
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

const NO_DAYS = { from: "2025-11-21", to: "2026-11-21", count: 0, data: [] };
/** Days before now with rows: seven days without one that was not observed. */
const DATES = [7, 6, 5, 3, 2, 1].map((days) => new Date(NOW_MS - days * 86_400_000).toISOString().slice(0, 10));

const OBSERVED = DATES.map((date) => ({
  date,
  total_supply: String(1_000_000_000n * 10n ** 8n),
  non_circulating_supply: String(622_000_000n * 10n ** 8n),
}));
/** Labels of forty characters, the longest allowed. */
const LONG = [
  "Ecosystem development and liquidity fund",
  "Strategic partnerships, second programme",
  "Unbreakable".repeat(4).slice(0, 40),
];
const USUAL = world(scheduleOf({}));
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `Allocation ${index + 1}`);

/** States for which the page is designed. */
export const STATES = {
  usual: USUAL,
  "unlocks of three sizes": world(scheduleOf({ isVaried: true })),
  "all down": { ...USUAL, rates: 503, breakdown: 503 },
  "3 buckets, 18 decimals": world(scheduleOf({ labels: FOUR.slice(1), decimals: 18 })),
  "25 buckets, 0 decimals": world(scheduleOf({ labels: numbered(25), decimals: 0 })),
  "labels of 40 characters": {
    ...world(scheduleOf({ labels: LONG })),
    rates: [
      product(1, { name: LONG[0] ?? "", provider: LONG[1] ?? "" }),
      product(2, { name: LONG[2] ?? "", provider: LONG[1] ?? "", stale_after: new Date(NOW_MS - 1_000).toISOString() }),
    ],
  },
  "right-to-left labels": {
    ...world(scheduleOf({ labels: ["المجتمع", "المساهمون الأساسيون", "מייסדים", "Investors"] })),
    rates: [product(1, { name: "تخزين سائل", provider: "مزود" })],
  },
  "table without buckets": world(tableOf()),
  "starts next month": world(scheduleOf({ start: "2026-12-12" })),
  ended: world(scheduleOf({ start: "2019-01-12", months: 36 })),
  "huge numbers": world(scheduleOf({ maximum: 9_007_199_254_740_991n })),
  "observed days": { ...USUAL, history: { ...NO_DAYS, count: OBSERVED.length, data: OBSERVED } },
  "other wallets and burned tokens": withOthers(USUAL, 5_000_000n, 8_000_000n),
  "more in circulation than planned": withMoved(USUAL, 47_000_000n),
  "most of what is locked in circulation": withMoved(world(scheduleOf({ labels: ["Team"] })), 400_000_000n),
  "locked in no listed wallet, not minted yet": withoutWallets(
    world(scheduleOf({ start: "2022-01-12", isListed: false })),
    150_000_000n,
  ),
  "token on two chains": onTwoChains(USUAL),
  "wallet that cannot be read": withWallet(
    USUAL,
    {
      anomaly: true,
      anomaly_reason: "It could not be read, the balance is an earlier one: the chain node answers 400.",
    },
    0,
  ),
  "old values": {
    ...withWallet(
      USUAL,
      {
        anomaly: true,
        anomaly_reason: "The balance fell by more than half; the last good balance is kept.",
        observed_balance: { tokens: "12345", base_units: "1234500000000" },
      },
      1_000,
      NOW_MS - 1_500_000,
    ),
    rates: [product(1, { stale_after: new Date(NOW_MS - 1_000).toISOString() }), product(2, { status: "paused" })],
  },
} satisfies Readonly<Record<string, PageState>>;

/** Patterns of the element with the page's schedule, of the tables of months, and of the time of the build. */
const [SCHEDULE_ELEMENT, MONTHS, BUILT] = [
  /<script [^>]*id="schedule-data">[^<]+<\/script>/,
  /<div class="months">[\s\S]+?<\/table><\/div><\/div>/,
  /(<time id="built" datetime=")[^"]+/,
];

/** Reads the schedule in the page's HTML as the page does. */
export function pageSchedule(html: string): UnlockSchedule {
  const [element = ""] = SCHEDULE_ELEMENT.exec(html) ?? [];
  return parseSchedule(element.replace(/^<[^>]+>|<\/script>$/g, ""));
}

/** Writes another schedule into the page's HTML, as the build does. */
export function pageOf(html: string, schedule: UnlockSchedule, nowMs: number): string {
  if (![SCHEDULE_ELEMENT, MONTHS, BUILT].every((part) => part.test(html)))
    throw new Error("the page's HTML has no schedule or time of its build to replace");
  const other = html
    .replace(BUILT, `$1${new Date(nowMs).toISOString()}`)
    .replace(SCHEDULE_ELEMENT, () => scheduleElement(scheduleText(schedule)))
    .replace(MONTHS, () => monthsTable(schedule, nowMs));
  return withSchedule(other, schedule, nowMs);
}

/** Replaces members of a document. A number is the failing status of a member's path, as the document reports it. */
export function documentWith(document: object, members: Readonly<Record<string, unknown>>): object {
  const failing = Object.keys(members).filter((name) => typeof members[name] === "number");
  const unavailable = failing
    .filter((name) => members[name] === 503)
    .map((name) => [name, { message: "The figure is not available now.", retry_after: 30 }]);
  return {
    ...document,
    ...members,
    ...Object.fromEntries(failing.map((name) => [name, null])),
    unavailable: Object.fromEntries(unavailable),
  };
}

/** Adds these members to the page's document from now on. */
export async function answerMembers(page: Page, members: Readonly<Record<string, unknown>>): Promise<void> {
  await page.route("**/api/page", async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: documentWith((await response.json()) as object, members) });
    } catch {
      // Ignored: the page was closed or loaded again meanwhile.
    }
  });
}

/** HTML of the page by state and address; a build does not change during the tests. */
const answers = new Map<
  string,
  { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
>();

/**
 * Makes every API response of a page that of one state, and sets its clock. Call it before the page is opened, because
 * the HTML contains the schedule.
 */
export async function enterState(page: Page, name: StateName): Promise<PageState> {
  const state: PageState = STATES[name];
  await page.clock.setFixedTime(state.nowMs);
  await page.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      const key = `${name} ${route.request().url()}`;
      let answer = answers.get(key);
      if (answer === undefined) {
        // The server may close an idle connection at the moment of its reuse.
        const response = await route.fetch({ maxRetries: 3 });
        const body = pageOf(await response.text(), state.schedule, state.nowMs);
        answer = { status: response.status(), headers: response.headers(), body };
        answers.set(key, answer);
      }
      await route.fulfill(answer);
    },
  );
  const { rates, breakdown } = state;
  const members = {
    supply: null,
    supply_breakdown: breakdown,
    rates: typeof rates === "number" ? rates : listingOf(rates, state.nowMs),
  };
  const asOf = typeof breakdown === "number" ? null : breakdown.as_of;
  await page.route("**/api/page", async (route) => {
    try {
      // As on the platform, whose clock is this page's.
      const headers = { Date: String(await page.evaluate("new Date().toUTCString()")) };
      await route.fulfill({ json: documentWith({ as_of: asOf }, members), headers });
    } catch {
      // Ignored: the page was closed or loaded again meanwhile.
    }
  });
  await page.route("**/api/page/history", (route) => route.fulfill({ json: state.history ?? NO_DAYS }));
  return state;
}

function listingOf(data: readonly YieldProduct[], nowMs: number): Rates {
  return { as_of: new Date(nowMs).toISOString(), count: data.length, data: [...data] };
}
