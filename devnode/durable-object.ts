import { DurableObject } from "cloudflare:workers";
import { type NodeConfig, parseNodeConfig } from "./config.ts";
import { economyOf } from "./economy.ts";
import { faucetSigner } from "./faucet-signer.ts";
import { genesisHistory } from "./genesis-history.ts";
import { answer } from "./http/handle-request.ts";
import { openLedger, type RunningLedger } from "./ledger/ledger.ts";
import type { Storage } from "./ledger/storage.ts";
import type { Timer } from "./ledger/transaction-waiters.ts";
import { nativeMachine } from "./native-machine.ts";
import { replayHistory } from "./replay-history.ts";
import { transactionCodec } from "./transaction-codec.ts";

const AFTER_FAILURE_MS = 1_000;
/** An object has 128 MiB; a pooled transaction takes about three times its size. */
const MEMPOOL_BYTES = 16 * 1024 * 1024;

/** The Durable Object of the embedded node: storage, clock and alarm around the ledger. It handles every request. */
export class ChainObject extends DurableObject {
  readonly #config: NodeConfig;
  readonly #ledger: RunningLedger;
  #armedMs = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    const parsed = parseNodeConfig({ ...env });
    if (parsed.kind === "problems") throw new Error(parsed.problems.join("; "));
    this.#config = parsed.config;
    this.#ledger = openLedger(settingsOf(parsed.config), {
      storage: durable(ctx.storage),
      machine: nativeMachine(parsed.config),
      codec: transactionCodec(parsed.config.transactionHash),
      faucet: faucetSigner(parsed.config.chainId, economyOf(parsed.config.genesisSupply).gas),
      nowMs: () => Date.now(),
      timer,
      logUnexpected,
      onChange: () => this.#arm(),
    });
    // No request is handled before the genesis history is complete. On later starts there is nothing left to replay.
    ctx.blockConcurrencyWhile(async () => {
      await replayHistory(this.#ledger, genesisHistory(parsed.config.chainId, parsed.config.genesisSupply));
      this.#arm();
    });
  }

  override fetch(request: Request): Promise<Response> {
    const { headerPrefix, statelessAccounts, revision } = this.#config;
    const settings = { headerPrefix, statelessAccounts, revision };
    return answer(request, { ledger: this.#ledger, settings, nowMs: Date.now() }, logUnexpected);
  }

  override alarm(): void {
    this.#armedMs = Number.POSITIVE_INFINITY;
    try {
      this.#ledger.tick();
    } catch (cause) {
      // The block was rolled back. The platform stops retrying an alarm after a few failures; a chain must go on.
      logUnexpected(cause);
      this.#arm(Date.now() + AFTER_FAILURE_MS);
    }
  }

  /** An alarm, not a timer: it survives a restart and wakes the object. It is only ever moved earlier. */
  #arm(dueMs = this.#ledger.dueAtMs()): void {
    if (dueMs >= this.#armedMs) return;
    this.#armedMs = dueMs;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(dueMs));
  }
}

function settingsOf(config: NodeConfig) {
  return {
    chainId: config.chainId,
    pruneWindow: config.pruneWindow,
    blockMs: config.blockMs,
    heartbeatMs: config.heartbeatSeconds * 1_000,
    mempool: {
      capacity: config.mempoolCapacity,
      capacityBytes: MEMPOOL_BYTES,
      perAccount: config.mempoolPerAccount,
      timeToLiveMs: config.mempoolSeconds * 1_000,
    },
  };
}

function durable(storage: DurableObjectStorage): Storage {
  return {
    run: (statement, ...values) => storage.sql.exec(statement, ...values).toArray(),
    atomically: (work) => storage.transactionSync(work),
  };
}

const timer: Timer = (delayMs, work) => {
  const handle = setTimeout(work, delayMs);
  return () => clearTimeout(handle);
};

function logUnexpected(cause: unknown): void {
  console.error(JSON.stringify({ event: "unexpected", cause: cause instanceof Error ? cause.stack : String(cause) }));
}
