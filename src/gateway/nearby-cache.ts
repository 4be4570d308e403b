import { ageMs, cacheKeyOf, isFresh, isStorable } from "./cache/freshness.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { TipMemory } from "./tip/tip-memory.ts";

/** Head start of the data centre's cache before the shield is called in parallel. */
const CACHE_HEAD_START_MS = 5;
/** Clocks of machines in one data centre differ by less than this. */
const CLOCK_SKEW_MS = 20;
/** At most this often one isolate of a data centre refreshes a response that the others have too. */
const CLAIM_MS = 60;

/** The data centre's cache behind the isolate's memory. */
export class NearbyCache {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;

  constructor(ports: GatewayPorts, known: TipMemory) {
    this.#ports = ports;
    this.#known = known;
  }

  /** The data centre's cached response, if it is fast. */
  async find(request: NodeRequest): Promise<Candidate | undefined> {
    const value = await this.learn(request);
    if (value === undefined || !isFresh(value, this.#known.tip, this.#ports.now())) return undefined;
    return { value, source: "cache", ageMs: ageMs(value, this.#known.tip, this.#ports.now()), ...NOT_NOTED };
  }

  /** Copies the data centre's cached response to memory, if the cache is fast. */
  async learn(request: NodeRequest): Promise<CachedResponse | undefined> {
    const found = await this.#quickly(this.#ports.cached(this.#cacheKey(request)));
    if (found === undefined || this.#known.tip === null) return found;
    // Another machine's clock may be behind this one's.
    const value = found.retention === "immutable" ? found : { ...found, storedAtMs: found.storedAtMs - CLOCK_SKEW_MS };
    const { epoch, ledger, retention, storedAtMs } = value;
    const key = cacheKeyOf(request);
    const known = this.#ports.memory.get(key);
    if (known === undefined || isNewer(value, known)) this.#ports.memory.put(key, value);
    const confirmedAtMs = retention === "until-tip" ? storedAtMs : Number.NEGATIVE_INFINITY;
    if (ledger !== null) this.#known.learn({ epoch, ledger, confirmedAtMs });
    return value;
  }

  /** Whether this isolate should renew a response: true for one isolate of the data centre at a time. */
  async claimRenewal(request: NodeRequest): Promise<boolean> {
    return (await this.#quickly(this.#ports.claim(`renewal ${this.#cacheKey(request)}`, CLAIM_MS))) ?? true;
  }

  store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (!isStorable(value)) return;
    this.#ports.memory.put(key, value);
    // A "not found yet" lasts half a second: too short to share.
    if (value.seconds >= 1) waitUntil(this.#ports.cache(`${value.epoch} ${key}`, value));
  }

  async #quickly<T>(looking: Promise<T | undefined>): Promise<T | undefined> {
    return Promise.race([looking, this.#ports.sleep(CACHE_HEAD_START_MS).then(() => undefined)]);
  }

  #cacheKey(request: NodeRequest): string {
    return `${this.#known.epoch} ${cacheKeyOf(request)}`;
  }
}

/** Made at a later ledger, or reported later at the same one. */
function isNewer(value: CachedResponse, known: CachedResponse): boolean {
  const [version, knownVersion] = [value.ledger?.version ?? 0n, known.ledger?.version ?? 0n];
  return version === knownVersion ? value.storedAtMs > known.storedAtMs : version > knownVersion;
}
