import { setTimeout as pause } from "node:timers/promises";

/**
 * The heaps of the Workers of one `workerd serve --inspector-addr`, each in its own isolate. The runtime needs
 * `v8Flags = ["--expose-gc"]`: its inspector does not collect garbage by itself.
 */
export async function inspect(address, names) {
  const isolates = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await attach(`ws://${address}/${name}`)])),
  );
  const all = async (read) =>
    Object.fromEntries(
      await Promise.all(Object.entries(isolates).map(async ([name, isolate]) => [name, await read(isolate)])),
    );
  return {
    /** Bytes of each isolate's live objects and their buffers. */
    liveBytes: () => all(liveBytes),
    /** Runs `work` and reads the live bytes repeatedly meanwhile: the maximum of each isolate. */
    peakBytesDuring: async (work) => {
      const peaks = await all(liveBytes);
      let isRunning = true;
      const watch = async () => {
        while (isRunning) {
          for (const [name, bytes] of Object.entries(await all(liveBytes))) peaks[name] = Math.max(peaks[name], bytes);
          await pause(20);
        }
      };
      const watching = watch();
      const result = await work().finally(() => {
        isRunning = false;
      });
      await watching;
      return { peaks, result };
    },
    close: () => {
      for (const { close } of Object.values(isolates)) close();
    },
  };
}

async function liveBytes(isolate) {
  // Buffers of objects that one collection frees are released by the next one.
  for (let round = 0; round < 3; round += 1)
    await isolate.call("Runtime.evaluate", { expression: "gc()", contextId: isolate.contextId });
  return usedBytes(isolate);
}

/** The JavaScript heap, and its objects' buffers outside of it. */
async function usedBytes({ call }) {
  const { usedSize, backingStorageSize } = await call("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

async function attach(url) {
  const socket = new WebSocket(url);
  const pending = new Map();
  let contextId;
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    if (method === "Runtime.executionContextCreated") contextId = params.context.id;
    const settle = pending.get(id);
    pending.delete(id);
    if (error !== undefined) settle?.reject(new Error(`${url}: ${error.message}`));
    else settle?.resolve(result);
  };
  const call = (method, params = {}) => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
    socket.send(JSON.stringify({ id, method, params }));
    return answered;
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`${url} cannot be inspected`));
  });
  await call("Runtime.enable");
  return { call, contextId, close: () => socket.close() };
}
