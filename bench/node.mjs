import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { nodeBundle } from "./lib/bundle.mjs";
import { client, inParallel } from "./lib/client.ts";
import { count, median } from "./lib/figures.mjs";
import { signer } from "./lib/signer.mjs";
import { serve } from "./lib/workerd.mjs";
import { load } from "./lib/wrk.mjs";
import { readsOf } from "./node-reads.mjs";
import { nodeReport } from "./node-report.mjs";
import { committed, submit, write } from "./node-writes.mjs";

const SENDERS = 100;
const CONNECTIONS = 32;
const SIZES = [1_000, 10_000, 50_000, 200_000];
/** For the growing chain only: blocks are written as fast as they fill, and a sender may be far ahead of them. */
const HURRIED = { BLOCK_MS: "50", MEMPOOL_PER_ACCOUNT: "10000", MEMPOOL_CAPACITY: "100000" };
const SMALL_BLOCKS = 20;
const SAMPLES = 300;

/**
 * Measures the embedded node without an edge: writing at its default settings, then reading while its history grows.
 * Returns Markdown.
 */
export async function nodeSection({ seconds, growSeconds, versions, port, log }) {
  const writing = await withNode({}, port, (node) => write(node, { seconds, log }));
  const reading = await withNode(HURRIED, port, (node) => grow(node, { seconds, growSeconds, versions, log }));
  return nodeReport(writing, reading, { seconds, growSeconds, SENDERS, SAMPLES, SIZES, BLOCK_MS: HURRIED.BLOCK_MS });
}

async function withNode(vars, port, work) {
  const server = await serve(nodeBundle(vars), port);
  const { call, json, close } = client(server.url, CONNECTIONS);
  try {
    const senders = Array.from({ length: SENDERS }, (_, number) => signer(number));
    const receiver = signer(SENDERS);
    for (const { address } of [...senders, receiver])
      await json(`/mint?address=${address}&amount=100000000000`, { method: "POST" });
    return await work({ server, call, json, senders, receiver });
  } finally {
    close();
    await server.stop();
    server.removeState();
  }
}

/** Grows the chain to each size in turn with batches of real transfers, as far as the time allows. */
async function grow(node, { seconds, growSeconds, versions, log }) {
  const stages = [];
  const history = { transactions: [], blocks: [] };
  const startedAt = performance.now();
  const untilMs = startedAt + growSeconds * 1_000;
  for (const size of SIZES.filter((each) => each <= versions)) {
    if (!(await growTo(node, size - SMALL_BLOCKS * 12, history, untilMs))) break;
    await smallBlocks(node, history);
    const { ledger_version } = await node.json("/v1");
    const reads = await readsOf(node, history, Number(ledger_version));
    const stage = { bytes: bytesOn(node.server.disk), version: Number(ledger_version), reads: {} };
    for (const [name, list] of Object.entries(reads)) stage.reads[name] = await readSingle(node, list);
    for (const [name, list] of Object.entries(reads)) {
      const run = await load(node.server.url, { seconds: Math.min(2, seconds), callers: 1_000, requests: list });
      if (run.refused + run.failed > 0) throw new Error(`${name}: ${run.refused} refused, ${run.failed} failed`);
      stage.reads[name].perSecond = run.perSecond;
    }
    stages.push(stage);
    log(`node: ${count(size)} versions after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  return stages;
}

/** Whether the chain reached that length in time. */
async function growTo(node, size, { transactions }, untilMs) {
  let version = Number((await node.json("/v1")).ledger_version);
  while (version < size) {
    if (performance.now() > untilMs) return false;
    const rounds = Math.max(1, Math.min(20, Math.ceil((size - version) / SENDERS / 1.1)));
    const signed = Array.from({ length: rounds }, () =>
      node.senders.map((from) => from.transfer(node.receiver.address)),
    ).flat();
    const batches = [];
    for (let at = 0; at < signed.length; at += 10) batches.push(signed.slice(at, at + 10));
    await inParallel(batches, 8, (batch) => submit(node, batch));
    const { hash } = signed.at(-1);
    const found = await committed(node, hash);
    transactions.push({ hash, version: found.version });
    version = Number((await node.json("/v1")).ledger_version);
  }
  return true;
}

/** Blocks of ten transactions, the same at every length of chain, so that block reads are comparable. */
async function smallBlocks(node, { transactions, blocks }) {
  for (let block = 0; block < SMALL_BLOCKS; block++) {
    const batch = node.senders.slice(0, 10).map((from) => from.transfer(node.receiver.address));
    await submit(node, batch);
    const { version } = await committed(node, batch.at(-1).hash);
    const { block_height } = await node.json(`/v1/blocks/by_version/${version}`);
    blocks.push(block_height);
    transactions.push({ hash: batch.at(-1).hash, version });
  }
}

/** One request at a time: the median latency, and the node's processor time per request. */
async function readSingle({ call, server }, list) {
  const times = [];
  const before = server.cpuMs();
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { method, path, media, body } = list[sample % list.length];
    const headers = media === undefined ? {} : { "Content-Type": media };
    const answer = await call(path, { method, headers, body });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    times.push(answer.milliseconds);
  }
  return { medianMs: median(times), cpuMs: (server.cpuMs() - before) / SAMPLES };
}

function bytesOn(disk) {
  const files = readdirSync(disk, { recursive: true }).map((name) => statSync(join(disk, name)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}
