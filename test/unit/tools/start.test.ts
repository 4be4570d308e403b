import { expect, test } from "vitest";
import { parseArguments } from "../../../tools/start/arguments.ts";
import { routeSettings } from "../../../tools/start/settings.ts";

test.each([
  [[], { port: 8787, vars: {}, state: null }],
  [["--port", "9000"], { port: 9000, vars: {}, state: null }],
  [["--port=9000"], { port: 9000, vars: {}, state: null }],
  [
    ["--var", "NODE_URLS:https://node.example/v1", "--var", "CHAIN_ID:4"],
    { port: 8787, vars: { NODE_URLS: "https://node.example/v1", CHAIN_ID: "4" }, state: null },
  ],
  [["--state", "/tmp/state"], { port: 8787, vars: {}, state: "/tmp/state" }],
  [["--var", "STABLE_ASSET:"], { port: 8787, vars: { STABLE_ASSET: "" }, state: null }],
])("%j starts with %j", (words, options) => {
  expect(parseArguments(words)).toEqual({ kind: "options", options });
});

test.each([
  [["--port", "0"], ["--port takes"]],
  [["--port", "65536"], ["--port takes"]],
  [["--port", "80a"], ["--port takes"]],
  [["--port"], ["--port takes"]],
  [["--var", "CHAIN_ID"], ["--var takes"]],
  [["--state"], ["--state takes"]],
  [["--var", ":4"], ["--var takes"]],
  [["--prot", "80"], ["--prot is not an option"]],
  [
    ["--port", "x", "--var", "y"],
    ["--port takes", "--var takes"],
  ],
])("%j is refused: %j", (words, problems) => {
  const result = parseArguments(words);
  expect(result.kind === "problems" && result.problems).toEqual(problems.map((each) => expect.stringContaining(each)));
});

test("a setting goes to the Worker that knows it, a shared one to both, an unknown one nowhere", () => {
  const given = { RATE_LIMIT_NODE: "10/60", PRUNE_WINDOW: "50", CHAIN_ID: "9", COLOUR: "red", NODE_API_KEY: "k" };
  expect(routeSettings(given, { RATE_LIMIT_NODE: "", CHAIN_ID: "" }, { PRUNE_WINDOW: "", CHAIN_ID: "" })).toEqual({
    edge: { RATE_LIMIT_NODE: "10/60", CHAIN_ID: "9", NODE_API_KEY: "k" },
    node: { PRUNE_WINDOW: "50", CHAIN_ID: "9" },
    problems: [expect.stringMatching(/^COLOUR is not a setting; known are .*PRUNE_WINDOW/)],
  });
});
