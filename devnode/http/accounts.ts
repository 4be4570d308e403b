import { type Address, addressBytes, longAddress } from "../../src/chain/address.ts";
import { encodeBcs } from "../../src/chain/bcs.ts";
import { parseStructTag, printStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { writeStructTag } from "../../src/chain/type-tag-bcs.ts";
import { FRAMEWORK } from "../framework/addresses.ts";
import { moduleKey, resourceKey } from "../vm/state.ts";
import { address, identifier, structTag, text } from "./chain-parameter.ts";
import { type Answer, either, type Outcome, reads } from "./endpoint.ts";
import { isError, type NodeError, refuse } from "./failure.ts";
import { pageSize, stateAt, versionError } from "./lookup.ts";
import { writeMap } from "./map-bcs.ts";
import { moduleJson, toJson } from "./move.ts";
import type { Node } from "./node.ts";
import { uint16, uint64 } from "./parameter.ts";

/** Public SDKs page wrongly: with this default every account's resources and modules fit one page. */
const MOST_ITEMS = 9999;

export const ACCOUNT: StructTag = {
  address: FRAMEWORK,
  module: "account",
  name: "Account",
  typeArguments: [],
};

/** `GET /v1/accounts/{address}` */
export const account = reads({
  path: { address },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const bytes = at.state.get(resourceKey(path.address, ACCOUNT));
    if (bytes === undefined) {
      return node.settings.statelessAccounts
        ? unusedAccount(path.address, format)
        : noAccount(path.address, at.version);
    }
    return either(format, { json: () => accountOf(bytes), bcs: () => bytes });
  },
});

/** The two fields that the endpoint shows of an account's resource. */
function accountOf(bytes: Uint8Array): unknown {
  const { sequence_number, authentication_key } = toJson({ kind: "struct", struct: ACCOUNT }, bytes) as Record<
    string,
    unknown
  >; // a struct's JSON is an object
  return { sequence_number, authentication_key };
}

/** What a chain that creates accounts at first use says of an address that was never used. */
function unusedAccount(of: Address, format: "json" | "bcs"): Answer {
  return either(format, {
    json: () => ({ sequence_number: "0", authentication_key: longAddress(of) }),
    bcs: () => unusedAccountBcs(of),
  });
}

/** The account resource as it would be created: its own key, no sequence, two streams that nothing was emitted to. */
function unusedAccountBcs(of: Address): Uint8Array {
  return encodeBcs((writer) => {
    writer.octets(addressBytes(of)).u64(0n).u64(STREAMS);
    for (let stream = 0n; stream < STREAMS; stream += 1n) writer.u64(0n).u64(stream).address(of);
    writer.uleb(0).uleb(0); // no capability is offered
  });
}

const STREAMS = 2n;

export function noAccount(of: Address, version: bigint): NodeError {
  return refuse("account_not_found", `Account not found by Address(${of}) and Ledger version(${version})`);
}

/** `GET /v1/accounts/{address}/resource/{resource_type}` */
export const resource = reads({
  path: { address, resource_type: structTag },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const tag = path.resource_type;
    const bytes = at.state.get(resourceKey(path.address, tag));
    if (bytes === undefined) return noResource(path.address, tag, at.version);
    return either(format, { json: () => resourceOf(tag, bytes), bcs: () => bytes });
  },
});

export function resourceOf(tag: StructTag, bytes: Uint8Array): { type: string; data: unknown } {
  return { type: printStructTag(tag), data: toJson({ kind: "struct", struct: tag }, bytes) };
}

export function noResource(of: Address, tag: StructTag, version: bigint): NodeError {
  return refuse(
    "resource_not_found",
    `Resource not found by Address(${of}), Struct tag(${printStructTag(tag)}) and Ledger version(${version})`,
  );
}

/** `GET /v1/accounts/{address}/resources` */
export const resources = reads({
  path: { address },
  query: { ledger_version: uint64, start: text, limit: uint16 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const limit = pageSize(query.limit, MOST_ITEMS, MOST_ITEMS);
    if (isError(limit)) return limit;
    const page = node.ledger.resources(path.address, query.ledger_version ?? null, query.start ?? null, limit);
    if (page.kind !== "page") return pageError(page, query.start);
    const missing = page.items.length === 0 ? absence(node, path.address, query.ledger_version) : null;
    if (missing !== null) return missing;
    const items = page.items.map(({ type, value }) => ({ tag: knownTag(type), value }));
    const answer = either(format, {
      json: () => items.map(({ tag, value }) => resourceOf(tag, value)),
      bcs: () =>
        writeMap(items.map(({ tag, value }) => [encodeBcs((writer) => writeStructTag(writer, tag)), value] as const)),
    });
    return { ...answer, cursor: page.nextCursor };
  },
});

/** `GET /v1/accounts/{address}/module/{module_name}` */
export const module = reads({
  path: { address, module_name: identifier },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const bytecode = at.state.get(moduleKey(path.address, path.module_name));
    if (bytecode !== undefined) {
      return either(format, {
        json: () => moduleJson(path.address, path.module_name, bytecode),
        bcs: () => bytecode,
      });
    }
    return refuse(
      "module_not_found",
      `Module not found by Address(${path.address}), Module name(${path.module_name}) and Ledger version(${at.version})`,
    );
  },
});

/** `GET /v1/accounts/{address}/modules` */
export const modules = reads({
  path: { address },
  query: { ledger_version: uint64, start: text, limit: uint16 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const limit = pageSize(query.limit, MOST_ITEMS, MOST_ITEMS);
    if (isError(limit)) return limit;
    const page = node.ledger.modules(path.address, query.ledger_version ?? null, query.start ?? null, limit);
    if (page.kind !== "page") return pageError(page, query.start);
    const missing = page.items.length === 0 ? absence(node, path.address, query.ledger_version) : null;
    if (missing !== null) return missing;
    const answer = either(format, {
      json: () => page.items.map(({ name, bytecode }) => moduleJson(path.address, name, bytecode)),
      bcs: () =>
        writeMap(
          page.items.map(({ name, bytecode }) => [
            encodeBcs((writer) => writer.address(path.address).string(name)),
            bytecode,
          ]),
        ),
    });
    return { ...answer, cursor: page.nextCursor };
  },
});

type PageFailure = Exclude<ReturnType<Node["ledger"]["resources"]>, { kind: "page" }>;

function pageError(failure: PageFailure, start: string | undefined): NodeError {
  return failure.kind === "bad_cursor"
    ? refuse(
        "invalid_input",
        `Invalid cursor ${JSON.stringify(start ?? "")}: pass on what an earlier page's header says`,
      )
    : versionError(failure);
}

/** Nothing at an address: an account that holds nothing of the kind, or no account at all? */
function absence(node: Node, of: Address, version: bigint | undefined): NodeError | null {
  const at = stateAt(node, version);
  if (isError(at)) return at;
  const exists = node.settings.statelessAccounts || at.state.get(resourceKey(of, ACCOUNT)) !== undefined;
  return exists ? null : noAccount(of, at.version);
}

/** A tag that the ledger printed itself. */
function knownTag(printed: string): StructTag {
  const tag = parseStructTag(printed);
  if (tag === undefined) throw new Error(`the ledger holds a resource of type ${printed}`);
  return tag;
}
