import type { LedgerMark, LedgerPoint } from "../../chain/ledger-point.ts";
import type { Config } from "../../config.ts";
import type { NoteTarget } from "../../http/handler.ts";
import { placement } from "../../placement/location-hint.ts";
import { within } from "../platform.ts";
import type { Recognition } from "../upstream/recognize-chain.ts";
import { HOME, HOME_NAME, headName } from "./routing.ts";

/** A class of objects, by name. */
interface ObjectClass<Calls> {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId, options: DurableObjectNamespaceGetDurableObjectOptions): Calls;
}

/** What a shield object calls at another one: see the methods of its class. */
interface ShieldCalls {
  recognition(region: string | null, epoch: number, isSuspicious: boolean): PromiseLike<Recognition | null>;
  noteContradictions(indexes: readonly number[]): PromiseLike<void>;
}

interface LimiterCalls {
  note(key: string, mark: LedgerMark): PromiseLike<LedgerPoint>;
}

export interface PeerBindings {
  readonly SHIELD: ObjectClass<ShieldCalls>;
  readonly LIMITER: ObjectClass<LimiterCalls>;
}

const NOTE_DEADLINE_MS = 1_000;
/** Longer than an upstream that hangs delays a recognition. */
const RECOGNITION_DEADLINE_MS = 4_000;

/** The object of that name, created near that region when it is called first. */
export function objectAt<Calls>(
  objects: ObjectClass<Calls>,
  name: string,
  region: string,
  homeRegion: Config["homeRegion"],
): Calls {
  return objects.get(objects.idFromName(name), placement(region, homeRegion));
}

/** The calls of a shield object to other objects. None rejects. */
export class Peers {
  readonly #bindings: PeerBindings;
  readonly #homeRegion: Config["homeRegion"];

  constructor(bindings: PeerBindings, homeRegion: Config["homeRegion"]) {
    this.#bindings = bindings;
    this.#homeRegion = homeRegion;
  }

  isHead(id: DurableObjectId, region: string): boolean {
    return this.#bindings.SHIELD.idFromName(headName(region)).equals(id);
  }

  /** What the head of a region knows of the chain, or the home object when that is null. Null when it is unknown. */
  recognition(region: string | null, epoch: number, isSuspicious: boolean): Promise<Recognition | null> {
    const name = region === null ? HOME_NAME : headName(region);
    const recognizing = this.#shield(name, region ?? HOME).recognition(region, epoch, isSuspicious);
    return within<Recognition | null>(RECOGNITION_DEADLINE_MS, recognizing, null);
  }

  /** Reports to the home object, for its health report, that these upstreams' ledger versions cannot be trusted. */
  reportContradictions(indexes: readonly number[]): Promise<void> {
    return within<void>(NOTE_DEADLINE_MS, this.#shield(HOME_NAME, HOME).noteContradictions(indexes), undefined);
  }

  /** Records a mark at a caller's object. Null when that does not respond. */
  note({ object, region, key }: NoteTarget, mark: LedgerMark): Promise<LedgerPoint | null> {
    const limiter = objectAt(this.#bindings.LIMITER, object, region, this.#homeRegion);
    return within<LedgerPoint | null>(NOTE_DEADLINE_MS, limiter.note(key, mark), null);
  }

  #shield(name: string, region: string): ShieldCalls {
    return objectAt(this.#bindings.SHIELD, name, region, this.#homeRegion);
  }
}
