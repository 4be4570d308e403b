import type { BaseUnits } from "../../chain/amount.ts";
import type { Holding } from "../../chain/holding.ts";
import type { HoldingBalance, NodeError } from "../chain-node.ts";
import { type EvmAddress, parseEvmAddress } from "./address.ts";
import { LOCK_VIEWS } from "./lock-views.ts";
import { balanceQuestion, type Question, question } from "./question.ts";

/** Questions about a holding, and the balance that their answers make. */
export interface HoldingQuery {
  readonly questions: readonly Question[];
  /** Makes the balance. A null answer stands for a failed call, which becomes an error, never a 0. */
  readonly balance: (answers: readonly (BaseUnits | null)[]) => HoldingBalance | NodeError;
}

/** Finds the questions about a holding of a token. */
export function holdingQuery(token: EvmAddress, holding: Holding): HoldingQuery | NodeError {
  const owner = parseEvmAddress(holding.address);
  if (owner === undefined) return refused("the address is none of an EVM chain");
  const held = balanceQuestion(token, owner);
  if (holding.holds === "account") return { questions: [held], balance: ([units = null]) => balanceOf(units) };
  if (holding.holds !== "lock") return refused(`an EVM chain has no holding of the kind ${holding.holds}`);
  const { view: signature } = holding;
  const view = LOCK_VIEWS[signature];
  const contract = parseEvmAddress(holding.contract ?? holding.address);
  if (view === undefined || contract === undefined) return refused(`a lock cannot be read by ${signature}`);
  const argument = { contract: null, token, address: owner }[view.subject];
  return {
    questions: [held, question(contract, view.selector, argument)],
    balance: ([units = null, value = null]) => {
      const balance = balanceOf(units);
      if ("why" in balance) return balance;
      if (value === null) return refused(`the contract does not answer ${signature}`);
      // The lower bound is for a rule that subtracts the value: a value above the balance would make it negative.
      const locked = view.lockedIn?.(value, balance.baseUnits) ?? value;
      if (locked >= 0n && locked <= balance.baseUnits) return { ...balance, baseUnits: locked };
      const reason = `${signature} is ${value} base units, and the lock holds only ${balance.baseUnits}`;
      return { ...refused(reason), mayPass: true };
    },
  };
}

function balanceOf(baseUnits: BaseUnits | null): HoldingBalance | NodeError {
  if (baseUnits === null) return refused("the contract does not answer balanceOf()");
  return { baseUnits, stake: null, pool: null };
}

export function refused(reason: string): NodeError {
  return { why: "refused", reason };
}
