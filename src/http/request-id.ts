/**
 * Generates unique ids at the cost of a counter: a random id of the isolate, made by its first request, and a sequence
 * number.
 */
export function requestIdGenerator(randomId: () => string): () => string {
  let requests = 0;
  let isolate: string | undefined;
  return () => {
    isolate ??= randomId().slice(0, 13);
    requests += 1;
    return `${isolate}-${requests.toString(36)}`;
  };
}
