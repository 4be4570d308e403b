import { setTimeout as pause } from "node:timers/promises";
import { inParallel } from "./lib/client.ts";
import { count, median } from "./lib/figures.mjs";
import { batchOf } from "./lib/signer.mjs";

const WRITERS = 32;
const SUBMITTED = "application/x.node.signed_transaction+bcs";

/** Commits per second, and the time until a commit is known. */
export async function write(node, { seconds, log }) {
  const perSender = Math.max(1, Math.round(seconds * 12));
  const single = [];
  const batched = [];
  for (let run = 1; run <= 3; run++) {
    single.push(await commits(node, perSender, 1));
    batched.push(await commits(node, perSender, 10));
    log(`node: ${count(single.at(-1))} and, in batches, ${count(batched.at(-1))} commits/s`);
  }
  const lone = [];
  for (let sample = 0; sample < 8 * seconds; sample++) {
    lone.push(await commitMs(node, node.senders[sample % node.senders.length]));
    await pause(300);
  }
  const busy = await commitTimesBusy(node, 100 * seconds);
  log(`node: commit after ${median(lone).toFixed(0)} ms alone, ${median(busy).toFixed(0)} ms at 100/s`);
  return {
    single: median(single),
    batched: median(batched),
    transactions: perSender * node.senders.length,
    lone,
    busy,
  };
}

/** At 100 transactions a second. */
async function commitTimesBusy(node, samples) {
  const running = [];
  const startedAt = performance.now();
  for (let sample = 0; sample < samples; sample++) {
    await pause(Math.max(0, startedAt + 10 * sample - performance.now()));
    running.push(commitMs(node, node.senders[sample % node.senders.length]));
  }
  return Promise.all(running);
}

/** Transactions signed beforehand, from the first submit until the last is committed, per second. */
async function commits(node, perSender, size) {
  const rounds = Array.from({ length: perSender }, () =>
    node.senders.map((from) => from.transfer(node.receiver.address)),
  );
  const signed = rounds.flat();
  const requests = [];
  for (let at = 0; at < signed.length; at += size) requests.push(signed.slice(at, at + size));
  const startedAt = performance.now();
  await inParallel(requests, WRITERS, (batch) => submit(node, batch));
  for (const { hash } of rounds.at(-1)) await committed(node, hash);
  return (signed.length / (performance.now() - startedAt)) * 1_000;
}

export async function submit({ call: send }, transactions) {
  const [one] = transactions;
  const isSingle = transactions.length === 1;
  const path = isSingle ? "/v1/transactions" : "/v1/transactions/batch";
  const body = isSingle ? one.bytes : batchOf(transactions);
  const answer = await send(path, { method: "POST", headers: { "Content-Type": SUBMITTED }, body });
  if (answer.status !== 202) throw new Error(`a submit was answered ${answer.status}: ${answer.body}`);
}

export async function committed({ json }, hash) {
  for (;;) {
    const found = await json(`/v1/transactions/wait_by_hash/${hash}`);
    if (found.type === "user_transaction" && found.success) return found;
    if (found.type !== "pending_transaction") throw new Error(`${hash}: ${found.vm_status}`);
  }
}

/** From sending a transaction until its commit is known, by long poll. */
async function commitMs(node, from) {
  const transaction = from.transfer(node.receiver.address);
  const startedAt = performance.now();
  await submit(node, [transaction]);
  await committed(node, transaction.hash);
  return performance.now() - startedAt;
}
