import { isRecord } from "../../src/base/json.ts";
import { type Address, parseAddress } from "../../src/chain/address.ts";
import { parseU64 } from "../../src/chain/integer.ts";
import { address, identifier, structTag, uint16, uint64 } from "../../src/chain/parameters.ts";
import { printStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import type { MoveEvent } from "../vm/effects.ts";
import { resourceKey } from "../vm/state-keys.ts";
import { accountExists, noAccount } from "./accounts.ts";
import { either, type Outcome, reads } from "./endpoint.ts";
import { eventBcs, knownType } from "./event-bcs.ts";
import { toJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";
import { noResource, resourceOf } from "./resources.ts";
import type { Format } from "./response-format.ts";
import { pageSize, stateAt, versionError } from "./state-lookup.ts";

const DEFAULT_EVENTS = 25;
const MAX_EVENTS = 100;

/** `GET /v1/accounts/{address}/events/{creation_number}` */
export const eventsByCreationNumber = reads({
  path: { address, creation_number: uint64 },
  query: { start: uint64, limit: uint16 },
  answer: ({ path, query, format }, node) => {
    const at = stateAt(node, undefined);
    if (isError(at)) return at;
    if (!accountExists(node, at.state, path.address)) return noAccount(path.address, at.version);
    return listEvents(node, { address: path.address, creationNumber: path.creation_number }, query, format);
  },
});

/** `GET /v1/accounts/{address}/events/{event_handle}/{field_name}`: the handle is a field of a resource. */
export const eventsByHandle = reads({
  path: { address, event_handle: structTag, field_name: identifier },
  query: { start: uint64, limit: uint16 },
  answer: ({ path, query, format }, node) => {
    const stream = findStream(node, path.address, path.event_handle, path.field_name);
    return isError(stream) ? stream : listEvents(node, stream, query, format);
  },
});

interface Stream {
  readonly address: Address;
  readonly creationNumber: bigint;
}

function findStream(node: Node, of: Address, tag: StructTag, field: string): Stream | NodeError {
  const at = stateAt(node, undefined);
  if (isError(at)) return at;
  const bytes = at.state.get(resourceKey(of, tag));
  if (bytes === undefined) return noResource(of, tag, at.version);
  const { data } = resourceOf(tag, bytes);
  if (fieldOf(data, field) === undefined) {
    return refuse(
      "struct_field_not_found",
      `Struct Field not found by Address(${of}), Struct tag(${printStructTag(tag)}), Field name(${field}) and Ledger version(${at.version})`,
    );
  }
  const id = fieldOf(fieldOf(fieldOf(data, field), "guid"), "id");
  const creationNumber = parseU64(String(fieldOf(id, "creation_num")));
  const creator = parseAddress(String(fieldOf(id, "addr")));
  return creationNumber === undefined || creator === undefined
    ? refuse(
        "invalid_input",
        `Deserialization error, field(${field}) type is not a EventHandle struct: unexpected end of input`,
      )
    : { address: creator, creationNumber };
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function listEvents(
  node: Node,
  stream: Stream,
  query: { readonly start: bigint | undefined; readonly limit: number | undefined },
  format: Format,
): Outcome {
  const limit = pageSize(query.limit, DEFAULT_EVENTS, MAX_EVENTS);
  if (isError(limit)) return limit;
  const found = node.ledger.events(stream.address, stream.creationNumber, query.start ?? null, limit);
  if (found.kind !== "found") return versionError(found);
  return either(format, {
    json: () => found.value.map(({ version, event }) => ({ version: String(version), ...eventJson(event) })),
    bcs: () =>
      encodeBcs((writer) =>
        writer.vector(found.value, (inner, { version, event }) => inner.u64(version).fixed(eventBcs(event))),
      ),
  });
}

/** An event as a transaction lists it; the event endpoints add the version. */
export function eventJson(event: MoveEvent): Record<string, unknown> {
  return {
    guid: { creation_number: String(event.guid.creationNumber), account_address: event.guid.address },
    sequence_number: String(event.sequenceNumber),
    type: event.type,
    data: toJson(knownType(event.type), event.data),
  };
}
