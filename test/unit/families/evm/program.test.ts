import { describe, expect, test } from "vitest";
import { parseEvmAddress } from "../../../../src/families/evm/address.ts";
import {
  GAS_OF_CALL,
  GAS_OF_PRICE_CALL,
  LOCKS_PROGRAM,
  locksProgram,
  MAX_QUESTIONS,
  PROGRAM,
  parseWords,
  programCall,
} from "../../../../src/families/evm/program.ts";
import { balanceQuestion, question } from "../../../../src/families/evm/question.ts";
import { assemble } from "../../../../tools/evm/assemble.ts";
import { locksListing, READING_PROGRAM } from "../../../../tools/evm/reading-program.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { BURNS_GAS, DECIMALS_SLOT, REVERTS, SUPPLY_SLOT, tokenCode } from "../../../support/evm/token.ts";

const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const address = (text: string) => parseEvmAddress(text) ?? expect.fail(`${text} is no address`);
const owner = (number: bigint) => address(`0x${number.toString(16).padStart(40, "0")}`);
const token = address(TOKEN);

/** Runs the program in a real EVM and returns its words. */
async function run(chain: EvmChain, owners = [owner(1n)], contract = token) {
  const call = programCall(
    contract,
    owners.map((each) => balanceQuestion(contract, each)),
  );
  const answer = await chain.answer("eth_call", [call, { blockHash: chain.head.hash, requireCanonical: true }]);
  return "result" in answer ? parseWords(answer.result, owners.length) : answer.error;
}

