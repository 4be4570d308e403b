/** Writes a number of things, as in "1 wallet" and "2 wallets". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
