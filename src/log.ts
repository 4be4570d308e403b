/**
 * Writes one structured log line. `event` names the failure class (the list is in docs/operations.md). Never carries a
 * secret, an upstream URL or a caller's address.
 */
export type Log = (event: string, detail: Readonly<Record<string, unknown>>) => void;
