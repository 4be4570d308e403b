// Generated from the document beside it by `npm run api:types`; not edited by hand.

export interface paths {
    "/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ledger info
         * @description The chain's identity and its newest version.
         */
        get: operations["get_ledger_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/-/healthy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description With `duration_secs`: whether the newest block is at most that old.
         */
        get: operations["healthy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spec.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI document of this interface.
         */
        get: operations["get_spec"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estimate_gas_price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gas estimate
         * @description The lowest gas unit price that got into recent full blocks; when blocks are not full, the minimum price. The prioritized value looks at a longer history and a higher percentile. BCS contains only the regular value.
         */
        get: operations["estimate_gas_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Account
         * @description Sequence number and authentication key. BCS: the bytes of the account resource.
         */
        get: operations["get_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resources
         * @description All resources of an account. BCS: a map from struct tag to bytes.
         */
        get: operations["get_account_resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/resource/{resource_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resource
         * @description One resource of an account. BCS: its bytes.
         */
        get: operations["get_account_resource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Modules
         * @description All modules published at an address. BCS: a map from module id to bytecode.
         */
        get: operations["get_account_modules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/module/{module_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Module
         * @description One module with its ABI. BCS: its bytecode.
         */
        get: operations["get_account_module"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/balance/{asset_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance
         * @description Base units of a coin or fungible asset. A coin and its paired fungible asset are counted together. An address without a balance has 0.
         */
        get: operations["get_account_balance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of an account
         * @description Committed transactions that the account sent, ascending by sequence number. Without `start`: the latest `limit`.
         */
        get: operations["get_account_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/events/{creation_number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events by creation number
         * @description Events of an account's handle, ascending. Without `start`: the latest `limit`.
         */
        get: operations["get_events_by_creation_number"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{address}/events/{event_handle}/{field_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events by handle
         * @description As by creation number; the handle is identified by its resource and field.
         */
        get: operations["get_events_by_event_handle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/blocks/by_height/{block_height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Block by height
         * @description A block; its transactions on request.
         */
        get: operations["get_block_by_height"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/blocks/by_version/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Block by version
         * @description The block that contains a version.
         */
        get: operations["get_block_by_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions
         * @description Committed transactions, ascending by version. Without `start`: the latest `limit`.
         */
        get: operations["get_transactions"];
        put?: never;
        /**
         * Submit
         * @description Submits a signed transaction in JSON or BCS. Accepted means stored in the mempool, not yet committed. With `Accept: application/x-bcs` the response has no body.
         */
        post: operations["submit_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/by_hash/{txn_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transaction by hash
         * @description Searches committed transactions first, then the mempool. BCS: variant 0 and the record, or 1 and the signed transaction.
         */
        get: operations["get_transaction_by_hash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/by_version/{txn_version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transaction by version
         * @description One committed transaction. BCS as by hash.
         */
        get: operations["get_transaction_by_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/wait_by_hash/{txn_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for a transaction
         * @description As by hash, but waits up to a second for a pending transaction to commit. Repeat the request while it is pending.
         */
        get: operations["wait_transaction_by_hash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a batch
         * @description Up to ten signed transactions, each validated separately and in order.
         */
        post: operations["submit_batch_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate
         * @description Runs a transaction on the tip without committing it. Its signature must not be valid: all zeros. A failed run is a 200 with `success` false. BCS: one record.
         */
        post: operations["simulate_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/encode_submission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Encode
         * @description The bytes that the sender of a JSON transaction signs. Only JSON: `bcs_not_supported` otherwise.
         */
        post: operations["encode_submission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tables/{table_handle}/item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Table item
         * @description The value under a key, both typed. BCS: the value's bytes.
         */
        post: operations["get_table_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tables/{table_handle}/raw_item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Raw table item
         * @description The value under a key, both in BCS, its only form: 403 `api_disabled` when `Accept` excludes that.
         */
        post: operations["get_raw_table_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * View
         * @description Runs a view function. BCS: a list of byte strings, one per value.
         */
        post: operations["view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A 32-byte account address in hex. Responses never have leading zeros; requests may, and in paths `0x` is optional.
         * @example 0x1
         */
        Address: string;
        /**
         * @description A 64-bit unsigned integer as a decimal string.
         * @example 32425224034
         */
        U64: string;
        /**
         * @description Bytes in hex: `0x` and two digits per byte, including leading zeros. Requests may omit `0x` and use upper case.
         * @example 0x88fbd33f54e1126269769780feb24480428179f552e2313fbe571b72e62a1ca1
         */
        HexEncodedBytes: string;
        /**
         * @description A transaction or block hash.
         * @example 0xdc38a50ba12ee47f590b3348e5a250688d421f370aff8d4e471098f1f4e93534
         */
        HashValue: string;
        /**
         * @description `{address}::{module name}::{function name}`; names are case-sensitive.
         * @example 0x1::aptos_account::transfer
         */
        EntryFunctionId: string;
        /**
         * @description A Move type. In a module's ABI also a reference (`&signer`) or a type parameter (`T0`).
         * @example 0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>
         */
        ChainType: string;
        /**
         * @description `{address}::{module}::{struct}` with type arguments, joined by commas, where the struct is generic. Whitespace does not matter.
         * @example 0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>
         */
        StructTag: string;
        /**
         * @description A Move value: bool as boolean; u8, u16 and u32 as integers; u64, u128 and u256 as decimal strings; addresses as hex; vectors as arrays, but vector<u8> as hex; structs as objects; strings as strings; an option as `{"vec": []}` with at most one element.
         * @example 1000
         */
        MoveValue: unknown;
        /**
         * @example {
         *       "message": "Account not found by Address(0xf) and Ledger version(12)",
         *       "error_code": "account_not_found",
         *       "vm_error_code": null
         *     }
         */
        Error: {
            /** @description Description of the error for people. */
            message: string;
            error_code: components["schemas"]["ErrorCode"];
            /** @description The virtual machine's status code when it rejected the request; null otherwise. */
            vm_error_code?: number | null;
        };
        /** @enum {string} */
        ErrorCode: "account_not_found" | "resource_not_found" | "module_not_found" | "struct_field_not_found" | "version_not_found" | "transaction_not_found" | "table_item_not_found" | "block_not_found" | "state_value_not_found" | "version_pruned" | "block_pruned" | "invalid_input" | "invalid_transaction_update" | "sequence_number_too_old" | "vm_error" | "health_check_failed" | "mempool_is_full" | "internal_error" | "web_framework_error" | "bcs_not_supported" | "api_disabled";
        LedgerInfo: {
            chain_id: number;
            epoch: components["schemas"]["U64"];
            ledger_version: components["schemas"]["U64"];
            oldest_ledger_version: components["schemas"]["U64"];
            /** @description Microseconds since 1970. */
            ledger_timestamp: components["schemas"]["U64"];
            /** @enum {string} */
            node_role: "full_node" | "validator";
            oldest_block_height: components["schemas"]["U64"];
            block_height: components["schemas"]["U64"];
            git_hash: string;
        };
        Health: {
            message: string;
        };
        Account: {
            sequence_number: components["schemas"]["U64"];
            authentication_key: components["schemas"]["HexEncodedBytes"];
        };
        AccountResource: {
            type: components["schemas"]["StructTag"];
            data: {
                [key: string]: components["schemas"]["MoveValue"];
            };
        };
        TypeParameter: {
            constraints: ("copy" | "drop" | "store" | "key")[];
        };
        StructTypeParameter: {
            constraints: ("copy" | "drop" | "store" | "key")[];
        };
        ModuleFunction: {
            name: string;
            /** @enum {string} */
            visibility: "private" | "public" | "friend";
            is_entry: boolean;
            is_view: boolean;
            generic_type_params: components["schemas"]["TypeParameter"][];
            params: components["schemas"]["ChainType"][];
            return: components["schemas"]["ChainType"][];
        };
        ModuleStruct: {
            name: string;
            is_native: boolean;
            is_event: boolean;
            abilities: ("copy" | "drop" | "store" | "key")[];
            generic_type_params: components["schemas"]["StructTypeParameter"][];
            fields: {
                name: string;
                type: components["schemas"]["ChainType"];
            }[];
        };
        ModuleAbi: {
            address: components["schemas"]["Address"];
            name: string;
            friends: string[];
            /** @description Entry functions of any visibility, and the public and friend ones. */
            exposed_functions: components["schemas"]["ModuleFunction"][];
            structs: components["schemas"]["ModuleStruct"][];
        };
        Module: {
            bytecode: components["schemas"]["HexEncodedBytes"];
            abi?: components["schemas"]["ModuleAbi"];
        };
        EventGuid: {
            creation_number: components["schemas"]["U64"];
            account_address: components["schemas"]["Address"];
        };
        /** @description An event inside a transaction. Module events belong to no account: address 0x0 and number 0. */
        Event: {
            guid: components["schemas"]["EventGuid"];
            sequence_number: components["schemas"]["U64"];
            type: components["schemas"]["ChainType"];
            data: components["schemas"]["MoveValue"];
        };
        /** @description An event with the version of the transaction that emitted it. */
        VersionedEvent: {
            version: components["schemas"]["U64"];
            guid: components["schemas"]["EventGuid"];
            sequence_number: components["schemas"]["U64"];
            type: components["schemas"]["ChainType"];
            data: components["schemas"]["MoveValue"];
        };
        /**
         * @description Gas unit prices in base units.
         * @example {
         *       "deprioritized_gas_estimate": 100,
         *       "gas_estimate": 100,
         *       "prioritized_gas_estimate": 150
         *     }
         */
        GasEstimation: {
            deprioritized_gas_estimate: number;
            gas_estimate: number;
            prioritized_gas_estimate: number;
        };
        EntryFunctionPayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "entry_function_payload";
            function: components["schemas"]["EntryFunctionId"];
            type_arguments: components["schemas"]["ChainType"][];
            arguments: components["schemas"]["MoveValue"][];
        };
        ScriptPayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "script_payload";
            code: {
                bytecode: components["schemas"]["HexEncodedBytes"];
                abi?: components["schemas"]["ModuleFunction"] | null;
            };
            type_arguments: components["schemas"]["ChainType"][];
            arguments: components["schemas"]["MoveValue"][];
        };
        /** @description No longer executed by any chain of this family; rejected with 400. */
        ModuleBundlePayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "module_bundle_payload";
        };
        MultisigPayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multisig_payload";
            multisig_address: components["schemas"]["Address"];
            transaction_payload?: components["schemas"]["EntryFunctionPayload"] | null;
        };
        TransactionPayload: components["schemas"]["EntryFunctionPayload"] | components["schemas"]["ScriptPayload"] | components["schemas"]["ModuleBundlePayload"] | components["schemas"]["MultisigPayload"];
        PublicKey: {
            /** @enum {string} */
            type: "ed25519" | "secp256k1_ecdsa" | "secp256r1_ecdsa" | "keyless" | "federated_keyless";
            value: components["schemas"]["HexEncodedBytes"];
        };
        Signature: {
            /** @enum {string} */
            type: "ed25519" | "secp256k1_ecdsa" | "web_authn" | "keyless";
            value: components["schemas"]["HexEncodedBytes"];
        };
        IndexedSignature: {
            index: number;
            signature: components["schemas"]["Signature"];
        };
        Ed25519Signature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ed25519_signature";
            public_key: components["schemas"]["HexEncodedBytes"];
            signature: components["schemas"]["HexEncodedBytes"];
        };
        MultiEd25519Signature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multi_ed25519_signature";
            public_keys: components["schemas"]["HexEncodedBytes"][];
            signatures: components["schemas"]["HexEncodedBytes"][];
            threshold: number;
            /** @description Four bytes; bit 0 is the most significant bit of the first. */
            bitmap: components["schemas"]["HexEncodedBytes"];
        };
        SingleKeySignature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "single_key_signature";
            public_key: components["schemas"]["PublicKey"];
            signature: components["schemas"]["Signature"];
        };
        MultiKeySignature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multi_key_signature";
            public_keys: components["schemas"]["PublicKey"][];
            signatures: components["schemas"]["IndexedSignature"][];
            signatures_required: number;
        };
        NoAccountSignature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "no_account_signature";
        };
        AccountSignature: components["schemas"]["Ed25519Signature"] | components["schemas"]["MultiEd25519Signature"] | components["schemas"]["SingleKeySignature"] | components["schemas"]["MultiKeySignature"] | components["schemas"]["NoAccountSignature"];
        MultiAgentSignature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multi_agent_signature";
            sender: components["schemas"]["AccountSignature"];
            secondary_signer_addresses: components["schemas"]["Address"][];
            secondary_signers: components["schemas"]["AccountSignature"][];
        };
        FeePayerSignature: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fee_payer_signature";
            sender: components["schemas"]["AccountSignature"];
            secondary_signer_addresses: components["schemas"]["Address"][];
            secondary_signers: components["schemas"]["AccountSignature"][];
            fee_payer_address: components["schemas"]["Address"];
            fee_payer_signer: components["schemas"]["AccountSignature"];
        };
        /** @description The fields of a single-key or multi-key account signature are members beside `type`. */
        SingleSender: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "single_sender";
            public_key?: components["schemas"]["PublicKey"];
            signature?: components["schemas"]["Signature"];
            public_keys?: components["schemas"]["PublicKey"][];
            signatures?: components["schemas"]["IndexedSignature"][];
            signatures_required?: number;
        };
        TransactionSignature: components["schemas"]["Ed25519Signature"] | components["schemas"]["MultiEd25519Signature"] | components["schemas"]["MultiAgentSignature"] | components["schemas"]["FeePayerSignature"] | components["schemas"]["SingleSender"] | components["schemas"]["NoAccountSignature"];
        /** @description Addresses, numbers and hex may be in any accepted form. For a simulation the signature is all zeros. */
        SubmitTransactionRequest: {
            sender: components["schemas"]["Address"];
            sequence_number: components["schemas"]["U64"];
            max_gas_amount: components["schemas"]["U64"];
            gas_unit_price: components["schemas"]["U64"];
            expiration_timestamp_secs: components["schemas"]["U64"];
            payload: components["schemas"]["TransactionPayload"];
            signature: components["schemas"]["TransactionSignature"];
        };
        /** @description `secondary_signers`, even when empty, requests the message of a multi-agent transaction. */
        EncodeSubmissionRequest: {
            sender: components["schemas"]["Address"];
            sequence_number: components["schemas"]["U64"];
            max_gas_amount: components["schemas"]["U64"];
            gas_unit_price: components["schemas"]["U64"];
            expiration_timestamp_secs: components["schemas"]["U64"];
            payload: components["schemas"]["TransactionPayload"];
            secondary_signers?: components["schemas"]["Address"][];
        };
        PendingTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pending_transaction";
            hash: components["schemas"]["HashValue"];
            sender: components["schemas"]["Address"];
            sequence_number: components["schemas"]["U64"];
            max_gas_amount: components["schemas"]["U64"];
            gas_unit_price: components["schemas"]["U64"];
            expiration_timestamp_secs: components["schemas"]["U64"];
            payload: components["schemas"]["TransactionPayload"];
            signature?: components["schemas"]["TransactionSignature"] | null;
            replay_protection_nonce?: components["schemas"]["U64"] | null;
        };
        UserTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            sender: components["schemas"]["Address"];
            sequence_number: components["schemas"]["U64"];
            max_gas_amount: components["schemas"]["U64"];
            gas_unit_price: components["schemas"]["U64"];
            expiration_timestamp_secs: components["schemas"]["U64"];
            payload: components["schemas"]["TransactionPayload"];
            signature?: components["schemas"]["TransactionSignature"] | null;
            replay_protection_nonce?: components["schemas"]["U64"] | null;
            events: components["schemas"]["Event"][];
            /** @description Microseconds since 1970. */
            timestamp: components["schemas"]["U64"];
        };
        GenesisTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "genesis_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            payload: {
                /** @constant */
                type: "write_set_payload";
                write_set: {
                    /** @constant */
                    type: "direct_write_set";
                    changes: components["schemas"]["WriteSetChange"][];
                    events: components["schemas"]["Event"][];
                };
            };
            events: components["schemas"]["Event"][];
        };
        BlockMetadataTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "block_metadata_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            id: components["schemas"]["HashValue"];
            epoch: components["schemas"]["U64"];
            round: components["schemas"]["U64"];
            events: components["schemas"]["Event"][];
            previous_block_votes_bitvec: number[];
            proposer: components["schemas"]["Address"];
            failed_proposer_indices: number[];
            /** @description Microseconds since 1970. */
            timestamp: components["schemas"]["U64"];
        };
        StateCheckpointTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "state_checkpoint_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            /** @description Microseconds since 1970. */
            timestamp: components["schemas"]["U64"];
        };
        /** @description Closes a block on newer chains; the embedded node writes state checkpoints. */
        BlockEpilogueTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "block_epilogue_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            /** @description Microseconds since 1970. */
            timestamp: components["schemas"]["U64"];
            /** @description Why the block ended and how full it was; null where the chain does not record it. */
            block_end_info?: {
                block_gas_limit_reached: boolean;
                block_output_limit_reached: boolean;
                block_effective_block_gas_units: components["schemas"]["U64"];
                block_approx_output_size: components["schemas"]["U64"];
            } | null;
        };
        ValidatorTransaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "validator_transaction";
            version: components["schemas"]["U64"];
            hash: components["schemas"]["HashValue"];
            state_change_hash: components["schemas"]["HashValue"];
            event_root_hash: components["schemas"]["HashValue"];
            state_checkpoint_hash: components["schemas"]["HashValue"] | null;
            gas_used: components["schemas"]["U64"];
            success: boolean;
            /** @description `Executed successfully`, `Out of gas`, `Move abort in ...`, or a status name. */
            vm_status: string;
            accumulator_root_hash: components["schemas"]["HashValue"];
            changes: components["schemas"]["WriteSetChange"][];
            validator_transaction_type: string;
            events: components["schemas"]["Event"][];
            /** @description Microseconds since 1970. */
            timestamp: components["schemas"]["U64"];
        };
        CommittedTransaction: components["schemas"]["UserTransaction"] | components["schemas"]["GenesisTransaction"] | components["schemas"]["BlockMetadataTransaction"] | components["schemas"]["StateCheckpointTransaction"] | components["schemas"]["BlockEpilogueTransaction"] | components["schemas"]["ValidatorTransaction"];
        Transaction: components["schemas"]["PendingTransaction"] | components["schemas"]["UserTransaction"] | components["schemas"]["GenesisTransaction"] | components["schemas"]["BlockMetadataTransaction"] | components["schemas"]["StateCheckpointTransaction"] | components["schemas"]["BlockEpilogueTransaction"] | components["schemas"]["ValidatorTransaction"];
        WriteResource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "write_resource";
            address: components["schemas"]["Address"];
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            data: components["schemas"]["AccountResource"];
        };
        DeleteResource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_resource";
            address: components["schemas"]["Address"];
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            resource: components["schemas"]["StructTag"];
        };
        WriteModule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "write_module";
            address: components["schemas"]["Address"];
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            data: components["schemas"]["Module"];
        };
        DeleteModule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_module";
            address: components["schemas"]["Address"];
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            module: string;
        };
        WriteTableItem: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "write_table_item";
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            handle: components["schemas"]["Address"];
            key: components["schemas"]["HexEncodedBytes"];
            value: components["schemas"]["HexEncodedBytes"];
            data: {
                key: components["schemas"]["MoveValue"];
                key_type: components["schemas"]["ChainType"];
                value: components["schemas"]["MoveValue"];
                value_type: components["schemas"]["ChainType"];
            } | null;
        };
        DeleteTableItem: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_table_item";
            state_key_hash: components["schemas"]["HexEncodedBytes"];
            handle: components["schemas"]["Address"];
            key: components["schemas"]["HexEncodedBytes"];
            data: {
                key: components["schemas"]["MoveValue"];
                key_type: components["schemas"]["ChainType"];
            } | null;
        };
        WriteSetChange: components["schemas"]["WriteResource"] | components["schemas"]["DeleteResource"] | components["schemas"]["WriteModule"] | components["schemas"]["DeleteModule"] | components["schemas"]["WriteTableItem"] | components["schemas"]["DeleteTableItem"];
        /** @description `transactions` is present only when requested (some nodes send null otherwise); the rest of a larger block is available from `/transactions`. */
        Block: {
            block_height: components["schemas"]["U64"];
            block_hash: components["schemas"]["HashValue"];
            block_timestamp: components["schemas"]["U64"];
            first_version: components["schemas"]["U64"];
            last_version: components["schemas"]["U64"];
            transactions?: components["schemas"]["CommittedTransaction"][] | null;
        };
        BatchReport: {
            transaction_failures: {
                error: components["schemas"]["Error"];
                /** @description The transaction's position in the batch. */
                transaction_index: number;
            }[];
        };
        TableItemRequest: {
            key_type: components["schemas"]["ChainType"];
            value_type: components["schemas"]["ChainType"];
            key: components["schemas"]["MoveValue"];
        };
        RawTableItemRequest: {
            key: components["schemas"]["HexEncodedBytes"];
        };
        ViewRequest: {
            function: components["schemas"]["EntryFunctionId"];
            type_arguments: components["schemas"]["ChainType"][];
            arguments: components["schemas"]["MoveValue"][];
        };
    };
    responses: {
        /** @description The request is invalid: an unreadable parameter or body (`web_framework_error`), an impossible value (`invalid_input`), or a transaction that the chain rejects. An error about the ledger's content carries the ledger headers, one about the request itself does not. */
        BadRequest: {
            headers: {
                "X-NODE-CHAIN-ID": components["headers"]["OnErrorsChainId"];
                "X-NODE-LEDGER-VERSION": components["headers"]["OnErrorsLedgerVersion"];
                "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["OnErrorsLedgerOldestVersion"];
                "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["OnErrorsLedgerTimestampusec"];
                "X-NODE-EPOCH": components["headers"]["OnErrorsEpoch"];
                "X-NODE-BLOCK-HEIGHT": components["headers"]["OnErrorsBlockHeight"];
                "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OnErrorsOldestBlockHeight"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Given limit value (0) must not be zero",
                 *       "error_code": "invalid_input",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This endpoint or response format is not available here (`api_disabled`). */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Get raw table item is not allowed. Only BCS is supported as an AcceptType.",
                 *       "error_code": "api_disabled",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It does not exist, or not at that version. An error about the ledger's content carries the ledger headers, one about the request itself does not. */
        NotFound: {
            headers: {
                "X-NODE-CHAIN-ID": components["headers"]["OnErrorsChainId"];
                "X-NODE-LEDGER-VERSION": components["headers"]["OnErrorsLedgerVersion"];
                "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["OnErrorsLedgerOldestVersion"];
                "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["OnErrorsLedgerTimestampusec"];
                "X-NODE-EPOCH": components["headers"]["OnErrorsEpoch"];
                "X-NODE-BLOCK-HEIGHT": components["headers"]["OnErrorsBlockHeight"];
                "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OnErrorsOldestBlockHeight"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Ledger version not found by Ledger version(1000000)",
                 *       "error_code": "version_not_found",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It was pruned (`version_pruned`, `block_pruned`). An error about the ledger's content carries the ledger headers, one about the request itself does not. */
        Gone: {
            headers: {
                "X-NODE-CHAIN-ID": components["headers"]["OnErrorsChainId"];
                "X-NODE-LEDGER-VERSION": components["headers"]["OnErrorsLedgerVersion"];
                "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["OnErrorsLedgerOldestVersion"];
                "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["OnErrorsLedgerTimestampusec"];
                "X-NODE-EPOCH": components["headers"]["OnErrorsEpoch"];
                "X-NODE-BLOCK-HEIGHT": components["headers"]["OnErrorsBlockHeight"];
                "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OnErrorsOldestBlockHeight"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Ledger version(3) has been pruned",
                 *       "error_code": "version_pruned",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A POST without Content-Length. */
        LengthRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "missing `Content-Length` header",
                 *       "error_code": "web_framework_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The decoded body is larger than 8 MiB, or than 1 MiB for a view or a table item. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "payload too large",
                 *       "error_code": "web_framework_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body's media type, or its content encoding, is not supported here: none and gzip are. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the `Content-Type` requested by the client is not supported: text/plain",
                 *       "error_code": "web_framework_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller's quota at the edge is used up; the node itself has none. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The limit is 300 requests per 60 seconds; retry in 7 seconds.",
                 *       "error_code": "web_framework_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The node failed, in its own words. An error about the ledger's content carries the ledger headers, one about the request itself does not. */
        InternalError: {
            headers: {
                "X-NODE-CHAIN-ID": components["headers"]["OnErrorsChainId"];
                "X-NODE-LEDGER-VERSION": components["headers"]["OnErrorsLedgerVersion"];
                "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["OnErrorsLedgerOldestVersion"];
                "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["OnErrorsLedgerTimestampusec"];
                "X-NODE-EPOCH": components["headers"]["OnErrorsEpoch"];
                "X-NODE-BLOCK-HEIGHT": components["headers"]["OnErrorsBlockHeight"];
                "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OnErrorsOldestBlockHeight"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Internal error: the node could not answer; its log says why.",
                 *       "error_code": "internal_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No upstream node returned a usable response: the same request will probably get the same again. The answer to a submitted transaction was lost: look it up by its hash. */
        BadGateway: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "No node gave a usable answer.",
                 *       "error_code": "internal_error",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No node responds, or its health check failed. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The latest ledger info timestamp is 1760000000000 ms, which is more than 10 s ago",
                 *       "error_code": "health_check_failed",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The mempool has no room for the transaction: it is full, or holds as many of its account as it may (`mempool_is_full`). The same transaction may be sent again later. */
        MempoolFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Mempool is full. Mempool size: 100, Capacity: 100",
                 *       "error_code": "mempool_is_full",
                 *       "vm_error_code": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Account address; `0x` and leading zeros are optional.
         * @example 0x1
         */
        AccountAddress: string;
        /**
         * @description Struct tag, percent-encoded.
         * @example 0x1::chain_id::ChainId
         */
        ResourceType: string;
        /**
         * @description Module name, case-sensitive.
         * @example coin
         */
        ModuleName: string;
        /**
         * @description A coin's struct tag, or the address of a fungible asset.
         * @example 0x1::aptos_coin::AptosCoin
         */
        AssetType: string;
        /**
         * @description Struct tag of the resource with the handle.
         * @example 0x1::block::BlockResource
         */
        EventHandle: string;
        /**
         * @description Name of the handle's field.
         * @example new_block_events
         */
        FieldName: string;
        /**
         * @description The handle's creation number. An integer of 64 bits, as decimal digits.
         * @example 3
         */
        CreationNumber: string;
        /**
         * @description Transaction hash; `0x` is optional.
         * @example 0x33dae3b19c5596288969369185316d9e6db85d1151376eb316297d1800c05410
         */
        TxnHash: string;
        /**
         * @description Ledger version. An integer of 64 bits, as decimal digits.
         * @example 2
         */
        TxnVersion: string;
        /**
         * @description Block height, from 0. An integer of 64 bits, as decimal digits.
         * @example 1
         */
        BlockHeight: string;
        /**
         * @description Any ledger version of the block. An integer of 64 bits, as decimal digits.
         * @example 2
         */
        BlockOfVersion: string;
        /**
         * @description The table's handle.
         * @example 0xb338a676af68ed26b0e9a0c79bc4b7cc630e1da0fe5531b3a07f292afc9f1a05
         */
        TableHandle: string;
        /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
        LedgerVersion: string;
        /** @description Cursor from the previous page's header; opaque to clients. */
        Cursor: string;
        /** @description First ledger version; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
        StartVersion: string;
        /** @description First sequence number; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
        StartSequence: string;
        /** @description Maximum number of items; more than 100 counts as 100. */
        PageLimit: number;
        /** @description Maximum number of items; more than 9999 counts as 9999. */
        StateLimit: number;
        /** @description Whether to include the block's transactions. */
        WithTransactions: boolean;
    };
    requestBodies: never;
    headers: {
        /** @description Chain id */
        ChainId: number;
        /** @description Version of the tip, whatever version was read */
        LedgerVersion: number;
        /** @description Oldest version that is not pruned */
        LedgerOldestVersion: number;
        /** @description Time of the tip, microseconds since 1970 */
        LedgerTimestampusec: number;
        /** @description Current epoch */
        Epoch: number;
        /** @description Current block height */
        BlockHeight: number;
        /** @description Oldest block that is not pruned */
        OldestBlockHeight: number;
        /** @description Gas units of the call */
        GasUsed: number;
        /** @description Cursor of the next page: pass it as `start`, with the same `ledger_version`. Absent on the last page. */
        Cursor: string;
        /** @description Seconds to wait */
        RetryAfter: number;
        /** @description Chain id */
        OnErrorsChainId: number;
        /** @description Version of the tip, whatever version was read */
        OnErrorsLedgerVersion: number;
        /** @description Oldest version that is not pruned */
        OnErrorsLedgerOldestVersion: number;
        /** @description Time of the tip, microseconds since 1970 */
        OnErrorsLedgerTimestampusec: number;
        /** @description Current epoch */
        OnErrorsEpoch: number;
        /** @description Current block height */
        OnErrorsBlockHeight: number;
        /** @description Oldest block that is not pruned */
        OnErrorsOldestBlockHeight: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_ledger_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chain as of its tip. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain_id": 4,
                     *       "epoch": "2",
                     *       "ledger_version": "49",
                     *       "oldest_ledger_version": "0",
                     *       "ledger_timestamp": "1795228649331000",
                     *       "node_role": "full_node",
                     *       "oldest_block_height": "0",
                     *       "block_height": "9",
                     *       "git_hash": "local"
                     *     }
                     */
                    "application/json": components["schemas"]["LedgerInfo"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    healthy: {
        parameters: {
            query?: {
                /** @description Seconds. */
                duration_secs?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node is healthy. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "aptos-node:ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_spec: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    estimate_gas_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Three prices. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deprioritized_gas_estimate": 100,
                     *       "gas_estimate": 100,
                     *       "prioritized_gas_estimate": 150
                     *     }
                     */
                    "application/json": components["schemas"]["GasEstimation"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sequence_number": "14",
                     *       "authentication_key": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_resources: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
                /** @description Cursor from the previous page's header; opaque to clients. */
                start?: components["parameters"]["Cursor"];
                /** @description Maximum number of items; more than 9999 counts as 9999. */
                limit?: components["parameters"]["StateLimit"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, ordered by state key. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    "X-NODE-CURSOR": components["headers"]["Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "0x1::account::Account",
                     *         "data": {
                     *           "authentication_key": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                     *           "sequence_number": "14",
                     *           "guid_creation_num": "6",
                     *           "coin_register_events": {
                     *             "counter": "1",
                     *             "guid": {
                     *               "id": {
                     *                 "creation_num": "0",
                     *                 "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *               }
                     *             }
                     *           },
                     *           "key_rotation_events": {
                     *             "counter": "0",
                     *             "guid": {
                     *               "id": {
                     *                 "creation_num": "1",
                     *                 "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *               }
                     *             }
                     *           },
                     *           "rotation_capability_offer": {
                     *             "for": {
                     *               "vec": []
                     *             }
                     *           },
                     *           "signer_capability_offer": {
                     *             "for": {
                     *               "vec": []
                     *             }
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccountResource"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_resource: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
                /**
                 * @description Struct tag, percent-encoded.
                 * @example 0x1::chain_id::ChainId
                 */
                resource_type: components["parameters"]["ResourceType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>",
                     *       "data": {
                     *         "coin": {
                     *           "value": "100098399314207"
                     *         },
                     *         "frozen": false,
                     *         "deposit_events": {
                     *           "counter": "3",
                     *           "guid": {
                     *             "id": {
                     *               "creation_num": "2",
                     *               "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *             }
                     *           }
                     *         },
                     *         "withdraw_events": {
                     *           "counter": "3",
                     *           "guid": {
                     *             "id": {
                     *               "creation_num": "3",
                     *               "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *             }
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountResource"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_modules: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
                /** @description Cursor from the previous page's header; opaque to clients. */
                start?: components["parameters"]["Cursor"];
                /** @description Maximum number of items; more than 9999 counts as 9999. */
                limit?: components["parameters"]["StateLimit"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, ordered by state key. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    "X-NODE-CURSOR": components["headers"]["Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "bytecode": "0xa11ceb0b060000000a010002020204030605050b03070e20082e20104e1e0a6c050c71100f810102000000010800000300010000010208636861696e5f696407436861696e4964026964036765740767656e657369730000000000000000000000000000000000000000000000000000000000000001126170746f733a3a6d657461646174615f76310a00000103676574010100000201020200010000000206000000000000000027000400",
                     *         "abi": {
                     *           "address": "0x1",
                     *           "name": "chain_id",
                     *           "friends": [
                     *             "0x1::genesis"
                     *           ],
                     *           "exposed_functions": [
                     *             {
                     *               "name": "get",
                     *               "visibility": "public",
                     *               "is_entry": false,
                     *               "is_view": true,
                     *               "generic_type_params": [],
                     *               "params": [],
                     *               "return": [
                     *                 "u8"
                     *               ]
                     *             }
                     *           ],
                     *           "structs": [
                     *             {
                     *               "name": "ChainId",
                     *               "is_native": false,
                     *               "is_event": false,
                     *               "abilities": [
                     *                 "key"
                     *               ],
                     *               "generic_type_params": [],
                     *               "fields": [
                     *                 {
                     *                   "name": "id",
                     *                   "type": "u8"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Module"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_module: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
                /**
                 * @description Module name, case-sensitive.
                 * @example coin
                 */
                module_name: components["parameters"]["ModuleName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The module. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bytecode": "0xa11ceb0b060000000a010002020204030605050b03070e20082e20104e1e0a6c050c71100f810102000000010800000300010000010208636861696e5f696407436861696e4964026964036765740767656e657369730000000000000000000000000000000000000000000000000000000000000001126170746f733a3a6d657461646174615f76310a00000103676574010100000201020200010000000206000000000000000027000400",
                     *       "abi": {
                     *         "address": "0x1",
                     *         "name": "chain_id",
                     *         "friends": [
                     *           "0x1::genesis"
                     *         ],
                     *         "exposed_functions": [
                     *           {
                     *             "name": "get",
                     *             "visibility": "public",
                     *             "is_entry": false,
                     *             "is_view": true,
                     *             "generic_type_params": [],
                     *             "params": [],
                     *             "return": [
                     *               "u8"
                     *             ]
                     *           }
                     *         ],
                     *         "structs": [
                     *           {
                     *             "name": "ChainId",
                     *             "is_native": false,
                     *             "is_event": false,
                     *             "abilities": [
                     *               "key"
                     *             ],
                     *             "generic_type_params": [],
                     *             "fields": [
                     *               {
                     *                 "name": "id",
                     *                 "type": "u8"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Module"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_balance: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
                /**
                 * @description A coin's struct tag, or the address of a fungible asset.
                 * @example 0x1::aptos_coin::AptosCoin
                 */
                asset_type: components["parameters"]["AssetType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A bare integer. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 99999899999500 */
                    "application/json": number;
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_account_transactions: {
        parameters: {
            query?: {
                /** @description First sequence number; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
                start?: components["parameters"]["StartSequence"];
                /** @description Maximum number of items; more than 100 counts as 100. */
                limit?: components["parameters"]["PageLimit"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommittedTransaction"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_events_by_creation_number: {
        parameters: {
            query?: {
                /** @description First sequence number; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
                start?: components["parameters"]["StartSequence"];
                /** @description Maximum number of items; more than 100 counts as 100. */
                limit?: components["parameters"]["PageLimit"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
                /**
                 * @description The handle's creation number. An integer of 64 bits, as decimal digits.
                 * @example 3
                 */
                creation_number: components["parameters"]["CreationNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "version": "1",
                     *         "guid": {
                     *           "creation_number": "3",
                     *           "account_address": "0x1"
                     *         },
                     *         "sequence_number": "1",
                     *         "type": "0x1::block::NewBlockEvent",
                     *         "data": {
                     *           "hash": "0x3df1d1ffc8a3c477ed7112018fd42c65b5547c116131c828826e4e94d2ecf067",
                     *           "epoch": "1",
                     *           "round": "1",
                     *           "height": "1",
                     *           "previous_block_votes_bitvec": "0x80",
                     *           "proposer": "0x1",
                     *           "failed_proposer_indices": [],
                     *           "time_microseconds": "1795228649274000"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["VersionedEvent"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_events_by_event_handle: {
        parameters: {
            query?: {
                /** @description First sequence number; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
                start?: components["parameters"]["StartSequence"];
                /** @description Maximum number of items; more than 100 counts as 100. */
                limit?: components["parameters"]["PageLimit"];
            };
            header?: never;
            path: {
                /**
                 * @description Account address; `0x` and leading zeros are optional.
                 * @example 0x1
                 */
                address: components["parameters"]["AccountAddress"];
                /**
                 * @description Struct tag of the resource with the handle.
                 * @example 0x1::block::BlockResource
                 */
                event_handle: components["parameters"]["EventHandle"];
                /**
                 * @description Name of the handle's field.
                 * @example new_block_events
                 */
                field_name: components["parameters"]["FieldName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "version": "1",
                     *         "guid": {
                     *           "creation_number": "3",
                     *           "account_address": "0x1"
                     *         },
                     *         "sequence_number": "1",
                     *         "type": "0x1::block::NewBlockEvent",
                     *         "data": {
                     *           "hash": "0x3df1d1ffc8a3c477ed7112018fd42c65b5547c116131c828826e4e94d2ecf067",
                     *           "epoch": "1",
                     *           "round": "1",
                     *           "height": "1",
                     *           "previous_block_votes_bitvec": "0x80",
                     *           "proposer": "0x1",
                     *           "failed_proposer_indices": [],
                     *           "time_microseconds": "1795228649274000"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["VersionedEvent"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_block_by_height: {
        parameters: {
            query?: {
                /** @description Whether to include the block's transactions. */
                with_transactions?: components["parameters"]["WithTransactions"];
            };
            header?: never;
            path: {
                /**
                 * @description Block height, from 0. An integer of 64 bits, as decimal digits.
                 * @example 1
                 */
                block_height: components["parameters"]["BlockHeight"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The block. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "block_height": "1",
                     *       "block_hash": "0x3df1d1ffc8a3c477ed7112018fd42c65b5547c116131c828826e4e94d2ecf067",
                     *       "block_timestamp": "1795228649274000",
                     *       "first_version": "1",
                     *       "last_version": "5"
                     *     }
                     */
                    "application/json": components["schemas"]["Block"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_block_by_version: {
        parameters: {
            query?: {
                /** @description Whether to include the block's transactions. */
                with_transactions?: components["parameters"]["WithTransactions"];
            };
            header?: never;
            path: {
                /**
                 * @description Any ledger version of the block. An integer of 64 bits, as decimal digits.
                 * @example 2
                 */
                version: components["parameters"]["BlockOfVersion"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The block. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "block_height": "1",
                     *       "block_hash": "0x3df1d1ffc8a3c477ed7112018fd42c65b5547c116131c828826e4e94d2ecf067",
                     *       "block_timestamp": "1795228649274000",
                     *       "first_version": "1",
                     *       "last_version": "5"
                     *     }
                     */
                    "application/json": components["schemas"]["Block"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_transactions: {
        parameters: {
            query?: {
                /** @description First ledger version; default: the latest `limit`. An integer of 64 bits, as decimal digits. */
                start?: components["parameters"]["StartVersion"];
                /** @description Maximum number of items; more than 100 counts as 100. */
                limit?: components["parameters"]["PageLimit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommittedTransaction"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    submit_transaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                 *       "sequence_number": "8",
                 *       "max_gas_amount": "100000",
                 *       "gas_unit_price": "100",
                 *       "expiration_timestamp_secs": "4102444800",
                 *       "payload": {
                 *         "type": "entry_function_payload",
                 *         "function": "0x1::aptos_account::transfer",
                 *         "type_arguments": [],
                 *         "arguments": [
                 *           "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                 *           "1000"
                 *         ]
                 *       },
                 *       "signature": {
                 *         "type": "ed25519_signature",
                 *         "public_key": "0x705fbac01f5519899f437bc42e40255ae9ab54bff00de3433af7d687d9e71ad5",
                 *         "signature": "0xff344cc3ec601a7b5a971d3dde929a66d64699d0df8e4d332d1aefee6315bdba1a2267c53d421abb1b2ea56820613827521fdb21951bc8f299f9478ad2c4b109"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubmitTransactionRequest"];
                "application/x.node.signed_transaction+bcs": string;
                "application/x.aptos.signed_transaction+bcs": string;
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hash": "0x4595d2a8e007575ec23fff0134a05d2df9653606d96c520d5327d6c693b410b4",
                     *       "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                     *       "sequence_number": "8",
                     *       "max_gas_amount": "100000",
                     *       "gas_unit_price": "100",
                     *       "expiration_timestamp_secs": "4102444800",
                     *       "payload": {
                     *         "function": "0x1::aptos_account::transfer",
                     *         "type_arguments": [],
                     *         "arguments": [
                     *           "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                     *           "1000"
                     *         ],
                     *         "type": "entry_function_payload"
                     *       },
                     *       "signature": {
                     *         "public_key": "0x705fbac01f5519899f437bc42e40255ae9ab54bff00de3433af7d687d9e71ad5",
                     *         "signature": "0xff344cc3ec601a7b5a971d3dde929a66d64699d0df8e4d332d1aefee6315bdba1a2267c53d421abb1b2ea56820613827521fdb21951bc8f299f9478ad2c4b109",
                     *         "type": "ed25519_signature"
                     *       },
                     *       "replay_protection_nonce": null,
                     *       "type": "pending_transaction"
                     *     }
                     */
                    "application/json": components["schemas"]["PendingTransaction"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["MempoolFull"];
        };
    };
    get_transaction_by_hash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Transaction hash; `0x` is optional.
                 * @example 0x33dae3b19c5596288969369185316d9e6db85d1151376eb316297d1800c05410
                 */
                txn_hash: components["parameters"]["TxnHash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Committed or pending. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_transaction_by_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Ledger version. An integer of 64 bits, as decimal digits.
                 * @example 2
                 */
                txn_version: components["parameters"]["TxnVersion"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommittedTransaction"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    wait_transaction_by_hash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Transaction hash; `0x` is optional.
                 * @example 0x33dae3b19c5596288969369185316d9e6db85d1151376eb316297d1800c05410
                 */
                txn_hash: components["parameters"]["TxnHash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Committed, or still pending. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    submit_batch_transactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                 *         "sequence_number": "9",
                 *         "max_gas_amount": "100000",
                 *         "gas_unit_price": "100",
                 *         "expiration_timestamp_secs": "4102444800",
                 *         "payload": {
                 *           "type": "entry_function_payload",
                 *           "function": "0x1::aptos_account::transfer",
                 *           "type_arguments": [],
                 *           "arguments": [
                 *             "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                 *             "1000"
                 *           ]
                 *         },
                 *         "signature": {
                 *           "type": "ed25519_signature",
                 *           "public_key": "0x705fbac01f5519899f437bc42e40255ae9ab54bff00de3433af7d687d9e71ad5",
                 *           "signature": "0xe999b6a81fcd027496e75fcbb66efaeb000f7750f208fc37e7a6684b38fa2ca0918761e95bb8c625bd555b796aaa5e0158034896d33ff213ddee1e7e0f73de06"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["SubmitTransactionRequest"][];
                "application/x.node.signed_transaction+bcs": string;
                "application/x.aptos.signed_transaction+bcs": string;
            };
        };
        responses: {
            /** @description All transactions were accepted. */
            202: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_failures": []
                     *     }
                     */
                    "application/json": components["schemas"]["BatchReport"];
                    "application/x-bcs": string;
                };
            };
            /** @description Some or none were accepted; the report lists the rejected ones. */
            206: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_failures": [
                     *         {
                     *           "error": {
                     *             "message": "Invalid transaction: Type: Validation Code: INVALID_SIGNATURE. A signature does not verify.",
                     *             "error_code": "vm_error",
                     *             "vm_error_code": 1
                     *           },
                     *           "transaction_index": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchReport"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["MempoolFull"];
        };
    };
    simulate_transaction: {
        parameters: {
            query?: {
                /** @description Use the maximum possible gas amount instead of the transaction's. */
                estimate_max_gas_amount?: boolean;
                /** @description Use the estimated price instead of the transaction's. */
                estimate_gas_unit_price?: boolean;
                /** @description Use the prioritized estimate; takes precedence over the regular one. */
                estimate_prioritized_gas_unit_price?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                 *       "sequence_number": "8",
                 *       "max_gas_amount": "100000",
                 *       "gas_unit_price": "100",
                 *       "expiration_timestamp_secs": "4102444800",
                 *       "payload": {
                 *         "type": "entry_function_payload",
                 *         "function": "0x1::aptos_account::transfer",
                 *         "type_arguments": [],
                 *         "arguments": [
                 *           "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                 *           "1000"
                 *         ]
                 *       },
                 *       "signature": {
                 *         "type": "ed25519_signature",
                 *         "public_key": "0x705fbac01f5519899f437bc42e40255ae9ab54bff00de3433af7d687d9e71ad5",
                 *         "signature": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubmitTransactionRequest"];
                "application/x.node.signed_transaction+bcs": string;
                "application/x.aptos.signed_transaction+bcs": string;
            };
        };
        responses: {
            /** @description A list of exactly one transaction. Its state hashes are zero. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    "X-NODE-GAS-USED": components["headers"]["GasUsed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "version": "49",
                     *         "hash": "0x4595d2a8e007575ec23fff0134a05d2df9653606d96c520d5327d6c693b410b4",
                     *         "state_change_hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
                     *         "event_root_hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
                     *         "state_checkpoint_hash": null,
                     *         "gas_used": "5",
                     *         "success": true,
                     *         "vm_status": "Executed successfully",
                     *         "accumulator_root_hash": "0x0000000000000000000000000000000000000000000000000000000000000000",
                     *         "changes": [
                     *           {
                     *             "address": "0x1",
                     *             "state_key_hash": "0x0f1a3d4151b70ab07cb0ff22d610477a94afbc68b99bce32747c6e20079a1b65",
                     *             "data": {
                     *               "type": "0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>",
                     *               "data": {
                     *                 "name": "Native Coin",
                     *                 "symbol": "NATIVE",
                     *                 "decimals": 8,
                     *                 "supply": {
                     *                   "vec": [
                     *                     {
                     *                       "aggregator": {
                     *                         "vec": []
                     *                       },
                     *                       "integer": {
                     *                         "vec": [
                     *                           {
                     *                             "value": "100000000098790100",
                     *                             "limit": "340282366920938463463374607431768211455"
                     *                           }
                     *                         ]
                     *                       }
                     *                     }
                     *                   ]
                     *                 }
                     *               }
                     *             },
                     *             "type": "write_resource"
                     *           },
                     *           {
                     *             "address": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                     *             "state_key_hash": "0x9a6a5234dd3310cf6fee1feb2fb1ca95cbcc3df64e93e45e6accf7a9ad788ff6",
                     *             "data": {
                     *               "type": "0x1::account::Account",
                     *               "data": {
                     *                 "authentication_key": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                     *                 "sequence_number": "9",
                     *                 "guid_creation_num": "6",
                     *                 "coin_register_events": {
                     *                   "counter": "1",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "0",
                     *                       "addr": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0"
                     *                     }
                     *                   }
                     *                 },
                     *                 "key_rotation_events": {
                     *                   "counter": "0",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "1",
                     *                       "addr": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0"
                     *                     }
                     *                   }
                     *                 },
                     *                 "rotation_capability_offer": {
                     *                   "for": {
                     *                     "vec": []
                     *                   }
                     *                 },
                     *                 "signer_capability_offer": {
                     *                   "for": {
                     *                     "vec": []
                     *                   }
                     *                 }
                     *               }
                     *             },
                     *             "type": "write_resource"
                     *           },
                     *           {
                     *             "address": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                     *             "state_key_hash": "0xed14bd7aa40ced39140efe67835820e6202536508e13cf456fb7eb1e7e9f9f3b",
                     *             "data": {
                     *               "type": "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>",
                     *               "data": {
                     *                 "coin": {
                     *                   "value": "100200099901958"
                     *                 },
                     *                 "frozen": false,
                     *                 "deposit_events": {
                     *                   "counter": "3",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "2",
                     *                       "addr": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0"
                     *                     }
                     *                   }
                     *                 },
                     *                 "withdraw_events": {
                     *                   "counter": "2",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "3",
                     *                       "addr": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0"
                     *                     }
                     *                   }
                     *                 }
                     *               }
                     *             },
                     *             "type": "write_resource"
                     *           },
                     *           {
                     *             "address": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                     *             "state_key_hash": "0x82c9fe1fb9b4a1dbc197a0f689a607bc638b3f4b433cab5379e5811a110347b7",
                     *             "data": {
                     *               "type": "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>",
                     *               "data": {
                     *                 "coin": {
                     *                   "value": "100098399315207"
                     *                 },
                     *                 "frozen": false,
                     *                 "deposit_events": {
                     *                   "counter": "4",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "2",
                     *                       "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *                     }
                     *                   }
                     *                 },
                     *                 "withdraw_events": {
                     *                   "counter": "3",
                     *                   "guid": {
                     *                     "id": {
                     *                       "creation_num": "3",
                     *                       "addr": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *                     }
                     *                   }
                     *                 }
                     *               }
                     *             },
                     *             "type": "write_resource"
                     *           }
                     *         ],
                     *         "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                     *         "sequence_number": "8",
                     *         "max_gas_amount": "100000",
                     *         "gas_unit_price": "100",
                     *         "expiration_timestamp_secs": "4102444800",
                     *         "payload": {
                     *           "function": "0x1::aptos_account::transfer",
                     *           "type_arguments": [],
                     *           "arguments": [
                     *             "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                     *             "1000"
                     *           ],
                     *           "type": "entry_function_payload"
                     *         },
                     *         "signature": {
                     *           "public_key": "0x705fbac01f5519899f437bc42e40255ae9ab54bff00de3433af7d687d9e71ad5",
                     *           "signature": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                     *           "type": "ed25519_signature"
                     *         },
                     *         "replay_protection_nonce": null,
                     *         "events": [
                     *           {
                     *             "guid": {
                     *               "creation_number": "3",
                     *               "account_address": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0"
                     *             },
                     *             "sequence_number": "1",
                     *             "type": "0x1::coin::WithdrawEvent",
                     *             "data": {
                     *               "amount": "1000"
                     *             }
                     *           },
                     *           {
                     *             "guid": {
                     *               "creation_number": "2",
                     *               "account_address": "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                     *             },
                     *             "sequence_number": "3",
                     *             "type": "0x1::coin::DepositEvent",
                     *             "data": {
                     *               "amount": "1000"
                     *             }
                     *           },
                     *           {
                     *             "guid": {
                     *               "creation_number": "0",
                     *               "account_address": "0x0"
                     *             },
                     *             "sequence_number": "0",
                     *             "type": "0x1::transaction_fee::FeeStatement",
                     *             "data": {
                     *               "total_charge_gas_units": "5",
                     *               "execution_gas_units": "3",
                     *               "io_gas_units": "2",
                     *               "storage_fee_octas": "0",
                     *               "storage_fee_refund_octas": "0"
                     *             }
                     *           }
                     *         ],
                     *         "timestamp": "1795228649331000",
                     *         "type": "user_transaction"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserTransaction"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["MempoolFull"];
        };
    };
    encode_submission: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sender": "0x20da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb0",
                 *       "sequence_number": "8",
                 *       "max_gas_amount": "100000",
                 *       "gas_unit_price": "100",
                 *       "expiration_timestamp_secs": "4102444800",
                 *       "payload": {
                 *         "type": "entry_function_payload",
                 *         "function": "0x1::aptos_account::transfer",
                 *         "type_arguments": [],
                 *         "arguments": [
                 *           "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf",
                 *           "1000"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EncodeSubmissionRequest"];
            };
        };
        responses: {
            /** @description Hex of the message. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 0xb5e97db07fa0bd0e5598aa3643a9bc6f6693bddc1a9fec9e674a461eaa00b19320da494afcd5bfad0ae2b854de2cc3a65b126475ca449ed637cfc09ae46eefb008000000000000000200000000000000000000000000000000000000000000000000000000000000010d6170746f735f6163636f756e74087472616e736665720002209385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf08e803000000000000a0860100000000006400000000000000005786f40000000004 */
                    "application/json": components["schemas"]["HexEncodedBytes"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_table_item: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description The table's handle.
                 * @example 0xb338a676af68ed26b0e9a0c79bc4b7cc630e1da0fe5531b3a07f292afc9f1a05
                 */
                table_handle: components["parameters"]["TableHandle"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key_type": "u64",
                 *       "value_type": "0x1::string::String",
                 *       "key": "1"
                 *     }
                 */
                "application/json": components["schemas"]["TableItemRequest"];
            };
        };
        responses: {
            /** @description The value alone. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example one */
                    "application/json": components["schemas"]["MoveValue"];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_raw_table_item: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path: {
                /**
                 * @description The table's handle.
                 * @example 0xb338a676af68ed26b0e9a0c79bc4b7cc630e1da0fe5531b3a07f292afc9f1a05
                 */
                table_handle: components["parameters"]["TableHandle"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "0x0100000000000000"
                 *     }
                 */
                "application/json": components["schemas"]["RawTableItemRequest"];
            };
        };
        responses: {
            /** @description The value's bytes. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
    view: {
        parameters: {
            query?: {
                /** @description Version to read at; default: the tip. An integer of 64 bits, as decimal digits. */
                ledger_version?: components["parameters"]["LedgerVersion"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "function": "0x1::coin::balance",
                 *       "type_arguments": [
                 *         "0x1::aptos_coin::AptosCoin"
                 *       ],
                 *       "arguments": [
                 *         "0x9385450f879a745e66e56a94d8736fbcc2b525423faec72ebe9f245379dacdbf"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ViewRequest"];
                "application/x.node.view_function+bcs": string;
                "application/x.aptos.view_function+bcs": string;
            };
        };
        responses: {
            /** @description The list of returned values. */
            200: {
                headers: {
                    "X-NODE-CHAIN-ID": components["headers"]["ChainId"];
                    "X-NODE-LEDGER-VERSION": components["headers"]["LedgerVersion"];
                    "X-NODE-LEDGER-OLDEST-VERSION": components["headers"]["LedgerOldestVersion"];
                    "X-NODE-LEDGER-TIMESTAMPUSEC": components["headers"]["LedgerTimestampusec"];
                    "X-NODE-EPOCH": components["headers"]["Epoch"];
                    "X-NODE-BLOCK-HEIGHT": components["headers"]["BlockHeight"];
                    "X-NODE-OLDEST-BLOCK-HEIGHT": components["headers"]["OldestBlockHeight"];
                    "X-NODE-GAS-USED": components["headers"]["GasUsed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "100098399315207"
                     *     ]
                     */
                    "application/json": components["schemas"]["MoveValue"][];
                    "application/x-bcs": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            411: components["responses"]["LengthRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
        };
    };
}
