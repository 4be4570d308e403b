/** Ids that are unique at the price of a counter: an id of this isolate, drawn at the first request, and a running number. */
export function requestIdGenerator(draw: () => string): () => string {
  let requests = 0;
  let isolate: string | undefined;
  return () => {
    isolate ??= draw().slice(0, 13);
    requests += 1;
    return `${isolate}-${requests.toString(36)}`;
  };
}
