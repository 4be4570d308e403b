/** Error in an operator's file, with its place in the file: `addresses[0].path`; "" is the whole file. */
export interface FileError {
  readonly path: string;
  readonly message: string;
}

/** Records a refusal. Returns undefined, so that a parser can return it as "no value". */
export type Refuse = (path: string, message: string) => undefined;

/** Refuses every member of an object that is not allowed at its place. */
export function onlyMembers(record: object, allowed: readonly string[], at: string, refuse: Refuse): void {
  const unknown = Object.keys(record).filter((name) => !allowed.includes(name));
  for (const name of unknown)
    refuse(at === "" ? name : `${at}.${name}`, `is not a member here; allowed are ${allowed.join(", ")}`);
}

/** Returns the name that a value is one of; otherwise refuses it. */
export function oneOf<Name extends string>(
  allowed: readonly Name[],
  value: unknown,
  at: string,
  refuse: Refuse,
): Name | undefined {
  const known = allowed.find((each) => each === value);
  return known ?? refuse(at, `must be one of ${allowed.join(", ")}`);
}

/** Lists the keys of a table. Cast: an object literal has exactly the keys of its type. */
export function keysOf<Table extends object>(table: Table) {
  return Object.keys(table) as (keyof Table & string)[];
}
