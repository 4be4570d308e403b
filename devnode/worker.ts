import { parseNodeConfig } from "./config.ts";
import type { ChainObject } from "./object.ts";

export { ChainObject } from "./object.ts";

interface Env {
  readonly CHAIN: DurableObjectNamespace<ChainObject>;
}

/** Hands every request to the one object that is the chain. */
export default {
  fetch: (request, env) => {
    const parsed = parseNodeConfig({ ...env });
    if (parsed.kind === "problems") return misconfigured(parsed.problems);
    // Genesis and every hash depend on these two: with others it is another chain, beside the first.
    const { chainId, transactionHash } = parsed.config;
    return env.CHAIN.getByName(`chain ${chainId} ${transactionHash}`).fetch(request);
  },
} satisfies ExportedHandler<Env>;

function misconfigured(problems: readonly string[]): Response {
  console.error(JSON.stringify({ event: "misconfigured", problems }));
  return Response.json(
    { message: "This node is not configured.", error_code: "internal_error", vm_error_code: null },
    { status: 503, headers: { "Retry-After": "60" } },
  );
}
