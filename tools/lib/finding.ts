/** What one check found: what it looked at, what is wrong with it, and what an operator should know. */
export interface Finding {
  readonly is: string;
  /** Plain sentences with the remedy. */
  readonly problems: readonly string[];
  readonly warnings?: readonly string[];
}
