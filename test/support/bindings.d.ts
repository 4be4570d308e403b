import type { ChainObject } from "../../devnode/durable-object.ts";
import type { Shield } from "../../src/gateway/shield-object.ts";
import type { Home } from "../../src/home/home-object.ts";
import type { LimiterShard } from "../../src/limiter/limiter-object.ts";

declare global {
  namespace Cloudflare {
    /** The bindings that tests inside workerd open directly. */
    interface Env {
      CHAIN: DurableObjectNamespace<ChainObject>;
      LIMITER: DurableObjectNamespace<LimiterShard>;
      SHIELD: DurableObjectNamespace<Shield>;
      HOME: DurableObjectNamespace<Home>;
    }
    interface GlobalProps {
      mainModule: typeof import("../../src/worker.ts");
    }
  }
}
