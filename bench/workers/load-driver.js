// Sends requests from inside the runtime, which is cheaper than HTTP: to the edge, one request per number, from a caller
// and for a resource that no other number has; or to the limiter's objects only.
const OBJECTS = ["v1:default:weur:0", "v1:node:weur:0", "v1:default:eeur:0", "v1:node:eeur:0"];

export default {
  async fetch(request, { EDGE, LIMITER }) {
    const { pathname, searchParams } = new URL(request.url);
    const [first, count, atOnce] = ["first", "count", "atOnce"].map((name) => Number(searchParams.get(name)));
    if (pathname === "/limiter") return Response.json(await takeAll(LIMITER, first, count));
    if (pathname === "/limiter/each") return Response.json(await takeEach(LIMITER, first, count, atOnce));
    const statuses = {};
    let next = first;
    const worker = async () => {
      while (next < first + count) {
        const number = next;
        next += 1;
        const headers = { "CF-Connecting-IP": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
        const cf = { country: "DE", continent: "EU" };
        const response = await EDGE.fetch(`http://edge${pathOf(number)}`, { headers, cf });
        await response.arrayBuffer();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return Response.json(statuses);
  },
};

/** Each caller once, in turn at objects of two policies and two regions. */
async function takeAll(limiter, first, count) {
  const stubs = OBJECTS.map((name) => limiter.get(limiter.idFromName(name)));
  const takes = [];
  for (let number = first; number < first + count; number += 1)
    takes.push(stubs[number % stubs.length].take(keyOf(number), 300, 60));
  await Promise.all(takes);
  return { 200: count };
}

/** Each caller so many times, at one object. Returns how many were admitted. */
async function takeEach(limiter, first, count, times) {
  const stub = limiter.getByName(OBJECTS[0]);
  const takes = [];
  for (let number = first; number < first + count; number += 1)
    for (let time = 0; time < times; time += 1) takes.push(stub.take(keyOf(number), times, 60));
  return (await Promise.all(takes)).filter((decision) => decision >= 0).length;
}

function keyOf(number) {
  return `${10 + (number >> 24)}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Alternately committed and at the tip, every tenth one not of the chain. */
function pathOf(number) {
  if (number % 10 === 9) return `/api/circulating-supply?format=plain&n=${number}`;
  if (number % 2 === 0) return `/v1/transactions/by_version/${number}`;
  return `/v1/accounts/0x${(number + 65_536).toString(16)}/resource/0x1::a::A`;
}
