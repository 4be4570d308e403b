import type { BaseUnits } from "../../chain/amount.ts";
import type { LockTerms } from "../definition.ts";

/** View of a lock contract. */
interface LockView extends LockTerms {
  /** First four bytes of the signature's hash, as hex digits. */
  readonly selector: string;
  /** Computes the locked amount from the view's value and the balance; absent: the value is the locked amount. */
  readonly lockedIn?: (value: BaseUnits, balance: BaseUnits) => BaseUnits;
}

/** Views that a lock may be read by. A signature is added only with its contract's source as evidence of its meaning. */
export const LOCK_VIEWS: Readonly<Record<string, LockView>> = {
  // Vesting escrow of one recipient (Yearn), and of several (Curve).
  "locked()": { selector: "cf309012", subject: "contract" },
  "lockedSupply()": { selector: "ca5c7b91", subject: "contract" },
  // Vote escrow.
  "supply()": { selector: "047fc9aa", subject: "contract" },
  "totalStaked()": { selector: "817b1cd2", subject: "contract" },
  "totalLocked()": { selector: "56891412", subject: "contract" },
  "totalLockedAmount()": { selector: "05a9f274", subject: "contract" },
  // Rewards of a farm that are not paid out yet.
  "rewardTokenSupplyRemaining()": { selector: "483c5642", subject: "contract" },
  // Lockup of many streams (Sablier).
  "aggregateAmount(address)": { selector: "ec01da3b", subject: "token" },
  // VestingWallet (OpenZeppelin). It has no view of what it still holds: that is its balance. The view is asked all the
  // same, so that an address that does not answer is refused.
  "released(address)": { selector: "9852595c", subject: "token", lockedIn: (_released, balance) => balance },
  // VestingWallet without what its beneficiary may take now.
  "releasable(address)": { selector: "a3f8eace", subject: "token", lockedIn: (value, balance) => balance - value },
  // Token that keeps a part of an address's own balance from moving.
  "getRestAmount(address)": { selector: "c632395e", subject: "address" },
};
