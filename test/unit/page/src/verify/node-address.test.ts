import { expect, test } from "vitest";
import { nodeAddress } from "../../../../../page/src/verify/address.ts";

test.each([
  ["https://node.example.org/v1", "https://node.example.org/v1"],
  ["https://node.example.org/", "https://node.example.org/v1"],
  [" node.example ", "https://node.example/v1"],
  ["node.example:8443/v1", "https://node.example:8443/v1"],
  ["node.example/main/v1/", "https://node.example/main/v1"],
  ["localhost:8080", "http://localhost:8080/v1"],
  ["127.0.0.1/v1", "http://127.0.0.1/v1"],
  ["http://localhost:8080", "http://localhost:8080/v1"],
  ["http://[::1]:8080/v1", "http://localhost:8080/v1"],
  ["[::1]", "http://localhost/v1"],
  ["", undefined],
  ["node", undefined],
  ["http://node.example.org", undefined],
  ["http://[::2]/v1", undefined],
  ["ftp://node.example.org/v1", undefined],
  ["ftp:node.example.org", undefined],
  ["a:b@node.example.org", undefined],
  ["https://a:b@node.example.org", undefined],
  ["javascript:alert(1)//node.example", undefined],
  ["node.example/$(id)/v1", undefined],
])("a reader's %j is the node %s", (typed, address) => {
  expect(nodeAddress(typed)).toBe(address);
});

test.each([
  ["https://rpc.example.org", "https://rpc.example.org/"],
  ["rpc.example.org/v3/0a1b", "https://rpc.example.org/v3/0a1b"],
  ["https://rpc.example.org/eth/?apikey=0a1b&x=1", "https://rpc.example.org/eth/?apikey=0a1b&x=1"],
  ["localhost:8545", "http://localhost:8545/"],
  ["https://rpc.example.org/?a=$(id)", undefined],
  ["https://rpc.example.org/?a=`id`", undefined],
  ["http://rpc.example.org", undefined],
  ["https://a:b@rpc.example.org", undefined],
])("of an EVM chain %j is the node %s", (typed, address) => {
  expect(nodeAddress(typed, "evm")).toBe(address);
});
