import { uint32 } from "../../src/chain/parameters.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { either, json, reads } from "./endpoint.ts";
import { refuse } from "./node-error.ts";
import { specification } from "./specification.ts";

const NODE_ROLE = "full_node";
const FULL_NODE_VARIANT = 1;

/** `GET /v1`: the chain and its tip. */
export const ledgerInfo = reads({
  answer: ({ format }, { ledger, settings }) => {
    const info = ledger.info();
    return either(format, {
      json: () => ({
        chain_id: info.chainId,
        epoch: String(info.epoch),
        ledger_version: String(info.version),
        oldest_ledger_version: String(info.oldestVersion),
        ledger_timestamp: String(info.timestampMicros),
        node_role: NODE_ROLE,
        oldest_block_height: String(info.oldestBlockHeight),
        block_height: String(info.blockHeight),
        git_hash: settings.revision,
      }),
      bcs: () =>
        encodeBcs((writer) =>
          writer
            .u8(info.chainId)
            .u64(info.epoch)
            .u64(info.version)
            .u64(info.oldestVersion)
            .u64(info.timestampMicros)
            .uleb(FULL_NODE_VARIANT)
            .u64(info.oldestBlockHeight)
            .u64(info.blockHeight),
        ),
    });
  },
});

/** `GET /v1/-/healthy`: with `duration_secs`, whether the newest block is at most that old. */
export const healthy = reads({
  query: { duration_secs: uint32 },
  answer: ({ query }, { ledger, nowMs }) => {
    if (query.duration_secs === undefined) return json({ message: "aptos-node:ok" });
    const oldestGoodMs = nowMs - query.duration_secs * 1000;
    const latestMs = Number(ledger.info().timestampMicros / 1000n);
    return latestMs >= oldestGoodMs
      ? json({ message: "aptos-node:ok" })
      : refuse(
          "health_check_failed",
          `The latest ledger info timestamp is ${latestMs} ms, which is more than ${query.duration_secs} s ago`,
        );
  },
});

/** `GET /v1/spec.json`: the OpenAPI document of this interface. */
export const describe = reads({ answer: () => json(specification) });

/** `GET /v1/estimate_gas_price`. In BCS only the regular estimate, as the public nodes return it. */
export const gasPrice = reads({
  answer: ({ format }, { ledger }) => {
    const { deprioritized, market, prioritized } = ledger.gasEstimate();
    return either(format, {
      json: () => ({
        deprioritized_gas_estimate: Number(deprioritized),
        gas_estimate: Number(market),
        prioritized_gas_estimate: Number(prioritized),
      }),
      bcs: () => encodeBcs((writer) => writer.u64(market)),
    });
  },
});
