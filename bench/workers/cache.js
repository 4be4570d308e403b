// Serves the Cache API of a bare runtime: lookups are GETs, puts carry a whole HTTP/1.1 response as their body.
// Like a data centre's cache it evicts what is past its max-age, and the oldest entries above 32 MiB.
const MAX_BYTES = 32 * 1_048_576;
const OVERHEAD_BYTES = 1_024;
const stored = new Map();
let held = 0;

export default {
  async fetch(request) {
    const key = `${request.headers.get("cf-cache-namespace") ?? ""} ${request.url}`;
    if (request.method === "PUT") {
      put(key, new Uint8Array(await request.arrayBuffer()));
      return new Response(null, { status: 204 });
    }
    const found = stored.get(key);
    if (found === undefined || found.untilMs <= Date.now()) return new Response(null, { status: 504, headers: MISS });
    return new Response(found.body, { headers: found.fields });
  },
};

const MISS = { "cf-cache-status": "MISS" };
const NOT_KEPT = /^(transfer-encoding|content-length|connection)$/i;

function put(key, bytes) {
  const end = endOfHead(bytes);
  const lines = new TextDecoder("latin1").decode(bytes.subarray(0, end)).split("\r\n").slice(1);
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  const fields = pairs.filter(([name]) => !NOT_KEPT.test(name));
  const control = fields.find(([name]) => name.toLowerCase() === "cache-control")?.[1] ?? "";
  const seconds = Number(/(?:^|[\s,])max-age=(\d+)/.exec(control)?.[1] ?? 0);
  forget(key);
  const body = bytes.slice(end + 4);
  const value = { fields: [...fields, ["cf-cache-status", "HIT"]], body, untilMs: Date.now() + seconds * 1_000 };
  stored.set(key, value);
  held += body.byteLength + OVERHEAD_BYTES;
  for (const oldest of stored.keys()) {
    if (held <= MAX_BYTES) break;
    forget(oldest);
  }
}

function forget(key) {
  const found = stored.get(key);
  if (found === undefined) return;
  stored.delete(key);
  held -= found.body.byteLength + OVERHEAD_BYTES;
}

function endOfHead(bytes) {
  for (let at = 0; at + 3 < bytes.length; at++)
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at;
  return bytes.length;
}
