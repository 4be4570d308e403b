import { chainName } from "./chain-name.ts";
import { parseNodeConfig } from "./config.ts";
import type { ChainObject } from "./durable-object.ts";

export { ChainObject } from "./durable-object.ts";

interface Env {
  readonly CHAIN: DurableObjectNamespace<ChainObject>;
}

/** Forwards every request to the Durable Object of the configured chain. */
export default {
  fetch: async (request, env) => {
    const parsed = parseNodeConfig({ ...env });
    if (parsed.kind === "problems") return misconfigured(parsed.problems);
    try {
      return await env.CHAIN.getByName(chainName(parsed.config)).fetch(request);
    } catch (cause) {
      return unavailable(cause);
    }
  },
} satisfies ExportedHandler<Env>;

function misconfigured(problems: readonly string[]): Response {
  console.error(JSON.stringify({ event: "misconfigured", problems }));
  return notServing("This node is not configured.", 60);
}

/** The object could not be started, or was reset during a request. */
function unavailable(cause: unknown): Response {
  console.error(JSON.stringify({ event: "unavailable", cause: String(cause) }));
  return notServing("The chain is not available; the node's log has the reason.", 1);
}

function notServing(message: string, retryAfterSeconds: number): Response {
  return Response.json(
    { message, error_code: "internal_error", vm_error_code: null },
    { status: 503, headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}
