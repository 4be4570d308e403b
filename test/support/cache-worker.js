// Implements the Cache API of a bare runtime: look-ups are GETs, the body of a put is a whole HTTP/1.1 response.
const stored = new Map();

export default {
  async fetch(request) {
    if (request.method === "PUT") {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const text = new TextDecoder("latin1").decode(bytes);
      const end = text.indexOf("\r\n\r\n");
      const fields = text
        .slice(0, end)
        .split("\r\n")
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])
        .filter(([name]) => !/^(transfer-encoding|content-length|connection)$/i.test(name));
      stored.set(request.url, { fields, body: bytes.slice(end + 4) });
      return new Response(null, { status: 204 });
    }
    const found = stored.get(request.url);
    if (found === undefined) return new Response(null, { status: 504, headers: { "cf-cache-status": "MISS" } });
    return new Response(found.body, { headers: [...found.fields, ["cf-cache-status", "HIT"]] });
  },
};
