import type { FileError } from "../../base/file/file-errors.ts";
import { parseDay } from "../../base/utc.ts";
import { type Holding, NATIVE_CHAIN } from "../../chain/holding.ts";
import type { SharePrice } from "../../chain/share-price.ts";
import { NATIVE_STAKING } from "../../chain/staking.ts";
import type { CirculatingView } from "../../families/chain-node.ts";
import { type ChainFamily, DEFAULT_FAMILY, familyOf } from "../../families/family.ts";
import {
  type FirstChainSettings,
  firstFamily,
  furtherChains,
  statedFirst,
  type TokenChain,
} from "../../families/token-chain.ts";
import type { Bucket, Constant, Phase } from "../schedule.ts";
import { parseSignedAmount } from "./amount.ts";
import type {
  FileBucket,
  FileChain,
  FileConstant,
  FileHolding,
  FilePhase,
  FileSharePrice,
  FileWallet,
  ScheduleFile,
} from "./schedule-file.ts";
import type { ScheduleResult } from "./schedule-result.ts";
import { calendarOf } from "./steps.ts";
import { type ScheduleDraft, type UnlockDraft, validateSchedule } from "./validate-schedule.ts";

/**
 * Makes a schedule of a file whose shape is valid, or lists all its errors. They are about values that a schema cannot
 * check, then about sums, order and bounds. It also runs in the browser, where a reader computes the published file
 * again. `first`: settings of the first chain.
 */
export function scheduleOfFile(file: ScheduleFile, first: FirstChainSettings = {}): ScheduleResult {
  const reader = new ValueReader(file, firstFamilyOf(file, first));
  const draft = reader.draft(file);
  return errorResult(reader.errors) ?? validateSchedule(draft, reader.families);
}

export function errorResult([first, ...others]: readonly FileError[]): ScheduleResult | undefined {
  return first === undefined ? undefined : { kind: "errors", errors: [first, ...others] };
}

/** Returns the family of a file's first chain. */
export function firstFamilyOf({ chains }: ScheduleFile, first: FirstChainSettings): ChainFamily {
  const stated = statedFirst(chains);
  return firstFamily(stated && { family: stated.family, chainId: stated.chain_id }, first);
}

/** Schedule file with an unlock schedule. */
type PlanFile = Extract<ScheduleFile, { readonly start: string }>;

/** Whether a file has an unlock schedule, and not wallets alone. */
function hasPlan(file: ScheduleFile): file is PlanFile {
  return file.table !== undefined || file.buckets !== undefined;
}

/** Parser of amounts and addresses. A value with an error becomes a placeholder, so that all errors are found. */
class ValueReader {
  readonly errors: FileError[] = [];
  readonly #decimals: number;
  readonly families: ReadonlyMap<string, ChainFamily>;
  /** Whether the file lists the token's chains, so that other chain ids are errors. */
  readonly #isClosed: boolean;

  constructor({ token, chains }: ScheduleFile, family: ChainFamily) {
    this.#decimals = token.decimals;
    // Settings may name another network, so the first chain's family is not always the one in the file.
    this.families = new Map([
      [NATIVE_CHAIN, family],
      ...furtherChains(chains).map((each) => [each.id, each.family] as const),
    ]);
    this.#isClosed = chains !== undefined;
  }

