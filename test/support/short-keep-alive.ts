// Runs before every file that calls a server over HTTP. The runtime closes a connection that was idle for five seconds,
// Node's client one that was idle for four: when the machine is busy, both may use it at the same moment.
const CLIENT = Symbol.for("undici.globalDispatcher.1");
const IDLE_MS = 1_000;

// The client exists from the first request on.
await fetch("data:,");
const standard: unknown = Reflect.get(globalThis, CLIENT);
if (typeof standard !== "object" || standard === null) throw new Error("Node's HTTP client has another name now");
Reflect.set(
  globalThis,
  CLIENT,
  Reflect.construct(standard.constructor, [{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS }]),
);
