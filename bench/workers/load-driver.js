// Sends requests from inside the runtime, which is cheaper than HTTP: to the edge, or to the limiter's objects only.
const OBJECTS = ["v1:default:weur:0", "v1:node:weur:0", "v1:default:eeur:0", "v1:node:eeur:0"];
/** What a limiter object records as seen by each caller. */
const SEEN = { epoch: 0, version: 10_000_000n, fields: "" };

export default {
  async fetch(request, { EDGE, LIMITER }) {
    const { pathname, searchParams } = new URL(request.url);
    const order = Object.fromEntries([...searchParams].map(([name, value]) => [name, Number(value)]));
    return Response.json(await (pathname === "/limiter" ? takeAll(LIMITER, order) : readAll(EDGE, order)));
  },
};

/**
 * For each number a read of the chain with a key of its own, from a caller of its own, and for every tenth a request of
 * `/api` too. Returns the number of answers by status.
 */
async function readAll(edge, { first, count, atOnce }) {
  const statuses = {};
  let next = first;
  const send = async (number, path) => {
    const headers = { "CF-Connecting-IP": addressOf(number) };
    const response = await edge.fetch(`http://edge${path}`, { headers, cf: { country: "DE", continent: "EU" } });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  };
  const worker = async () => {
    while (next < first + count) {
      const number = next;
      next += 1;
      await send(number, chainPath(number));
      if (number % 10 === 0) await send(number, `/api/circulating-supply?format=plain&n=${number}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return statuses;
}

/** Each caller so many times at one of the first `objects`. Returns the number of admitted and refused requests. */
async function takeAll(limiter, { first, count, times, objects, quota, windowSeconds }) {
  const stubs = OBJECTS.slice(0, objects).map((name) => limiter.getByName(name));
  const takes = [];
  for (let number = first; number < first + count; number += 1)
    for (let time = 0; time < times; time += 1)
      takes.push(stubs[number % objects].take(addressOf(number), quota, windowSeconds, Date.now(), SEEN));
  const decisions = await Promise.all(takes);
  const refused = decisions.filter((decision) => decision < 0).length;
  return { admitted: decisions.length - refused, refused };
}

function addressOf(number) {
  return `${10 + (number >> 24)}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Alternately committed and at the tip. */
function chainPath(number) {
  if (number % 2 === 0) return `/v1/transactions/by_version/${number}`;
  return `/v1/accounts/0x${(number + 65_536).toString(16)}/resource/0x1::a::A`;
}
