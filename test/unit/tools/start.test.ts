import { expect, test } from "vitest";
import { takeVariables as parseDev } from "../../../tools/dev/arguments.ts";
import { parseArguments } from "../../../tools/start/arguments.ts";
import { routeSettings } from "../../../tools/start/settings.ts";
import { refusalOf } from "../../support/refusal.ts";

test.each([
  [[], { host: "127.0.0.1", port: 8787, vars: {} }],
  [["--port", "9000"], { host: "127.0.0.1", port: 9000, vars: {} }],
  [["--port=9000"], { host: "127.0.0.1", port: 9000, vars: {} }],
  [
    ["--var", "NODE_URLS:https://node.example/v1", "--var", "CHAIN_ID:4"],
    { host: "127.0.0.1", port: 8787, vars: { NODE_URLS: "https://node.example/v1", CHAIN_ID: "4" } },
  ],
  [["--host", "::1"], { host: "::1", port: 8787, vars: {} }],
  [["--state", "/tmp/state"], { host: "127.0.0.1", port: 8787, vars: {}, state: "/tmp/state" }],
  [["--fresh"], { host: "127.0.0.1", port: 8787, vars: {}, isFresh: true }],
  [["--var", "STABLE_ASSET:"], { host: "127.0.0.1", port: 8787, vars: { STABLE_ASSET: "" } }],
])("%j starts with %j", (words, options) => {
  expect(parseArguments(words)).toEqual({ isFresh: false, ...options });
});

test.each([
  [["--port", "0"], ["--port takes"]],
  [["--port", "65536"], ["--port takes"]],
  [["--port", "80a"], ["--port takes"]],
  [["--host", "localhost"], ['--host takes an address, such as 0.0.0.0 or ::1, not "localhost"']],
  [["--port"], ["Option '--port <value>' argument missing; usage: npm start"]],
  [["--var", "CHAIN_ID"], ["--var takes"]],
  [["--state="], ["--state takes"]],
  [["--var", ":4"], ["--var takes"]],
  [["--prot", "80"], ["Unknown option '--prot'; usage: npm start"]],
  [["--var", "NODE_API_KEY=secret"], ['--var takes NAME:VALUE, not "NODE_API_KEY"']],
  [
    ["--port", "x", "--var", "y"],
    ["--port takes", "--var takes"],
  ],
])("%j is refused: %j", (words, problems) => {
  expect(refusalOf(() => parseArguments(words))).toEqual(problems.map((each) => expect.stringContaining(each)));
});

test("npm run dev keeps its own settings and passes all other arguments to wrangler in order", () => {
  const words = ["--port", "9000", "--var", "CHAIN_ID:9", "-c", "x.toml", "--var=BLOCK_MS:10", "--live-reload"];
  expect(parseDev(words)).toEqual({
    vars: { CHAIN_ID: "9", BLOCK_MS: "10" },
    others: ["--port", "9000", "-c", "x.toml", "--live-reload"],
  });
  expect(refusalOf(() => parseDev(["--var", "CHAIN_ID"]))).toEqual(['--var takes NAME:VALUE, not "CHAIN_ID"']);
});

test("a setting is passed to its Worker, a shared one to both, an unknown one to none", () => {
  const given = { RATE_LIMIT_NODE: "10/60", PRUNE_WINDOW: "50", CHAIN_ID: "9", COLOUR: "red", NODE_API_KEY: "k" };
  expect(routeSettings(given)).toEqual({
    edge: { RATE_LIMIT_NODE: "10/60", CHAIN_ID: "9", NODE_API_KEY: "k" },
    node: { PRUNE_WINDOW: "50", CHAIN_ID: "9" },
    problems: [expect.stringMatching(/^COLOUR is not a setting; the settings are .*PRUNE_WINDOW/)],
  });
});
