import { expect, test } from "vitest";
import { onChainFinding } from "../../../tools/doctor/figures.ts";
import type { Answer, Answers } from "../../../tools/doctor/probe.ts";

const CONTRACT = `0x${"7e11".padStart(40, "0")}`;

function answer(body: object | string, path = "/"): Answer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { path, status: 200, headers: new Headers(), body: text, atMs: 0 };
}

/** What the doctor says of a deployment with one figure on chain and these chains in its breakdown. */
function found(...chains: readonly object[]) {
  const onChain = [answer("700", "/api/circulating-supply-on-chain?decimals=exact&format=plain")];
  const answers: Pick<Answers, "onChain" | "breakdown"> = { onChain, breakdown: answer({ chains }) };
  return onChainFinding(answers);
}

const row = (compared: object) => ({
  circulating_view: { contract: CONTRACT, view: "circulating_supply()", unavailable: null, ...compared },
});
const tokens = (text: string) => ({ tokens: text, base_units: text });

test.each([
  ["an amount and its difference", { stated: tokens("695"), difference: tokens("-5") }, "states 695 (difference -5)"],
  ["an amount beside no figure", { stated: tokens("695"), difference: null }, "states 695 (not compared)"],
  ["no amount", { stated: null, difference: null, unavailable: "it hides" }, "cannot be read: it hides"],
])("the doctor names what a contract states to circulate: %s", (_case, compared, text) => {
  expect(found({}, row(compared))).toEqual({
    is: `circulating-supply-on-chain 700, circulating_supply() of ${CONTRACT} ${text}`,
    problems: [],
  });
});

test("a deployment without such a contract shows its figures alone", () => {
  expect(found({})).toEqual({ is: "circulating-supply-on-chain 700", problems: [] });
});
