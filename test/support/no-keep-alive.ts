// Runs before every test file that calls a server over HTTP. The runtime closes connections that were idle for five
// seconds, and on a busy machine Node's client may reuse one at that moment. So each request has its own connection.
const CLIENT = Symbol.for("undici.globalDispatcher.1");

// The first request creates the client.
await fetch("data:,");
const standard: unknown = Reflect.get(globalThis, CLIENT);
if (typeof standard !== "object" || standard === null) throw new Error("Node's HTTP client has another name now");
Reflect.set(globalThis, CLIENT, Reflect.construct(standard.constructor, [{ pipelining: 0 }]));
