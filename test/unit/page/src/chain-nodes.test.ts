import { expect, test } from "vitest";
import { readFrom, severalChains } from "../../../../page/src/chain-nodes.ts";
import { type SupplyBreakdown, strict } from "../../../../page/src/documents.ts";
import { STATES } from "../../../support/page-states.ts";

const USUAL = STATES.usual.breakdown as SupplyBreakdown; // as the state has it
const TWO = STATES["token on two chains"].breakdown as SupplyBreakdown;

test.each([1, 2, 3])("%i nodes of a token on one chain", (count) => {
  const nodes = Array.from({ length: count }, (_, index) => `upstream-${index}`);
  const text = readFrom(strict({ ...USUAL, confirmed_by: { ...USUAL.confirmed_by, nodes } }));
  expect(text).toBe(count === 1 ? "1 node" : `${count} nodes`);
});

test("a token on one chain has no table of chains, although the API names that chain", () => {
  const { chains = [] } = TWO;
  expect(severalChains(strict(TWO))).toHaveLength(2);
  expect(severalChains(strict({ ...TWO, chains: chains.slice(0, 1) }))).toEqual([]);
});

test("nodes are counted for each chain, never added up", () => {
  expect(readFrom(strict(TWO))).toBe("2 nodes on each of 2 chains");
  const { chains = [] } = TWO.confirmed_by;
  const uneven = chains.map((one, index) => ({ ...one, nodes: one.nodes.slice(index) }));
  expect(readFrom(strict({ ...TWO, confirmed_by: { ...TWO.confirmed_by, chains: uneven } }))).toBe(
    "2 nodes on native, 1 node on base",
  );
});

test("a chain that is away has no nodes", () => {
  const { chains = [] } = TWO.confirmed_by;
  const text = readFrom(strict({ ...TWO, confirmed_by: { ...TWO.confirmed_by, chains: chains.slice(0, 1) } }));
  expect(text).toBe("2 nodes on native");
});
