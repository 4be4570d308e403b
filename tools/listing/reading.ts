import type { Asset } from "../../src/chain/asset.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../command-line.ts";
import { getJson } from "../history/blocks.ts";
import { nodeAt } from "../node-views.ts";
import { type ChainReading, readChain } from "../schedule/verify.ts";

/** Where in the ledger everything was read. */
export interface Point {
  readonly chainId: number;
  readonly version: bigint;
  /** When the block of the version began: the instant of everything that the schedule says. */
  readonly atMs: number;
}

/** A ledger version of a node by its base URL; null: the newest. */
export async function pointAt(node: string, version: bigint | null): Promise<Point> {
  const ledger = await getJson(node).catch(() => undefined);
  const newest = ledger?.["ledger_version"];
  const chainId = ledger?.["chain_id"];
  if (typeof newest !== "string" || typeof chainId !== "number")
    throw new Refusal(["--node: does not answer as a chain node; give its base URL, ending in /v1"]);
  const wanted = version ?? BigInt(newest);
  const block = await getJson(`${node}/blocks/by_version/${wanted}`).catch(() => undefined);
  const timestamp = block?.["block_timestamp"];
  if (typeof timestamp !== "string")
    throw new Refusal([`--node: has no block of ledger version ${wanted}; take an archive node, or a later version`]);
  return { chainId, version: wanted, atMs: Number(BigInt(timestamp) / 1000n) };
}

/** The total and every wallet at one point. Refuses a reading that is not complete or contradicts the schedule. */
export async function readAt(node: string, schedule: Schedule, asset: Asset, point: Point): Promise<ChainReading> {
  return readChain(nodeAt(node, point.version), asset, schedule, point.atMs);
}
