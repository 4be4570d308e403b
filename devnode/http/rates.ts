import { instantText } from "../../src/base/utc.ts";
import { FRAMEWORK, NATIVE_COIN } from "../framework/addresses.ts";
import { coinInfo } from "../framework/coin-state.ts";
import { Session } from "../vm/session.ts";
import { json, reads } from "./endpoint.ts";
import { isError } from "./node-error.ts";
import { samplesOf } from "./sample-products.ts";
import { stateAt } from "./state-lookup.ts";

const CURRENT_SECONDS = 3_600;

/** `GET /rates`: sample yield products. Native staking is not listed: it follows from the chain's own state. */
export const rates = reads({
  answer: (_call, node) => {
    const at = stateAt(node, undefined);
    if (isError(at)) return at;
    const coin = new Session(at.state, null).get(coinInfo.of(NATIVE_COIN), FRAMEWORK);
    const asOfMs = Number(at.timestampMicros / 1000n);
    const shared = { as_of: instantText(asOfMs), stale_after: instantText(asOfMs + CURRENT_SECONDS * 1000) };
    const data = samplesOf(coin).map((sample, index) => ({
      ...sample,
      provider: "Sample",
      url: "https://example.org/",
      apr: null,
      compounds_per_year: null,
      rate_type: "variable",
      window: "7d",
      apy_mean_30d: null,
      min_deposit: null,
      status: "active",
      ...shared,
      source: "sample",
      featured: false,
      order: index + 1,
    }));
    return json({ as_of: shared.as_of, count: data.length, data });
  },
});
