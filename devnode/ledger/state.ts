/**
 * Where a state value lives. Addresses and handles are canonical (`0x`, lower case, no leading zeros), types are
 * canonical struct tags as the codecs print them, so equal places are equal text.
 */
export type StateKey =
  | { readonly kind: "resource"; readonly address: string; readonly type: string }
  | { readonly kind: "module"; readonly address: string; readonly name: string }
  | { readonly kind: "table_item"; readonly handle: string; readonly key: Uint8Array };

/** Reads state as of one version. Synchronous: storage and machine share one thread. */
export interface StateReader {
  /** BCS of a resource or table item, bytecode of a module; undefined when there is none. */
  readonly get: (key: StateKey) => Uint8Array | undefined;
}

/** What a table holds, known to whoever writes it; lets records show decoded items. */
export interface TableTypes {
  readonly keyType: string;
  readonly valueType: string;
}

/** One state value written (`value`) or deleted (null). A transaction writes each key at most once. */
export interface Write {
  readonly key: StateKey;
  readonly value: Uint8Array | null;
  /** For table items only; null otherwise. */
  readonly table: TableTypes | null;
}
