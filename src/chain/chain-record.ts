/** The chain behind the upstreams, as the home object stores it for all regions. */
export interface Chain {
  /** When it replaced another one, milliseconds since 1970; 0 for the first. */
  readonly era: number;
  /** Null until an upstream has reported one. */
  readonly chainId: number | null;
  /** Origins of the upstreams that have served it. */
  readonly servedBy: readonly string[];
  /** What the upstreams reported when it replaced another one, for people; null for the first. */
  readonly replaced: string | null;
}

/** What an object found out: an upstream serves this chain id, or the era `ended` is over. Plain data. */
export interface ChainReport {
  readonly chainId: number;
  readonly servedBy: string | null;
  readonly ended: { readonly era: number; readonly replaced: Chain["replaced"] } | null;
}

/** What the home object's settings say of the chain. */
interface ChainSettings {
  /** `CHAIN_ID`; null: learned from the upstreams. */
  readonly chainId: number | null;
  readonly origins: readonly string[];
}

/**
 * The chain under the home object's settings. Another configured chain id, or only upstreams that have never served the
 * stored chain when none is configured, is the operator's word that the chain was replaced: an era begins at once.
 */
export function chainUnder(stored: Chain | null, { chainId, origins }: ChainSettings, nowMs: number): Chain {
  if (stored === null) return { era: 0, chainId, servedBy: [], replaced: null };
  const isServed = stored.servedBy.length === 0 || stored.servedBy.some((origin) => origins.includes(origin));
  const isSame = chainId === null ? isServed : stored.chainId === null || stored.chainId === chainId;
  if (!isSame) return nextChain(stored, chainId, "the settings name another chain", nowMs);
  return chainId === null || chainId === stored.chainId ? stored : { ...stored, chainId };
}

/** The chain after a report. The first object to report the end of an era begins the next one, for all objects. */
export function chainAfter(chain: Chain, { chainId, servedBy, ended }: ChainReport, nowMs: number): Chain {
  if (ended !== null && ended.era >= chain.era) return nextChain(chain, chainId, ended.replaced, nowMs);
  const known = chain.chainId === null ? { ...chain, chainId } : chain;
  const isNew = servedBy !== null && known.chainId === chainId && !known.servedBy.includes(servedBy);
  return isNew ? { ...known, servedBy: [...known.servedBy, servedBy].slice(-MAX_ORIGINS) } : known;
}

const MAX_ORIGINS = 16;

function nextChain({ era }: Chain, chainId: number | null, replaced: Chain["replaced"], nowMs: number): Chain {
  return { era: Math.max(nowMs, era + 1), chainId, servedBy: [], replaced };
}
