import type { Effects } from "../vm/effects.ts";
import { isFeeWaived } from "../vm/prologue.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import type { Signer, UserTransaction } from "../vm/user-transaction.ts";
import type { GasEstimate, SimulateOptions, SimulateResult } from "./api.ts";
import type { CommittedChain } from "./committed-chain.ts";
import type { DecodedTransaction, Gas, Machine, TransactionCodec } from "./ports.ts";
import { tooLarge } from "./submit.ts";

export interface SimulatePorts {
  readonly chain: CommittedChain;
  readonly machine: Machine;
  readonly codec: TransactionCodec;
  readonly gasEstimate: () => GasEstimate;
}

const ZERO_HASH = new Uint8Array(32);

/** Runs a transaction on the tip's state and discards its effects. A valid signature is refused. */
export async function simulate(
  ports: SimulatePorts,
  signedBytes: Uint8Array,
  options: SimulateOptions,
): Promise<SimulateResult> {
  if (signedBytes.length > ports.machine.maxTransactionBytes)
    return { kind: "invalid_input", message: tooLarge(ports.machine, signedBytes) };
  const intake = ports.codec.decode(signedBytes);
  if (intake.kind === "invalid_input") return intake;
  const { candidate } = intake;
  if ((await intake.verifySignatures()) === undefined) return { kind: "valid_signature" };
  const gas = gasFor(ports, candidate, options);
  const unsigned = withoutKeys({ ...candidate.transaction, ...gas });
  const effects = effectsOf(ports.machine.simulate(unsigned, ports.chain.stores.state.newest));
  const { tip } = ports.chain;
  return {
    kind: "simulated",
    transaction: {
      kind: "user",
      version: tip.last,
      height: tip.height,
      block: tip,
      hash: candidate.hash,
      body: ports.codec.withGas(signedBytes, gas),
      gasUsed: Number(effects.gasUsed),
      status: effects.status,
      stateChange: ZERO_HASH,
      eventRoot: ZERO_HASH,
      checkpoint: null,
      root: ZERO_HASH,
      events: effects.events,
      changes: effects.changes,
    },
  };
}

/** A transaction that could not enter a block is reported as a failed run without effects. */
function effectsOf(outcome: Outcome): Effects {
  if (outcome.kind === "committed") return outcome.effects;
  const { status: name, message } = outcome.failure;
  return { status: { kind: "named", name, message: message ?? null }, gasUsed: 0n, changes: [], events: [] };
}

/** A simulated signature proves nothing, so its keys are not compared with the accounts' either. */
function withoutKeys(transaction: UserTransaction): UserTransaction {
  const unproven = (signer: Signer): Signer => ({ ...signer, authenticationKey: null });
  return {
    ...transaction,
    sender: unproven(transaction.sender),
    secondary: transaction.secondary.map(unproven),
    feePayer: transaction.feePayer === null ? null : unproven(transaction.feePayer),
  };
}

function gasFor(ports: SimulatePorts, { transaction }: DecodedTransaction, options: SimulateOptions): Gas {
  const gasUnitPrice = priceFor(ports, options) ?? transaction.gasUnitPrice;
  if (!options.estimateMaxGasAmount) return { gasUnitPrice, maxGasAmount: transaction.maxGasAmount };
  const payer = (transaction.feePayer ?? transaction.sender).address;
  if (isFeeWaived(payer, { simulation: true })) return { gasUnitPrice, maxGasAmount: ports.machine.maxGasUnits };
  const balance = ports.machine.gasBalance(ports.chain.stores.state.newest, payer);
  const affordable = gasUnitPrice === 0n ? ports.machine.maxGasUnits : balance / gasUnitPrice;
  // Not below the minimum: the error for a payer without funds must name the balance, not a gas bound.
  const min = ports.machine.minGasUnits(transaction.sizeBytes);
  return { gasUnitPrice, maxGasAmount: clamp(affordable, min, ports.machine.maxGasUnits) };
}

function priceFor(ports: SimulatePorts, options: SimulateOptions): bigint | null {
  if (options.estimatePrioritizedGasUnitPrice) return ports.gasEstimate().prioritized;
  return options.estimateGasUnitPrice ? ports.gasEstimate().market : null;
}

function clamp(value: bigint, min: bigint, max: bigint): bigint {
  if (value < min) return min;
  return value > max ? max : value;
}
