// Runs before every test file that calls a server over HTTP. A server closes a connection that was idle, and a client
// may send its next request at the same moment. A stalled machine delays the client's own timer past the server's, so
// the tests use each connection once.
const CLIENT = Symbol.for("undici.globalDispatcher.1");

// The first request creates the client.
await fetch("data:,");
const standard: unknown = Reflect.get(globalThis, CLIENT);
if (typeof standard !== "object" || standard === null) throw new Error("Node's HTTP client has another name now");
Reflect.set(globalThis, CLIENT, Reflect.construct(standard.constructor, [{ pipelining: 0 }]));
