/**
 * Writes one structured log line. `event` names the kind of event (listed in docs/operations.md). Never contains a
 * secret, an upstream URL or a caller's address.
 */
export type Log = (event: string, detail: Readonly<Record<string, unknown>>) => void;
