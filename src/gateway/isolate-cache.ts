import type { LedgerPoint } from "../chain/ledger-point.ts";
import {
  ageMs,
  cacheKeyOf,
  canServeStale,
  isBeingRenewed,
  isFresh,
  isNotBelow,
  isStorable,
  isTimeless,
  mayBeImmutable,
} from "./cache/freshness.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource } from "./response-headers.ts";
import type { TipMemory } from "./tip/known-tip.ts";
import { markOfResponse } from "./tip/known-tip.ts";

/** Head start of the data centre's cache before the shield is called in parallel. */
const CACHE_HEAD_START_MS = 5;
/** Clocks of machines in one data centre differ by less than this. */
const CLOCK_SKEW_MS = 20;
/** At most this often one isolate of a data centre refreshes a response that the others have too. */
const CLAIM_MS = 60;

/** An isolate's memory, and the data centre's cache behind it. */
export class IsolateCache {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;

  constructor(ports: GatewayPorts, known: TipMemory) {
    this.#ports = ports;
    this.#known = known;
  }

  /** A response from memory that may be served, as far as this isolate knows. */
  fromMemory(
    request: NodeRequest,
    { admission, minVersion }: GatewayContext,
    isUsable = isFresh,
  ): Candidate | undefined {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !isUsable(value, this.#known.tip, this.#ports.now())) return undefined;
    const mark = isTimeless(value, request) ? this.#known.mark : markOfResponse(value);
    if (minVersion !== null && (mark === null || mark.version < minVersion)) return undefined;
    return isNotBelow(value, request, admission.seenHere()) ? this.#found(value, "memory") : undefined;
  }

  /**
   * A tip response that another isolate of the data centre received in the last second. Of the isolates that find one
   * expired, one calls the shield while the others serve it. Without this every isolate would call for every key. What
   * may be immutable is looked up in parallel with the limiter's call instead.
   */
  async fromDataCentre(request: NodeRequest, context: GatewayContext): Promise<Candidate | undefined> {
    if (request.mode !== "read" || this.#known.tip === null || mayBeImmutable(request)) return undefined;
    await this.learn(request);
    const fresh = this.fromMemory(request, context);
    if (fresh !== undefined) return { ...fresh, source: "cache" };
    const expired = this.fromMemory(request, context, isBeingRenewed);
    return expired !== undefined && !(await this.claimRenewal(request)) ? expired : undefined;
  }

  /** The data centre's cached response, if it is fast. */
  async find(request: NodeRequest): Promise<Candidate | undefined> {
    const value = await this.learn(request);
    const isUsable = value !== undefined && isFresh(value, this.#known.tip, this.#ports.now());
    return isUsable ? this.#found(value, "cache") : undefined;
  }

  /** A response from memory that is young enough, and not below the floor, for a time without shield. */
  lastGood(request: NodeRequest, floor: LedgerPoint | null): Candidate | undefined {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !canServeStale(value) || !isNotBelow(value, request, floor)) return undefined;
    const found = this.#found(value, "stale");
    return found.ageMs <= this.#ports.staleIfErrorSeconds * 1_000 ? found : undefined;
  }

  store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (!isStorable(value)) return;
    this.#ports.memory.set(key, value);
    // A "not found yet" lasts half a second: too short to share.
    if (value.seconds >= 1) waitUntil(this.#ports.cache(`${value.epoch} ${key}`, value));
  }

  /** Copies the data centre's cached response to memory, if the cache is fast. */
  async learn(request: NodeRequest): Promise<CachedResponse | undefined> {
    const found = await this.#quickly(this.#ports.cached(this.#sharedKey(request)));
    if (found === undefined || this.#known.tip === null) return found;
    // Another machine's clock may be behind this one's.
    const value = found.retention === "immutable" ? found : { ...found, storedAtMs: found.storedAtMs - CLOCK_SKEW_MS };
    const { epoch, ledger, retention, storedAtMs } = value;
    const key = cacheKeyOf(request);
    const known = this.#ports.memory.get(key);
    if (known === undefined || isNewer(value, known)) this.#ports.memory.set(key, value);
    const confirmedAtMs = retention === "until-tip" ? storedAtMs : Number.NEGATIVE_INFINITY;
    if (ledger !== null) this.#known.learn({ epoch, ledger, confirmedAtMs });
    return value;
  }

  /** Whether this isolate should renew a response: true for one isolate of the data centre at a time. */
  async claimRenewal(request: NodeRequest): Promise<boolean> {
    return (await this.#quickly(this.#ports.claim(`renewal ${this.#sharedKey(request)}`, CLAIM_MS))) ?? true;
  }

  async #quickly<T>(looking: Promise<T | undefined>): Promise<T | undefined> {
    return Promise.race([looking, this.#ports.sleep(CACHE_HEAD_START_MS).then(() => undefined)]);
  }

  #sharedKey(request: NodeRequest): string {
    return `${this.#known.epoch} ${cacheKeyOf(request)}`;
  }

  #found(value: CachedResponse, source: CacheSource): Candidate {
    return { value, source, ageMs: ageMs(value, this.#known.tip, this.#ports.now()), ...NOT_NOTED };
  }
}

/** Made at a later ledger, or reported later at the same one. */
function isNewer(value: CachedResponse, known: CachedResponse): boolean {
  const [version, knownVersion] = [value.ledger?.version ?? 0n, known.ledger?.version ?? 0n];
  return version === knownVersion ? value.storedAtMs > known.storedAtMs : version > knownVersion;
}
