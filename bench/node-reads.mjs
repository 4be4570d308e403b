import { ALICE } from "../devnode/development-keys.ts";

const NATIVE = "0x1::aptos_coin::AptosCoin";
const STORE = `0x1::coin::CoinStore%3C${NATIVE}%3E`;
const LIST = 200;

/** Requests for each read endpoint, drawn from the whole history of a chain of `tip` versions. */
export async function readsOf({ json, senders, receiver }, { transactions, blocks }, tip) {
  const recorder = await json(`/v1/accounts/${ALICE.address}/resource/0xde5::table_demo::Notebook`);
  const store = await json(`/v1/accounts/${receiver.address}/resource/${STORE}`);
  const events = Number(store.data.deposit_events.counter);
  const below = (end) => Math.floor(Math.random() * end);
  const one = (list) => list[below(list.length)];
  const many = (make) => Array.from({ length: LIST }, make);
  const post = (path, value) => ({ method: "POST", path, media: "application/json", body: JSON.stringify(value) });
  // Before this version the receiver's account does not exist.
  const from = 500;
  return {
    "ledger info": many(() => ({ path: "/v1" })),
    account: many(() => ({ path: `/v1/accounts/${one(senders).address}` })),
    "account resource": many(() => ({ path: `/v1/accounts/${receiver.address}/resource/${STORE}` })),
    "account resource, random version": many(() => ({
      path: `/v1/accounts/${receiver.address}/resource/${STORE}?ledger_version=${from + below(tip - from)}`,
    })),
    "transaction by version": many(() => ({ path: `/v1/transactions/by_version/${one(transactions).version}` })),
    "transaction by hash": many(() => ({ path: `/v1/transactions/by_hash/${one(transactions).hash}` })),
    "block with ten transactions": many(() => ({ path: `/v1/blocks/by_height/${one(blocks)}?with_transactions=true` })),
    "events, a page of 25": many(() => ({
      path: `/v1/accounts/${receiver.address}/events/${STORE}/deposit_events?start=${below(events - 25)}&limit=25`,
    })),
    "table item": many(() =>
      post(`/v1/tables/${recorder.data.simple.handle}/item`, {
        key_type: "u64",
        value_type: "0x1::string::String",
        key: one(["1", "3"]),
      }),
    ),
    view: many(() =>
      post("/v1/view", { function: "0x1::coin::balance", type_arguments: [NATIVE], arguments: [receiver.address] }),
    ),
  };
}