  /**
   * Makes the draft with its members in a fixed order, because a published revision is identified by a hash of them.
   */
  draft(file: ScheduleFile): ScheduleDraft {
    const { publisher, sources, token } = file;
    const published = {
      revision: file.revision,
      publishedAt: file.published_at,
      ...(publisher === undefined ? {} : { publisher }),
      sources: sources.map(({ title, url }) => ({ title, url })),
      methodology: file.methodology ?? null,
      sample: file.sample ?? false,
      token: { symbol: token.symbol, name: token.name, decimals: token.decimals },
      ...(file.minted_once === true ? ({ mintedOnce: true } as const) : {}),
      ...(file.constants === undefined ? {} : { constants: this.#constants(file.constants) }),
      ...(file.share_prices === undefined ? {} : { sharePrices: this.#sharePrices(file.share_prices) }),
    };
    if (!hasPlan(file)) {
      const maxSupply = file.max_supply === null ? null : this.#amount("max_supply", file.max_supply);
      return { ...published, maxSupply, plan: null, ...this.#places(file) };
    }
    return {
      ...published,
      maxSupply: this.#amount("max_supply", file.max_supply),
      calendar: calendarOf(dayMs(file.start), file.step_day),
      ...this.#plan(file),
      ...this.#places(file),
    };
  }

  #constants(constants: readonly FileConstant[]): readonly Constant[] {
    return constants.map(({ label, category, amount, source, date }, index) => ({
      label,
      category,
      amount: this.#amount(`constants[${index}].amount`, amount),
      source,
      fromMs: dayMs(date),
    }));
  }

  #sharePrices(prices: readonly FileSharePrice[]): readonly SharePrice[] {
    const first = new Map([[NATIVE_STAKING, "the chain's own product"]]);
    return prices.map(({ url = null, asset, ...file }, index) => {
      const path = `share_prices[${index}]`;
      const earlier = first.get(file.id);
      if (earlier !== undefined) this.#error(`${path}.id`, `${file.id} is also the id of ${earlier}`);
      else first.set(file.id, path);
      const family = this.families.get(file.chain);
      if (family === undefined) this.#unknownChain(path, file.chain);
      else if (!familyOf(family).priceViews.includes(file.view)) {
        const { priceViews, chain } = familyOf(family);
        const remedy =
          priceViews.length === 0
            ? "name a chain of another family, or remove the price"
            : `it has ${priceViews.join(", ")}`;
        this.#error(`${path}.view`, `${file.view} cannot be read on ${chain}: ${remedy}`);
        return { ...file, url, asset: { address: null, decimals: null, ...asset } };
      }
      const contract = this.#address(`${path}.contract`, file.chain, file.contract);
      return { ...file, contract, url, asset: { address: null, decimals: null, ...asset } };
    });
  }

  /** Parses the addresses of a token: its chains and its wallets. */
  #places({
    wallets = [],
    chains,
  }: Pick<ScheduleFile, "chains"> & { readonly wallets?: readonly FileWallet[] }): Pick<
    ScheduleDraft,
    "wallets" | "chains"
  > {
    return {
      wallets: wallets.map((wallet, index) => ({
        ...this.#holding(`wallets[${index}]`, wallet),
        category: wallet.category,
      })),
      ...(chains === undefined ? {} : { chains: chains.map((chain, index) => this.#chain(`chains[${index}]`, chain)) }),
    };
  }

  #chain(
    path: string,
    { id, family, chain_id: chainId, asset: text, supply = "issued", escrow, circulating_view: stated }: FileChain,
  ): TokenChain {
    const { asset: form, maxChainId } = familyOf(family);
    if (chainId > maxChainId)
      this.#error(
        `${path}.chain_id`,
        `must be at most ${maxChainId} on a chain of the family ${family}, not ${chainId}`,
      );
    const parsed = form.parse(text);
    if (parsed === undefined)
      this.#error(`${path}.asset`, `must be ${form.form} (its family is ${family}), not ${JSON.stringify(text)}`);
    if (id === NATIVE_CHAIN && supply === "bridged")
      this.#error(`${path}.supply`, "must be issued: the first chain is the one that the others are bridged from");
    const circulatingView = stated && this.#circulatingView(`${path}.circulating_view`, family, stated);
    const chain = {
      ...{ id, family, chainId, asset: parsed ?? { kind: "", text: "" } },
      ...(circulatingView === undefined ? {} : { circulatingView }),
    } as const;
    if (supply === "issued") {
      if (escrow !== undefined)
        this.#error(`${path}.escrow`, "must not be given: an issued supply is backed by nothing; or supply is bridged");
      return { ...chain, supply, escrow: null };
    }
    if (escrow === undefined)
      this.#error(`${path}.escrow`, "missing: a bridged supply stands for what is locked on another chain; name where");
    const place = { chain: NATIVE_CHAIN, address: "0x0", label: "", holds: "account", ...escrow } as const;
    const { chain: where, address } = this.#holding(`${path}.escrow`, place);
    return { ...chain, supply, escrow: { chain: where, address } };
  }

  #circulatingView(path: string, family: ChainFamily, { contract, view }: CirculatingView): CirculatingView {
    const { address, circulatingViews, chain } = familyOf(family);
    if (!circulatingViews.includes(view)) this.#error(path, `must not be given: ${chain} has no contract with ${view}`);
    const parsed = address.parse(contract);
    if (parsed === undefined)
      this.#error(`${path}.contract`, `must be ${address.form}, not ${JSON.stringify(contract)}`);
    return { contract: parsed ?? "", view };
  }

  #error(path: string, message: string): void {
    this.errors.push({ path, message });
  }

