// Runs before every test file that calls a server over HTTP. The runtime closes connections that were idle for five
// seconds, Node's client after four. On a busy machine, one may reuse a connection that the other is closing.
const CLIENT = Symbol.for("undici.globalDispatcher.1");
const IDLE_MS = 1_000;

// The first request creates the client.
await fetch("data:,");
const standard: unknown = Reflect.get(globalThis, CLIENT);
if (typeof standard !== "object" || standard === null) throw new Error("Node's HTTP client has another name now");
Reflect.set(
  globalThis,
  CLIENT,
  Reflect.construct(standard.constructor, [{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS }]),
);
