import { expect, test } from "vitest";
import { textCleaner } from "../../../src/chain/node-text.ts";
import { EVM } from "../../../src/families/evm/family.ts";
import { polledNodes } from "../../../src/home/polled-nodes.ts";
import { configOf } from "../../support/app.ts";
import { EvmChain } from "../../support/evm/chain.ts";

const KEY = "s3cret-of-the-provider";

/** One node that refuses every `eth_call` with these errors in turn, and what is logged of it. */
async function refusing(...errors: readonly { readonly code: number; readonly message: string }[]) {
  const chain = await EvmChain.begin();
  const logged: unknown[] = [];
  const time = { nowMs: chain.head.timestampSeconds * 1_000 };
  let calls = 0;
  const nodes = polledNodes(EVM.protocol ?? expect.fail(), EVM, {
    senders: [
      {
        label: "upstream-1",
        origin: "a",
        clean: textCleaner(KEY),
        transport: async (_path, { body }) => {
          const { id, method, params } = JSON.parse(String(body));
          const isCall = method === "eth_call";
          const said = isCall ? { error: errors[calls] ?? errors.at(-1) } : await chain.answer(method, params);
          if (isCall) calls += 1;
          return Response.json({ jsonrpc: "2.0", id, ...said });
        },
      },
    ],
    report: ({ chainId }: { chainId: number }) => ({ era: 0, chainId, servedBy: [], replaced: null }),
    now: () => time.nowMs,
    after: () => () => undefined,
    config: configOf({}),
    log: (event, detail) => void logged.push({ event, ...detail }),
  } as Parameters<typeof polledNodes>[2]);
  const asset = { kind: "contract", text: "0x0000c0ffee254729296a45a3885639ac7e10f9d5" } as never;
  const read = async () => {
    const { answering } = await nodes.nodesForReading(() => false, { wallets: [], floor: 0n });
    const [node] = answering;
    return node?.supply(asset, node.newestVersion, 18);
  };
  return { read, logged, time, calls: () => calls };
}

test("code and text of a refusal go to the log, without the key that the node was sent; the code into the reason", async () => {
  const message = `key ${KEY} has no access to https://archive.example/v3`;
  const { read, logged } = await refusing({ code: -32602, message });
  expect(await read()).toMatchObject({ reason: expect.stringContaining("the JSON-RPC error -32602") });
  expect(logged).toEqual([
    {
      event: "node_refuses_call",
      upstream: "upstream-1",
      method: "eth_call",
      code: -32602,
      message: "key (key) has no access to (address)",
    },
  ]);
});

test("an error is logged once a minute, another one at once", async () => {
  const node = await refusing({ code: 1, message: "a" }, { code: 1, message: "b" }, { code: 2, message: "c" });
  for (let times = 0; times < 3; times += 1) await node.read();
  expect(node.calls(), "the fault was injected").toBe(3);
  expect(node.logged).toMatchObject([{ code: 1, message: "a" }, { code: 2 }]);
  node.time.nowMs += 60_001;
  await node.read();
  expect(node.logged).toHaveLength(3);
});
