/** A path in which `:name` stands for one segment, as a pattern whose groups are the segments as they were sent. */
export function compilePath(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
}