  #plan(file: PlanFile): Pick<UnlockDraft, "plan" | "adjustments"> {
    if (file.table !== undefined) {
      const table = file.table.map(({ month, circulating }, index) => ({
        month,
        circulating: this.#amount(`table[${index}].circulating`, circulating),
      }));
      return { plan: { kind: "table", table }, adjustments: [] };
    }
    const buckets = file.buckets.map((bucket, index) => this.#bucket(`buckets[${index}]`, bucket));
    const adjustments = (file.adjustments ?? []).map(({ month, bucket, delta, kind, source, published_at }, index) => ({
      month,
      bucket,
      delta: this.#amount(`adjustments[${index}].delta`, delta),
      kind,
      source,
      publishedAt: published_at ?? null,
    }));
    return { plan: { kind: "buckets", buckets }, adjustments };
  }

  #bucket(path: string, { id, label, category, source, precision, ...file }: FileBucket): Bucket {
    return {
      id,
      label,
      category,
      allocation: this.#amount(`${path}.allocation`, file.allocation),
      genesis: this.#amount(`${path}.genesis`, file.genesis),
      phases: file.phases.map((phase, index) =>
        phaseOf(phase, this.#amount(`${path}.phases[${index}].amount`, phase.amount)),
      ),
      addresses: (file.addresses ?? []).map((each, index) => this.#holding(`${path}.addresses[${index}]`, each)),
      ...(source === undefined ? {} : { source }),
      ...(precision === undefined ? {} : { precision }),
    };
  }

  /** Parses an amount. The schema has accepted its text, so the only error left is more decimals than the token has. */
  #amount(path: string, text: string): bigint {
    const units = parseSignedAmount(text, this.#decimals);
    if (units !== undefined) return units;
    const digits = text.length - text.indexOf(".") - 1;
    this.errors.push({ path, message: `${text} has ${digits} fraction digits; the token has ${this.#decimals}` });
    return 0n;
  }

  #unknownChain(path: string, chain: string): void {
    const ids = [...this.families.keys()].join(", ");
    this.#error(`${path}.chain`, `must be one of ${ids}, or be added to chains, not ${JSON.stringify(chain)}`);
  }

  /** Parses an address by its chain's family; on a chain of an unknown family it stays as it is. */
  #address(path: string, chain: string, text: string): string {
    const family = this.families.get(chain);
    if (family === undefined) return text;
    const { parse, form } = familyOf(family).address;
    const parsed = parse(text);
    const why =
      family === DEFAULT_FAMILY
        ? ""
        : ` (${chain === NATIVE_CHAIN ? "CHAIN_FAMILY" : `the family of ${chain}`} is ${family})`;
    if (parsed === undefined) this.#error(path, `must be ${form}${why}, not ${JSON.stringify(text)}`);
    return parsed ?? "";
  }

  #holding(path: string, { chain, label, holds, ...file }: FileHolding): Holding {
    const family = this.families.get(chain);
    const address = (name: "address" | "pool" | "operator" | "contract") =>
      this.#address(`${path}.${name}`, chain, file[name] ?? "");
    if (family === undefined && this.#isClosed) this.#unknownChain(path, chain);
    const { holds: kinds, chain: where, lockViews } = familyOf(family ?? DEFAULT_FAMILY);
    if (family !== undefined && !kinds.includes(holds))
      this.#error(`${path}.holds`, `must be ${kinds.join(" or ")} on ${where}, not ${holds}`);
    const owner = { chain, address: address("address"), label };
    if (holds === "delegation") return { ...owner, holds, pool: address("pool") };
    if (holds === "staking_contract") return { ...owner, holds, operator: address("operator") };
    if (holds !== "lock") return { ...owner, holds };
    const { view = "", contract } = file;
    const isAboutAddress = lockViews[view]?.subject === "address";
    if (lockViews[view] !== undefined && isAboutAddress !== (contract !== undefined))
      this.#error(
        `${path}.contract`,
        isAboutAddress
          ? `missing: ${view} is about an address; name the contract that is asked`
          : `must not be given: ${view} is asked of the address itself`,
      );
    return { ...owner, holds, view, contract: contract === undefined ? null : address("contract") };
  }
}

function phaseOf(phase: FilePhase, amount: bigint): Phase {
  switch (phase.kind) {
    case "never":
      return { kind: phase.kind, amount };
    case "cliff":
      return { kind: phase.kind, amount, month: phase.month };
    case "installments": {
      const { count } = phase;
      if ("first_day" in phase)
        return { kind: "daily", amount, firstDay: phase.first_day, count, everyDays: phase.every_days };
      return { kind: "monthly", amount, firstMonth: phase.first_month, count, everyMonths: phase.every_months };
    }
    case "linear":
      return { kind: phase.kind, amount, fromMs: dayMs(phase.from), toMs: dayMs(phase.to) };
  }
}

/** Parses a day that the schema has accepted already. */
function dayMs(text: string): number {
  return parseDay(text) ?? Number.NaN;
}
