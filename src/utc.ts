/** `2022-10-12T00:00:00Z`: ISO 8601 in UTC with whole seconds, the format of every published instant. */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
