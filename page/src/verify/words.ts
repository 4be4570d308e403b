import { type ChainFamily, familyOf } from "../../../src/families/family.ts";
import type { Line, Outcome } from "./compare.ts";
import type { NodeFailure } from "./exchange.ts";
import { pageFamily } from "./family.ts";

/** Result of a check in one sentence. */
export interface Verdict {
  readonly text: string;
  readonly state: "verified" | "short" | "none";
}

/** Describes the outcome of a check. `exact` writes an amount with every digit. */
export function checkVerdict(outcome: Outcome, family: ChainFamily, exact: (units: bigint) => string): Verdict {
  const { versionWord } = familyOf(family);
  switch (outcome.kind) {
    case "compared":
      return comparedVerdict(outcome.lines, `${versionWord} ${outcome.version}`, exact);
    case "behind":
      return none(
        `This node has reached ${versionWord} ${outcome.newest}, and this service answers for ${pageFamily(family).version} ${outcome.version}: check again in a moment.`,
      );
    case "pruned":
      return none(
        `This node no longer has ${versionWord} ${outcome.version}, its oldest is ${outcome.oldest}: choose another node.`,
      );
    case "other_chain":
      return none(
        `This node follows chain ${outcome.found}, and this service reads chain ${outcome.chainId}: choose another node.`,
      );
    case "not_reported":
      return none(`No figure: ${outcome.reason}. Check again in a moment, or choose another node.`);
    case "failed":
      return { text: failureText(outcome.failure, family), state: isOwnGateway(outcome) ? "short" : "none" };
  }
}

/** Whether this service itself has answered, so that no command of the node confirms anything. */
export function isOwnGateway(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.failure.kind === "own_gateway";
}

const none = (text: string): Verdict => ({ text, state: "none" });

function comparedVerdict(lines: readonly Line[], version: string, exact: (units: bigint) => string): Verdict {
  const different = lines.filter(({ node, ours }) => node !== null && ours !== null && node !== ours);
  const [first] = different;
  if (first !== undefined && first.node !== null && first.ours !== null)
    return {
      text: `Not equal: at ${version} this node says ${exact(first.node)} for ${first.label}, this service ${exact(first.ours)}.`,
      state: "short",
    };
  const unread = lines.find(({ node }) => node === null);
  if (unread !== undefined)
    return none(
      `This node could not say everything: ${unread.label}${unread.reason === "" ? "" : `, ${unread.reason}`}.`,
    );
  const kept = lines.find(({ ours }) => ours === null);
  if (kept !== undefined)
    return none(`What can be compared is equal; this service answers with an earlier balance for ${kept.label}.`);
  return {
    text: `Equal to the base unit: at ${version} this node and this service say the same on all ${lines.length} lines.`,
    state: "verified",
  };
}

function failureText(failure: NodeFailure, family: ChainFamily): string {
  switch (failure.kind) {
    case "hangs":
      return "This node did not answer within 10 seconds. The commands below work without a browser.";
    case "no_cors":
      return "This node answers, but not to web pages (no CORS): use the commands below, or choose another node.";
    case "unreachable":
      return "This node cannot be reached from here. The commands below work without a browser.";
    case "not_a_node":
      return pageFamily(family).notANode;
    case "own_gateway":
      return `${failure.host} answers as this service’s own gateway does, so it cannot be its witness: choose another node.`;
    case "gone":
      return "This node no longer has what is asked: choose another node.";
    case "status":
      return `This node refuses with status ${failure.status}: choose another node.`;
    case "rpc_error":
      return `This node refuses with the JSON-RPC error ${failure.code}: choose another node.`;
  }
}
