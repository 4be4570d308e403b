import { createHash } from "node:crypto";

export interface ViewRequest {
  readonly function: string;
  readonly arguments: readonly string[];
}

/** Request as a node reads it. */
export interface ChainRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}

/** Status and JSON of a response; `extra`: header fields beside the ledger's. */
export interface ChainResponse {
  readonly status: number;
  readonly body: unknown;
  readonly extra?: Readonly<Record<string, string>>;
}

/** Chain behind every fake node, over HTTP or in simulated time: one transaction per version, one version per block. */
export class FakeChain {
  version = 10n;
  oldest = 0n;
  chainId = 4;
  prefix = "X-NODE-";
  /** Two hex digits in its hashes, which distinguish it from another chain. */
  salt = "ab";
  /** Values of its views; null: each returns the ledger version at which it was asked. */
  views: ((call: ViewRequest, version: bigint) => readonly unknown[]) | null = null;
  /** Hashes of pending transactions, which are not committed. */
  readonly pending = new Set<string>();

  /** Answers as a node without faults. `path` is relative to /v1, with its query. */
  answer({ method, path, body }: ChainRequest): ChainResponse {
    const [pathname = "", query = ""] = path.split("?", 2);
    const requested = new URLSearchParams(query);
    const at = requested.get("ledger_version");
    if (at !== null && BigInt(at) > this.version) return notFound("version_not_found");
    if (at !== null && BigInt(at) < this.oldest) return pruned();
    const parts = pathname.split("/").slice(1).map(decodeURIComponent);
    if (method === "POST") return this.#post(parts, body, at);
    switch (parts[0] ?? "") {
      case "":
        return ok({ chain_id: this.chainId, epoch: "1", ledger_version: String(this.version), node_role: "full_node" });
      case "-":
        return ok({ message: "aptos-node:ok" });
      case "estimate_gas_price":
        return ok({ deprioritized_gas_estimate: 100, gas_estimate: 100, prioritized_gas_estimate: 150 });
      case "blocks":
        return this.#block(BigInt(parts[2] ?? "0"));
      case "transactions":
        return parts.length === 1 ? this.#page(requested) : this.#transaction(parts[1] ?? "", parts[2] ?? "");
      case "accounts":
        return this.#account(parts, at ?? String(this.version), requested);
      default:
        return { status: 404, body: nodeError("web_framework_error", "not found") };
    }
  }

  #post(parts: readonly string[], body: Uint8Array, at: string | null): ChainResponse {
    if (parts[0] === "view") {
      const version = BigInt(at ?? this.version);
      return ok(this.views?.(JSON.parse(new TextDecoder().decode(body)), version) ?? [String(version)]);
    }
    if (parts[0] === "tables") return ok(`${at ?? this.version} ${createHash("sha256").update(body).digest("hex")}`);
    if (parts[1] === "batch")
      return {
        status: 206,
        body: { transaction_failures: [{ error: nodeError("vm_error", "no"), transaction_index: 0 }] },
      };
    if (parts[1] === "simulate")
      return ok([{ type: "user_transaction", version: String(this.version), success: true }]);
    if (parts[1] === "encode_submission") return ok("0xb5e97db0");
    const hash = `0x${createHash("sha256").update(body).digest("hex")}`;
    this.pending.add(hash);
    return { status: 202, body: { type: "pending_transaction", hash } };
  }

  #block(height: bigint): ChainResponse {
    if (height > this.version) return notFound("block_not_found");
    if (height < this.oldest)
      return { status: 410, body: nodeError("block_pruned", `Block(${height}) has been pruned`) };
    const of = String(height);
    return ok({
      block_height: of,
      block_hash: hashOf(height, this.salt),
      block_timestamp: of,
      first_version: of,
      last_version: of,
      transactions: null,
    });
  }

  #transaction(how: string, text: string): ChainResponse {
    if (how === "by_version") {
      const version = BigInt(text);
      if (version > this.version) return notFound("transaction_not_found");
      return version < this.oldest ? pruned() : ok(record(version, this.salt));
    }
    if (this.pending.has(text)) return ok({ type: "pending_transaction", hash: text });
    const version = BigInt(text) >> 128n;
    return version <= this.version && hashOf(version, this.salt) === text
      ? ok(record(version, this.salt))
      : notFound("transaction_not_found");
  }

  #page(wanted: URLSearchParams): ChainResponse {
    const limit = Number(wanted.get("limit"));
    const start = wanted.get("start") === null ? this.version - BigInt(limit - 1) : BigInt(wanted.get("start") ?? "0");
    if (start > this.version) return { status: 400, body: nodeError("invalid_input", "Given start value is too high") };
    if (start < this.oldest) return pruned();
    const records: unknown[] = [];
    for (let version = start < 0n ? 0n : start; version <= this.version && records.length < limit; version += 1n)
      records.push(record(version, this.salt));
    return ok(records);
  }

  #account(parts: readonly string[], version: string, params: URLSearchParams): ChainResponse {
    const [, address = "", what, name = ""] = parts;
    if (address === "0xdead") return notFound("account_not_found");
    switch (what) {
      case undefined:
        return ok({ sequence_number: version, authentication_key: "0x00" });
      case "resource":
        return name.endsWith("::Missing") ? notFound("resource_not_found") : ok({ type: name, data: { version } });
      case "resources":
        return {
          ...ok([{ type: "0x1::a::A", data: { version } }]),
          extra: params.get("start") === null ? { [`${this.prefix}CURSOR`]: "00ab" } : {},
        };
      case "module":
        return ok({ bytecode: "0x", abi: { address, name } });
      case "balance":
        return ok(Number(version));
      default:
        return ok([]);
    }
  }
}

/** Hash of the transaction at a version. */
export function hashOf(version: bigint, salt = "ab"): string {
  return `0x${version.toString(16).padStart(32, "0")}${salt.repeat(16)}`;
}

function record(version: bigint, salt: string): unknown {
  const outcome = { success: true, vm_status: "Executed successfully" };
  return { type: "user_transaction", version: String(version), hash: hashOf(version, salt), ...outcome };
}

function ok(body: unknown): ChainResponse {
  return { status: 200, body };
}

function notFound(code: string): ChainResponse {
  return { status: 404, body: nodeError(code, "not found") };
}

function pruned(): ChainResponse {
  return { status: 410, body: nodeError("version_pruned", "has been pruned") };
}

export function nodeError(code: string, message: string): unknown {
  return { message, error_code: code, vm_error_code: null };
}
