import { parseHex } from "../../src/chain/hex.ts";
import { flag, uint64 } from "../../src/chain/parameters.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import type { Block, BlockLookup } from "../ledger/api.ts";
import { either, type Outcome, reads } from "./endpoint.ts";
import { refuse } from "./node-error.ts";
import type { Format } from "./response-format.ts";
import { versionError } from "./state-lookup.ts";
import { transactionRecordJson } from "./transaction-record.ts";
import { transactionRecordBcs } from "./transaction-record-bcs.ts";

/** `GET /v1/blocks/by_height/{block_height}` */
export const blockByHeight = reads({
  path: { block_height: uint64 },
  query: { with_transactions: flag },
  answer: ({ path, query, format }, node) =>
    blockAnswer(node.ledger.blockByHeight(path.block_height, query.with_transactions ?? false), format),
});

/** `GET /v1/blocks/by_version/{version}`: the block that contains the version. */
export const blockByVersion = reads({
  path: { version: uint64 },
  query: { with_transactions: flag },
  answer: ({ path, query, format }, node) =>
    blockAnswer(node.ledger.blockByVersion(path.version, query.with_transactions ?? false), format),
});

function blockAnswer(found: BlockLookup, format: Format): Outcome {
  switch (found.kind) {
    case "found":
      return either(format, { json: () => blockJson(found.value), bcs: () => blockBcs(found.value) });
    case "block_not_found":
      return refuse("block_not_found", `Block not found by Block height(${found.height})`);
    case "block_pruned":
      return refuse("block_pruned", `Block(${found.height}) has been pruned`);
    case "version_not_found":
    case "version_pruned":
      return versionError(found);
  }
}

function blockJson(block: Block): unknown {
  return {
    block_height: String(block.height),
    block_hash: block.hash,
    block_timestamp: String(block.timestampMicros),
    first_version: String(block.first),
    last_version: String(block.last),
    transactions: block.transactions?.map((record) => transactionRecordJson(record)),
  };
}

function blockBcs(block: Block): Uint8Array {
  return encodeBcs((writer) =>
    writer
      .u64(BigInt(block.height))
      .bytes(parseHex(block.hash) ?? new Uint8Array())
      .u64(BigInt(block.timestampMicros))
      .u64(BigInt(block.first))
      .u64(BigInt(block.last))
      .option(block.transactions, (inner, list) =>
        inner.vector(list, (each, record) => each.fixed(transactionRecordBcs(record))),
      ),
  );
}
