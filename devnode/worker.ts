import { parseNodeConfig } from "./config.ts";
import type { ChainObject } from "./durable-object.ts";

export { ChainObject } from "./durable-object.ts";

interface Env {
  readonly CHAIN: DurableObjectNamespace<ChainObject>;
}

/** Hands every request to the one object that is the chain. */
export default {
  fetch: async (request, env) => {
    const parsed = parseNodeConfig({ ...env });
    if (parsed.kind === "problems") return misconfigured(parsed.problems);
    const { chainId, transactionHash, genesisSupply, genesisWallets } = parsed.config;
    // What genesis and every hash depend on: with other settings it is another chain, beside the first. The wallets' amounts
    // are left out: they follow the calendar, and a chain goes on when a month has passed.
    const wallets = genesisWallets.map(({ holds, address }) => `${holds}:${address}`).join();
    try {
      return await env.CHAIN.getByName(`chain ${chainId} ${transactionHash} ${genesisSupply} ${wallets}`).fetch(
        request,
      );
    } catch (cause) {
      return unavailable(cause);
    }
  },
} satisfies ExportedHandler<Env>;

function misconfigured(problems: readonly string[]): Response {
  console.error(JSON.stringify({ event: "misconfigured", problems }));
  return notServing("This node is not configured.", 60);
}

/** The chain could not be opened, or was lost in the middle of a request. */
function unavailable(cause: unknown): Response {
  console.error(JSON.stringify({ event: "unavailable", cause: String(cause) }));
  return notServing("The chain does not answer; the node's log says why.", 1);
}

function notServing(message: string, retryAfterSeconds: number): Response {
  return Response.json(
    { message, error_code: "internal_error", vm_error_code: null },
    { status: 503, headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}
