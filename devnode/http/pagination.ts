import { address, text, uint16, uint64 } from "../../src/chain/parameters.ts";
import { bytes, type Codec, encode, map } from "../codec/bcs.ts";
import type { Page } from "../ledger/api.ts";
import type { StatePlace } from "../vm/state-keys.ts";
import { accountExists, noAccount } from "./accounts.ts";
import { either, reads } from "./endpoint.ts";
import { isError, refuse } from "./node-error.ts";
import { pageSize, stateAt, versionError } from "./state-lookup.ts";

/** Public SDKs do not follow cursors correctly: with this default, all resources and modules fit one page. */
const MAX_PAGE_ITEMS = 9999;

/** How an account's resources or modules are listed. */
interface Listing<Key> {
  readonly kind: "resource" | "module";
  readonly keyOf: (place: StatePlace) => Key | undefined;
  readonly json: (key: Key, value: Uint8Array) => unknown;
  /** In BCS a page is a map from the keys to the values' bytes. */
  readonly bcsKey: Codec<Key>;
}

/** A GET endpoint that lists an account's state page by page. */
export function lists<Key>({ kind, keyOf, json, bcsKey }: Listing<Key>) {
  const entriesOf = ({ items }: Page) =>
    items.flatMap(({ place, value }) => {
      const key = keyOf(place);
      return key === undefined ? [] : [{ key, value }];
    });
  return reads({
    path: { address },
    query: { ledger_version: uint64, start: text, limit: uint16 },
    answer: ({ path, query, format }, node) => {
      const limit = pageSize(query.limit, MAX_PAGE_ITEMS, MAX_PAGE_ITEMS);
      if (isError(limit)) return limit;
      const page = node.ledger.list(kind, path.address, query.ledger_version ?? null, query.start ?? null, limit);
      if (page.kind === "bad_cursor") return badCursor(query.start ?? "");
      if (page.kind !== "page") return versionError(page);
      const at = stateAt(node, query.ledger_version);
      if (isError(at)) return at;
      if (page.items.length === 0 && !accountExists(node, at.state, path.address))
        return noAccount(path.address, at.version);
      const entries = entriesOf(page);
      const answer = either(format, {
        json: () => entries.map(({ key, value }) => json(key, value)),
        bcs: () => encode(map(bcsKey, bytes), entries),
      });
      return { ...answer, cursor: page.nextCursor };
    },
  });
}

function badCursor(start: string) {
  return refuse("invalid_input", `Invalid cursor ${JSON.stringify(start)}: pass on what an earlier page's header says`);
}
