/** The chain behind the upstreams, as the home object stores it for all regions. */
export interface Chain {
  /** Time at which this chain replaced another one, in milliseconds since 1970; 0 for the first chain. */
  readonly era: number;
  /** null until an upstream has reported a chain id. */
  readonly chainId: number | null;
  /** Origins of the upstreams that have served this chain. */
  readonly servedBy: readonly string[];
  /** Report of the upstreams when this chain replaced another one, as a text for people; null for the first chain. */
  readonly replaced: string | null;
}

/** Evidence about the chain: an upstream serves this chain id, or the era `ended` is over. Plain data. */
export interface ChainReport {
  readonly chainId: number;
  readonly servedBy: string | null;
  readonly ended: { readonly era: number; readonly replaced: Chain["replaced"] } | null;
}

/** Settings of the home object that identify the chain. */
interface ConfiguredChain {
  /** `CHAIN_ID`; null: the chain id is learned from the upstreams. */
  readonly chainId: number | null;
  readonly origins: readonly string[];
}

/**
 * Applies the settings to the stored chain. A new era begins at once when the configured chain id changed. Without a
 * configured id it begins when no upstream has ever served the stored chain.
 */
export function chainForSettings(stored: Chain | null, { chainId, origins }: ConfiguredChain, nowMs: number): Chain {
  if (stored === null) return { era: 0, chainId, servedBy: [], replaced: null };
  const isServed = stored.servedBy.length === 0 || stored.servedBy.some((origin) => origins.includes(origin));
  const isSame = chainId === null ? isServed : stored.chainId === null || stored.chainId === chainId;
  if (!isSame) return nextChain(stored, chainId, "the settings name another chain", nowMs);
  return chainId === null || chainId === stored.chainId ? stored : { ...stored, chainId };
}

/** Applies a report to the chain. The first report that an era has ended begins the next era for all objects. */
export function chainAfterReport(chain: Chain, { chainId, servedBy, ended }: ChainReport, nowMs: number): Chain {
  if (ended !== null && ended.era >= chain.era) return nextChain(chain, chainId, ended.replaced, nowMs);
  const identified = chain.chainId === null ? { ...chain, chainId } : chain;
  const isNew = servedBy !== null && identified.chainId === chainId && !identified.servedBy.includes(servedBy);
  return isNew ? { ...identified, servedBy: [...identified.servedBy, servedBy].slice(-MAX_ORIGINS) } : identified;
}

const MAX_ORIGINS = 16;

function nextChain({ era }: Chain, chainId: number | null, replaced: Chain["replaced"], nowMs: number): Chain {
  return { era: Math.max(nowMs, era + 1), chainId, servedBy: [], replaced };
}
