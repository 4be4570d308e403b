import type { ChainObject } from "../../durable-object.ts";

declare global {
  namespace Cloudflare {
    /** The bindings that tests inside workerd open directly. */
    interface Env {
      CHAIN: DurableObjectNamespace<ChainObject>;
    }
    interface GlobalProps {
      mainModule: typeof import("../../worker.ts");
    }
  }
}
