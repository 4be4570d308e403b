import { ed25519 } from "@noble/curves/ed25519.js";
import type { RunningNode } from "../../../test/support/devnode.ts";
import type { DevelopmentAccount } from "../../development-keys.ts";

/** A transaction request in JSON, without its signature. */
export type Request = Readonly<Record<string, unknown>>;

export const NATIVE = "0x1::aptos_coin::AptosCoin";

/** One request to a running node; JSON by default. */
export function send(
  node: RunningNode,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const typed = body === undefined || headers["Content-Type"] !== undefined;
  return fetch(node.origin + path, {
    method,
    headers: typed ? headers : { "Content-Type": "application/json", ...headers },
    ...(body === undefined
      ? {}
      : { body: body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** The JSON response of a path. */
export async function read(node: RunningNode, path: string): Promise<unknown> {
  return (await send(node, "GET", path)).json();
}

export async function sequenceNumber(node: RunningNode, address: string): Promise<bigint> {
  const account = await read(node, `/v1/accounts/${address}`);
  return BigInt((account as { sequence_number: string }).sequence_number); // the account's documented field
}

/** A request of this account for an entry function, valid for ten minutes. */
export function request(
  from: DevelopmentAccount,
  sequence: bigint,
  call: { readonly name: string; readonly types?: readonly string[]; readonly values: readonly unknown[] },
  changes: Request = {},
): Request {
  return {
    sender: from.address,
    sequence_number: String(sequence),
    max_gas_amount: "100000",
    gas_unit_price: "100",
    expiration_timestamp_secs: String(Math.floor(Date.now() / 1000) + 600),
    payload: {
      type: "entry_function_payload",
      function: call.name,
      type_arguments: call.types ?? [],
      arguments: call.values,
    },
    ...changes,
  };
}

export function transfer(
  from: DevelopmentAccount,
  sequence: bigint,
  to: string,
  amount: string,
  changes?: Request,
): Request {
  return request(from, sequence, { name: "0x1::aptos_account::transfer", values: [to, amount] }, changes);
}

/** The request with a signature over the message that encode_submission returns. */
export async function signed(node: RunningNode, from: DevelopmentAccount, unsigned: Request): Promise<Request> {
  const response = await send(node, "POST", "/v1/transactions/encode_submission", { body: unsigned });
  const message = await response.json();
  if (typeof message !== "string") throw new Error(`encode_submission answered ${JSON.stringify(message)}`);
  const signature = ed25519.sign(Buffer.from(message.slice(2), "hex"), from.privateKey);
  return { ...unsigned, signature: ed25519Signature(from, signature) };
}

/** The request with the zeroed signature of a simulation. */
export function unsignedFor(from: DevelopmentAccount, unsigned: Request): Request {
  return { ...unsigned, signature: ed25519Signature(from, new Uint8Array(64)) };
}

function ed25519Signature(from: DevelopmentAccount, signature: Uint8Array): Request {
  return { type: "ed25519_signature", public_key: hex(from.publicKey), signature: hex(signature) };
}

export function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** Signs, submits and waits; returns the committed record. */
export async function commit(node: RunningNode, from: DevelopmentAccount, unsigned: Request): Promise<CommittedRecord> {
  const response = await send(node, "POST", "/v1/transactions", { body: await signed(node, from, unsigned) });
  const pending = await response.json();
  if (response.status !== 202) throw new Error(`submit answered ${response.status} ${JSON.stringify(pending)}`);
  const { hash } = pending as { hash: string }; // as every accepted response has
  return (await read(node, `/v1/transactions/wait_by_hash/${hash}`)) as CommittedRecord; // committed within the wait
}

export interface CommittedRecord {
  readonly type: string;
  readonly version: string;
  readonly hash: string;
  readonly success: boolean;
  readonly vm_status: string;
}
