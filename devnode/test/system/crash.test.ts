import { afterAll, expect, test } from "vitest";
import { type NodeProcess, nodeProcess } from "../../../test/support/devnode.ts";
import { ALICE, BOB, CAROL, type DevelopmentAccount, ISSUER, TREASURY } from "../../development-keys.ts";
import { signed } from "../support/ledger-world.ts";

const SENDERS = [ALICE, BOB, CAROL, ISSUER, TREASURY];
const FAR = 4_102_444_800n;

const running: NodeProcess[] = [];

afterAll(async () => {
  for (const node of running) await node.remove();
});

async function node(): Promise<NodeProcess> {
  const made = await nodeProcess();
  running.push(made);
  return made;
}

type Json = Record<string, unknown>;

async function get<T = Json>({ url }: NodeProcess, path: string): Promise<T> {
  const response = await fetch(`${url()}/v1${path}`);
  return (await response.json()) as T; // the node's response, which the caller checks
}

async function submit({ url }: NodeProcess, bytes: Uint8Array): Promise<string | undefined> {
  const headers = { "Content-Type": "application/x.node.signed_transaction+bcs" };
  const response = await fetch(`${url()}/v1/transactions`, { method: "POST", headers, body: bytes });
  const body = (await response.json()) as Json;
  return response.status === 202 ? String(body["hash"]) : undefined;
}

async function sequenceOf(chain: NodeProcess, { address }: DevelopmentAccount): Promise<bigint> {
  return BigInt(String((await get(chain, `/accounts/${address}`))["sequence_number"]));
}

/** Sends requests in sequence until the process dies; records the hash of every 202. */
async function load(chain: NodeProcess, from: DevelopmentAccount, acknowledged: Set<string>): Promise<void> {
  try {
    for (let sequence = await sequenceOf(chain, from); ; sequence += 1n) {
      const hash = await submit(chain, signed({ from, sequence, to: BOB.address, expires: FAR }));
      if (hash === undefined) return;
      acknowledged.add(hash);
    }
  } catch {
    // The process was killed under the request: its response never arrived.
  }
}

async function settled(chain: NodeProcess, hash: string): Promise<Json> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await get(chain, `/transactions/wait_by_hash/${hash}`);
    if (found["type"] !== "pending_transaction") return found;
  }
  return { type: "still pending" };
}

/** Every version from the first to the last, in complete blocks: metadata first, checkpoint last, no gap. */
async function wholeHistory(chain: NodeProcess): Promise<readonly Json[]> {
  const { ledger_version } = await get(chain, "/");
  const records: Json[] = [];
  while (records.length <= Number(ledger_version))
    records.push(...(await get<Json[]>(chain, `/transactions?start=${records.length}&limit=100`)));
  // The chain continues meanwhile, so the last block may be incomplete in this listing.
  return records.slice(0, Number(ledger_version) + 1);
}

function expectWholeBlocks(records: readonly Json[]): void {
  expect(records.map(({ version }) => Number(version))).toEqual(records.map((_, index) => index));
  const types = records.map(({ type }) => String(type).replace(/_transaction$/, "")).join(" ");
  expect(types).toMatch(/^genesis( block_metadata( user)* state_checkpoint)*$/);
}

const ACKNOWLEDGED_PER_RUN = 8;

test("killed repeatedly under load: acknowledged transactions exist, and no block is partial", async () => {
  const chain = await node();
  const acknowledged = new Set<string>();
  let before: readonly Json[] = [];
  for (const runMs of [40, 150, 333, 470, 610]) {
    await chain.start();
    const records = await wholeHistory(chain);
    expectWholeBlocks(records);
    // Everything committed before the kill is still committed, with the same hashes.
    expect(records.slice(0, before.length)).toEqual(before);
    before = records;
    const loads = SENDERS.map((from) => load(chain, from, acknowledged));
    // On a slow machine too, every run acknowledges some transactions before its end.
    const wanted = acknowledged.size + ACKNOWLEDGED_PER_RUN;
    while (acknowledged.size < wanted) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, runMs));
    await chain.kill();
    await Promise.all(loads);
  }
  await chain.start();
  expect(acknowledged.size).toBeGreaterThanOrEqual(5 * ACKNOWLEDGED_PER_RUN);
  for (const hash of acknowledged) expect((await settled(chain, hash))["type"], hash).toBe("user_transaction");
  expectWholeBlocks(await wholeHistory(chain));
  const next = await submit(chain, signed({ from: ALICE, sequence: await sequenceOf(chain, ALICE), expires: FAR }));
  expect(await settled(chain, next ?? "")).toMatchObject({ success: true });
});

test("killed during its first start, it completes the same history on the next start", async () => {
  const [undisturbed, killed] = [await node(), await node()];
  await undisturbed.start();
  const expected = (await wholeHistory(undisturbed)).filter(({ type }) => type === "user_transaction");
  await undisturbed.kill();
  for (const runMs of [5, 20, 40, 60, 80, 100]) {
    const starting = killed.start().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 30 + runMs));
    await killed.kill();
    await starting;
  }
  await killed.start();
  const records = await wholeHistory(killed);
  expectWholeBlocks(records);
  const outcomes = (list: readonly Json[]) => list.map(({ hash, vm_status, gas_used }) => [hash, vm_status, gas_used]);
  expect(outcomes(records.filter(({ type }) => type === "user_transaction"))).toEqual(outcomes(expected));
});
