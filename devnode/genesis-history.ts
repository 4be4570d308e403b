import type { Address } from "../src/chain/address.ts";
import { hexOf } from "../src/chain/hex.ts";
import { parseTypeTag } from "../src/chain/type-tag.ts";
import { encode } from "./codec/bcs.ts";
import { argumentsFromJson } from "./codec/call-arguments.ts";
import { parseEntryFunctionId } from "./codec/entry-function-id.ts";
import { type EntryFunction, multisigPayload, type Payload } from "./codec/transaction.ts";
import { ALICE, BOB, CAROL, FAUCET, ISSUER, TREASURY } from "./development-keys.ts";
import { Signatures } from "./development-signatures.ts";
import { economyOf } from "./economy.ts";
import { interfaces } from "./framework/abi.ts";
import { fixedAddress, NATIVE_COIN } from "./framework/addresses.ts";
import { multisigAddress } from "./framework/multisig-operations.ts";
import { GENESIS_SUPPLY, STABLE_TOKEN } from "./genesis.ts";

/** Signed transactions (BCS), one list per block. All of them are valid on a new chain, in this order. */
export type GenesisHistory = readonly (readonly Uint8Array[])[];

/** An account without a key here: it only receives. */
const RECIPIENT = fixedAddress("0xcafe");
const CENTS = 10_000n;
const METADATA = "0x1::fungible_asset::Metadata";

/**
 * The first transactions of a development chain: transfers, tables, events, the stable token, a multisig
 * account, a sponsored transaction, three failures. They give every read endpoint data from the first second.
 */
export function genesisHistory(chainId: number, supply = GENESIS_SUPPLY): GenesisHistory {
  const { gas, unit } = economyOf(supply);
  const book = new Signatures(chainId, gas);
  return [...money(book, unit), ...tables(book), ...stable(book), ...failures(book), ...multisig(book, unit)];
}

function money(book: Signatures, unit: bigint): GenesisHistory {
  return [
    [
      book.sign(ALICE, transfer(BOB.address, unit)),
      book.sign(ALICE, transfer(RECIPIENT, 5n * unit)),
      book.sign(BOB, call("0x1::coin::transfer", [CAROL.address, "42"], [NATIVE_COIN])),
    ],
    [
      book.sign(
        TREASURY,
        call("0x1::aptos_account::batch_transfer", [
          [ALICE.address, BOB.address, CAROL.address],
          [1_000n * unit, 2_000n * unit, 3_000n * unit].map(String),
        ]),
      ),
      book.sign(FAUCET, call("0xde5::faucet::fund", [fixedAddress("0xd00d"), String(unit)])),
      book.sponsored(CAROL, BOB, transfer(ALICE.address, 7n)),
      book.sign(CAROL, call("0x1::aptos_account::set_allow_direct_coin_transfers", [false])),
    ],
  ];
}

function tables(book: Signatures): GenesisHistory {
  const put = (key: bigint, text: string) => call("0xde5::table_demo::put", [String(key), text]);
  const nested = (x: bigint, y: bigint, text: string) =>
    call("0xde5::table_demo::put_nested", ["chess", String(x), String(y), text, ["opening", "white"]]);
  return [
    [book.sign(ALICE, put(1n, "one")), book.sign(ALICE, put(2n, "two")), book.sign(ALICE, put(3n, "three"))],
    [
      book.sign(ALICE, nested(4n, 2n, "pawn")),
      book.sign(ALICE, nested(6n, 3n, "knight")),
      book.sign(ALICE, call("0xde5::table_demo::remove", ["2"])),
      book.sign(BOB, put(7n, "seven")),
    ],
  ];
}

function stable(book: Signatures): GenesisHistory {
  const send = (to: Address, amount: bigint) =>
    call("0x1::primary_fungible_store::transfer", [STABLE_TOKEN, to, String(amount)], [METADATA]);
  return [
    [
      book.sign(ISSUER, send(ALICE.address, 50_000_000n * CENTS)),
      book.sign(ISSUER, send(BOB.address, 25_000_000n * CENTS)),
      book.sign(ISSUER, call("0xde5::stable_token::mint", [CAROL.address, String(100n * CENTS)])),
    ],
    [
      book.sign(ALICE, send(BOB.address, 1_234n)),
      book.sign(ISSUER, call("0xde5::stable_token::burn", [CAROL.address, String(25n * CENTS)])),
    ],
  ];
}

function failures(book: Signatures): GenesisHistory {
  return [
    [
      book.sign(BOB, transfer(ALICE.address, 2n ** 63n)),
      book.sign(BOB, call("0xde5::table_demo::remove", ["99"])),
      book.sign(BOB, transfer(fixedAddress("0xb0b"), 1n), 6n),
    ],
  ];
}

/** Two of three owners: one proposal executed, one rejected, one left open. */
function multisig(book: Signatures, unit: bigint): GenesisHistory {
  const at = multisigAddress(ALICE.address, book.next(ALICE));
  const propose = (amount: bigint) =>
    call("0x1::multisig_account::create_transaction", [at, hexOf(queued(transfer(RECIPIENT, amount)))]);
  const vote = (name: "approve" | "reject", number: bigint) =>
    call(`0x1::multisig_account::${name}_transaction`, [at, String(number)]);
  return [
    [
      book.sign(
        ALICE,
        call("0x1::multisig_account::create_with_owners", [
          [BOB.address, CAROL.address],
          "2",
          ["name"],
          [hexOf(new TextEncoder().encode("savings"))],
        ]),
      ),
      book.sign(ALICE, transfer(at, 10n * unit)),
      book.sign(ALICE, propose(unit)),
      book.sign(ALICE, propose(2n * unit)),
      book.sign(ALICE, propose(3n * unit)),
    ],
    [
      book.sign(BOB, vote("approve", 1n)),
      book.sign(BOB, { kind: "multisig", multisigAddress: at, entryFunction: null }),
      book.sign(BOB, vote("reject", 2n)),
      book.sign(CAROL, call("0x1::multisig_account::execute_rejected_transaction", [at])),
    ],
  ];
}

function transfer(to: Address, amount: bigint): Payload & { readonly kind: "entry_function" } {
  return call("0x1::aptos_account::transfer", [to, String(amount)]);
}

/** A call with its arguments in JSON. */
function call(
  id: string,
  values: readonly unknown[],
  types: readonly string[] = [],
): Payload & { readonly kind: "entry_function" } {
  const parsed = parseEntryFunctionId(id);
  if (parsed === undefined) throw new RangeError(`${id} is not a function id`);
  const typeArguments = types.flatMap((type) => parseTypeTag(type) ?? []);
  const encoded = argumentsFromJson(parsed, typeArguments, values, interfaces);
  return { kind: "entry_function", entryFunction: { id: parsed, typeArguments, arguments: encoded } };
}

/** A multisig account's queued payload. */
function queued({ entryFunction }: { readonly entryFunction: EntryFunction }): Uint8Array {
  return encode(multisigPayload, entryFunction);
}