describe("the program", () => {
  test("is its commented listing, assembled", () => {
    expect(PROGRAM).toBe(hexOf(assemble(READING_PROGRAM)));
    expect(LOCKS_PROGRAM).toBe(hexOf(assemble(locksListing(GAS_OF_CALL))));
    expect(locksProgram(GAS_OF_PRICE_CALL)).toBe(hexOf(assemble(locksListing(GAS_OF_PRICE_CALL))));
  });

  test("is the one without locks where balances alone are asked for: its 177 bytes, the token and the owners", () => {
    const owners = [owner(1n), owner(2n)];
    const balances = owners.map((each) => balanceQuestion(token, each));
    const { data } = programCall(token, balances);
    expect(data).toBe([PROGRAM, token, ...owners].map((each, index) => each.slice(index === 0 ? 0 : 2)).join(""));
    expect(PROGRAM).toHaveLength(2 + 2 * 177);
    const withLock = programCall(token, [...balances, question(owner(3n), "cf309012", null)]).data;
    expect(withLock.startsWith(LOCKS_PROGRAM)).toBe(true);
    // The balance of another token is no balance of this one.
    expect(programCall(token, [balanceQuestion(owner(4n), owner(1n))]).data.startsWith(LOCKS_PROGRAM)).toBe(true);
  });

  test.each([0, 1, 2, 12, MAX_QUESTIONS])(
    "reads chain, contract, decimals, supply and %i balances in one call",
    async (count) => {
      const owners = Array.from({ length: count }, (_, index) => owner(2n ** 64n + BigInt(index)));
      const answers = owners.map((_, index) => 10n ** 18n * BigInt(index) + 7n);
      const holders = new Map(owners.map((each, index) => [each as string, answers[index] ?? 0n]));
      const chain = await EvmChain.begin({ chainId: 42_161, holders });
      const words = { chainId: 42_161n, codeBytes: BigInt(tokenCode().length), decimals: 18n, supply: 10n ** 27n };
      expect(await run(chain, owners)).toEqual({ ...words, answers });
    },
  );

  test.each([
    ["an owner of the lowest number", owner(2n), 5n],
    ["an owner that has nothing", owner(2n), 0n],
    ["an owner of the largest number", owner(2n ** 160n - 1n), 1n],
    ["an amount of 256 bits", owner(2n), 2n ** 256n - 3n],
    ["bytes in the owner that are instructions", address(`0x${"5b60".repeat(10)}`), 5n],
  ])("reads %s", async (_case, who, amount) => {
    const chain = await EvmChain.begin({ holders: new Map([[who, amount]]) });
    expect(await run(chain, [who])).toMatchObject({ answers: [amount] });
  });

  test.each([
    ["a reverting supply", { [String(SUPPLY_SLOT)]: REVERTS }, { supply: null, decimals: 18n, answers: [5n] }],
    ["reverting decimals", { [String(DECIMALS_SLOT)]: REVERTS }, { supply: 10n ** 27n, decimals: null }],
    ["a reverting balance", { 1: REVERTS }, { supply: 10n ** 27n, decimals: 18n, answers: [null] }],
    ["control: none reverts", {}, { supply: 10n ** 27n, decimals: 18n, answers: [5n] }],
  ])("%s is no word, whatever came with the failure", async (_case, writes, words) => {
    const chain = await EvmChain.begin({ holders: new Map([[owner(1n), 5n]]) });
    await chain.mine(new Map(Object.entries(writes).map(([slot, value]) => [BigInt(slot), value])));
    expect(await run(chain)).toMatchObject(words);
  });

  test("twenty wallets whose call burns all its gas leave enough for the others", async () => {
    const owners = Array.from({ length: 40 }, (_, index) => owner(1_000n + BigInt(index)));
    const holders = new Map(owners.map((each, index) => [each as string, index < 20 ? BURNS_GAS : BigInt(index)]));
    const chain = await EvmChain.begin({ holders });
    const answers = owners.map((_, index) => (index < 20 ? null : BigInt(index)));
    expect(await run(chain, owners)).toMatchObject({ supply: 10n ** 27n, answers });
  });

  test("a contract without decimals", async () => {
    const chain = await EvmChain.begin({ code: tokenCode({ hasDecimals: false }) });
    expect(await run(chain)).toMatchObject({ decimals: null, supply: 10n ** 27n });
  });

  test("an address without code is no token, and nothing of it is zero", async () => {
    const chain = await EvmChain.begin();
    const nothing = { codeBytes: 0n, decimals: null, supply: null, answers: [null] };
    expect(await run(chain, [owner(1n)], owner(2n ** 80n))).toMatchObject(nothing);
  });

  test.each([
    ["code that returns nothing", "PUSH1 0\nPUSH1 0\nRETURN"],
    ["code that returns 31 bytes", "PUSH1 31\nPUSH1 0\nRETURN"],
    ["code that stops", "STOP"],
    ["code that burns all its gas", "INVALID"],
  ])("%s is no word", async (_case, listing) => {
    const chain = await EvmChain.begin({ code: assemble(listing) });
    expect(await run(chain)).toMatchObject({ decimals: null, supply: null, answers: [null] });
  });
});

describe("an answer", () => {
  const answer = (words: readonly bigint[]) => `0x${words.map((each) => each.toString(16).padStart(64, "0")).join("")}`;
  const whole = answer([1n, 122n, 18n, 1_000n, 5n]);

  test("is read when it has a word for everything that was asked", () => {
    expect(parseWords(whole, 1)).toEqual({
      chainId: 1n,
      codeBytes: 122n,
      decimals: 18n,
      supply: 1_000n,
      answers: [5n],
    });
    expect(parseWords(whole.toUpperCase().replace("0X", "0x"), 1)).toEqual(parseWords(whole, 1));
  });

  test.each([
    ["none", null],
    ["empty, as of an address without code", "0x"],
    ["one word short", whole.slice(0, -64)],
    ["one word too long", `${whole}${"0".repeat(64)}`],
    ["a digit short", whole.slice(0, -1)],
    ["not hex", whole.replace("5", "g")],
    ["without 0x", whole.slice(2)],
    ["a number", 5],
  ])("%s does not count", (_case, value) => {
    expect(parseWords(value, 1)).toBeUndefined();
  });
});

test.each([
  ["0x000000000000000000000000000000000000dEaD", "0x000000000000000000000000000000000000dead"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
  ["0xdead", undefined],
  ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", undefined],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0", undefined],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", undefined],
  [" 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", undefined],
])("an address is written with all its 40 digits: %s", (text, expected) => {
  expect(parseEvmAddress(text)).toBe(expected);
});
