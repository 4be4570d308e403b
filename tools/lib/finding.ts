/** Result of one check. */
export interface Finding {
  readonly is: string;
  /** Sentences that state a problem and its remedy. */
  readonly problems: readonly string[];
  readonly warnings?: readonly string[];
}
