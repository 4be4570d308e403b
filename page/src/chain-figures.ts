import { LAST_GOOD_SECONDS } from "../../src/figures.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { columnOf, timeOf } from "../view/format.ts";
import type { Holdings } from "./documents.ts";
import { byId, setText } from "./dom.ts";
import { type Reading, renewalText } from "./polling.ts";
import { verdictOf } from "./verdict.ts";

/** The figures of the first view that the chain gives, and what it says of the schedule. */
export function showChainFigures({ token, maxSupply }: Schedule, reading: Reading<Holdings>, nowMs: number): void {
  const { value, failure } = reading;
  const figures = { "on-chain": value?.onChain, total: value?.total, burned: value?.burned };
  for (const [name, amount] of Object.entries(figures)) {
    // A figure that this deployment does not have is not in the page.
    if (document.getElementById(`part-${name}`) === null) continue;
    const missing = failure === undefined ? "" : "–";
    setText(`part-${name}`, amount === undefined ? missing : columnOf(amount, token.decimals));
  }
  const isAbove = value !== undefined && value.total > maxSupply;
  const { text, state } = saidOf(reading, nowMs);
  const note = byId("chain-note");
  note.dataset["state"] = state;
  note.classList.toggle("failure", failure !== undefined || isAbove || state === "short");
  setText(
    "chain-said",
    [text, isAbove ? "More exists on chain than the maximum." : "", renewalText(reading, "The chain", true)]
      .filter((part) => part !== "")
      .join(" "),
  );
}

/** What the wallets said at the instant of a reading, by how many nodes; a proof expires with the reading's hour. */
export function saidOf({ value, readAtMs }: Reading<Holdings>, nowMs: number): { text: string; state: string } {
  if (value === undefined || readAtMs === undefined) return { text: "", state: "none" };
  const { text, state } = verdictOf(value.breakdown);
  // Left out where one node answers.
  const nodes = "confirmed_by" in value.breakdown ? (value.breakdown.confirmed_by?.nodes.length ?? 1) : 1;
  const by = `${nodes} ${nodes === 1 ? "node" : "nodes"}`;
  const isProof = state === "verified" && nowMs - readAtMs <= LAST_GOOD_SECONDS * 1_000;
  return {
    text: `${text}, read on ${timeOf(readAtMs)} from ${by}.`,
    state: state === "verified" && !isProof ? "expired" : state,
  };
}
