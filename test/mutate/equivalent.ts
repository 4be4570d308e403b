/** A mutant without an observable effect, which is not counted. `line` is its line without indentation. */
export interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly before: string;
  readonly after: string;
}

/** The equivalent mutants by the reason why they are. */
export const EQUIVALENT: Readonly<Record<string, readonly Equivalent[]>> = {
  "The capacity of a table in memory: one entry more or less is within what it is for.": [
    {
      file: "devnode/vm/state-keys.ts",
      line: "const pathsByType = new BoundedMap<string, string>(1_000);",
      before: "1_000",
      after: "(1000 + 1)",
    },
    {
      file: "devnode/codec/move-layout.ts",
      line: "const templates = new BoundedMap<string, TypeTag>(10_000);",
      before: "10_000",
      after: "(10000 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const KEY_MEMORY_BYTES = 4 * 1024 * 1024;",
      before: "4",
      after: "(4 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const KEY_MEMORY_BYTES = 4 * 1024 * 1024;",
      before: "1024",
      after: "(1024 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const VALUE_MEMORY_BYTES = 16 * 1024 * 1024;",
      before: "16",
      after: "(16 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const VALUE_MEMORY_BYTES = 16 * 1024 * 1024;",
      before: "1024",
      after: "(1024 + 1)",
    },
    { file: "devnode/ledger/state-store.ts", line: "const ENTRY_BYTES = 100;", before: "100", after: "(100 + 1)" },
    {
      file: "src/limiter/policy-state.ts",
      line: "const LOCAL_CALLERS = 20_000;",
      before: "20_000",
      after: "(20000 + 1)",
    },
    {
      file: "src/limiter/policy-state.ts",
      line: "const READ_AHEAD_CALLERS = 5_000;",
      before: "5_000",
      after: "(5000 + 1)",
    },
    {
      file: "src/limiter/policy-state.ts",
      line: "const SEEN = { keepMs: 60_000, maxCallers: LOCAL_CALLERS / 2 } as const;",
      before: "2",
      after: "(2 + 1)",
    },
    { file: "src/gateway/handlers.ts", line: "const MAX_LINE_CHARACTERS = 512;", before: "512", after: "(512 + 1)" },
    {
      file: "src/http/failure.ts",
      line: "const throttledReplies = new BoundedMap<string, Reply>(8_192);",
      before: "8_192",
      after: "(8192 + 1)",
    },
    {
      file: "src/gateway/handlers.ts",
      line: "const knownLines = new BoundedMap<string, NodeRequest>(2_048);",
      before: "2_048",
      after: "(2048 + 1)",
    },
  ],
  "Ids are unique whatever the first number and the step are.": [
    { file: "src/http/request-id.ts", line: "requests += 1;", before: "1", after: "(1 + 1)" },
    { file: "src/http/request-id.ts", line: "let requests = 0;", before: "0", after: "(0 + 1)" },
  ],
  "The compiler demands a fallback for an index that always has an element.": [
    {
      file: "devnode/ledger/committed-chain.ts",
      line: 'if (tip === undefined || first === undefined) throw new Error("the ledger has no genesis block");',
      before: "||",
      after: "&&",
    },
    {
      file: "devnode/codec/signature-json.ts",
      line: "bitmap[byte] = (bitmap[byte] ?? 0) | (0x80 >> (index & 7));",
      before: "0",
      after: "(0 + 1)",
    },
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "return (timeMs - (stamps[index] ?? 0)) & STAMP_MASK;",
      before: "0",
      after: "(0 + 1)",
    },
    {
      file: "src/supply/cross-check.ts",
      line: 'if (plan.kind !== "table" || (plan.figures[lastIndex] ?? 0n) >= maxSupply) return [];',
      before: "0n",
      after: "(0n + 1n)",
    },
  ],
  "Without its memo a type is parsed again, with the same result.": [
    {
      file: "devnode/vm/state-keys.ts",
      line: "pathsByType.set(type, path);",
      before: "pathsByType.set(type, path);",
      after: ";",
    },
    {
      file: "devnode/codec/move-layout.ts",
      line: "if (parsed !== undefined) templates.set(type, parsed);",
      before: "templates.set(type, parsed);",
      after: ";",
    },
    {
      file: "devnode/codec/move-layout.ts",
      line: "if (parsed !== undefined) templates.set(type, parsed);",
      before: "!==",
      after: "===",
    },
    {
      file: "devnode/codec/move-layout.ts",
      line: "if (parsed !== undefined) templates.set(type, parsed);",
      before: "parsed !== undefined",
      after: "!(parsed !== undefined)",
    },
  ],
  "A key has 32 bytes: its last one is there.": [
    {
      file: "devnode/codec/signature-schemes.ts",
      line: "unsigned[31] = (unsigned[31] ?? 0) & 0x7f;",
      before: "0",
      after: "(0 + 1)",
    },
  ],
  "A shortcut is not taken; the long way gives the same result.": [
    {
      file: "src/limiter/policy-state.ts",
      line: "this.#shardByCaller.set(key, shard);",
      before: "this.#shardByCaller.set(key, shard);",
      after: ";",
    },
  ],
  "It bounds memory only; both counts refuse at the same time.": [
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "while (stamps.length > 0 && this.#ageMs(stamps, 0, timeMs) >= this.#retentionMs) stamps.shift();",
      before: "0",
      after: "(0 + 1)",
    },
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "const MAX_QUOTA = 10_000;",
      before: "10_000",
      after: "(10000 + 1)",
    },
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "if (stamps.length > MAX_QUOTA) stamps.shift();",
      before: ">",
      after: ">=",
    },
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "if (stamps.length > MAX_QUOTA) stamps.shift();",
      before: "stamps.shift();",
      after: ";",
    },
  ],
  "An admission is never the number zero: its window has yet to end.": [
    {
      file: "src/limiter/admission.ts",
      line: "return local.peek(key, nowMs) >= 0 && readsAhead.take(key, nowMs) >= 0;",
      before: "0",
      after: "(0 + 1)",
    },
    {
      file: "src/limiter/admission.ts",
      line: "if (packed >= 0) local.record(key, nowMs);",
      before: "0",
      after: "(0 + 1)",
    },
    {
      file: "src/limiter/admission.ts",
      line: "return local.peek(key, nowMs) >= 0 && readsAhead.take(key, nowMs) >= 0;",
      before: ">=",
      after: ">",
    },
    { file: "src/limiter/admission.ts", line: "if (packed >= 0) local.record(key, nowMs);", before: ">=", after: ">" },
  ],
  "Only the order of records counts, whatever the first number is.": [
    { file: "devnode/ledger/mempool-store.ts", line: "#nextArrival = 1;", before: "1", after: "(1 + 1)" },
    { file: "devnode/ledger/mempool-store.ts", line: "this.#nextArrival += 1;", before: "1", after: "(1 + 1)" },
    {
      file: "devnode/ledger/mempool-store.ts",
      line: "this.#nextArrival = arrival + 1;",
      before: "1",
      after: "(1 + 1)",
    },
    { file: "src/limiter/journal.ts", line: "this.#lastNumber = newest?.number ?? 0;", before: "0", after: "(0 + 1)" },
    { file: "src/limiter/journal.ts", line: "#lastNumber = 0;", before: "0", after: "(0 + 1)" },
  ],
  "Any instant long past will do.": [
    {
      file: "src/gateway/upstream/state.ts",
      line: "const left = (untilMs ?? 0) - nowMs;",
      before: "0",
      after: "(0 + 1)",
    },
    { file: "src/gateway/gateway.ts", line: "#watchedAtMs = 0;", before: "0", after: "(0 + 1)" },
    {
      file: "src/gateway/gateway.ts",
      line: "const sinceMs = nowMs - Math.max(this.#watchedAtMs, this.#known.tip?.confirmedAtMs ?? 0);",
      before: "0",
      after: "(0 + 1)",
    },
    { file: "src/limiter/seen-versions.ts", line: "#rotatedAtMs = 0;", before: "0", after: "(0 + 1)" },
    {
      file: "src/limiter/edge-limiter.ts",
      line: "if (nowMs < (this.#quietUntilMs.get(kind) ?? 0)) return;",
      before: "0",
      after: "(0 + 1)",
    },
    { file: "src/limiter/shard-link.ts", line: "#restUntilMs = 0;", before: "0", after: "(0 + 1)" },
    { file: "src/limiter/shard-link.ts", line: "#outageUntilMs = 0;", before: "0", after: "(0 + 1)" },
  ],
  "The order of two equal values cannot be seen.": [
    { file: "devnode/ledger/gas-estimate.ts", line: "return left > right ? left : right;", before: ">", after: ">=" },
    {
      file: "devnode/ledger/gas-estimate.ts",
      line: "return [...prices].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));",
      before: "<",
      after: "<=",
    },
    {
      file: "devnode/ledger/gas-estimate.ts",
      line: "return [...prices].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));",
      before: ">",
      after: ">=",
    },
  ],
  "What a full listing drops is the same whenever it is dropped; its memory is measured by the benchmark.": [
    {
      file: "src/rates/listing.ts",
      line: "if (this.#products.size >= 2 * MAX_PRODUCTS) this.#dropSmallest();",
      before: "this.#dropSmallest();",
      after: ";",
    },
  ],
  "Any negative number is below every version.": [
    {
      file: "src/gateway/upstream/chain-monitor.ts",
      line: "const version = this.#pool.trusted?.ledger.version ?? -1n;",
      before: "1n",
      after: "(1n + 1n)",
    },
    {
      file: "src/limiter/seen-versions.ts",
      line: "this.#base = this.#previousNewest = this.#newest = { epoch, version: -1n };",
      before: "1n",
      after: "(1n + 1n)",
    },
  ],
  "A URL has a host, so the search for the slash behind it may start one character later.": [
    {
      file: "src/http/split-url.ts",
      line: 'const start = url.indexOf("/", url.indexOf("://") + 3);',
      before: "3",
      after: "(3 + 1)",
    },
    {
      file: "src/http/split-url.ts",
      line: 'return url.slice(0, url.indexOf("/", url.indexOf("://") + 3));',
      before: "3",
      after: "(3 + 1)",
    },
  ],
  "Two different characters, or a character and the end, are never at one position.": [
    {
      file: "src/http/split-url.ts",
      line: 'if (mark === -1 || mark > end) return { path: url.slice(start, end), query: "" };',
      before: ">",
      after: ">=",
    },
  ],
  "When headers are built for reuse changes no response.": [
    { file: "src/http/respond.ts", line: "if (reuse.isFirst) {", before: "reuse.isFirst", after: "!(reuse.isFirst)" },
    { file: "src/http/respond.ts", line: "reuse.isFirst = false;", before: "false", after: "true" },
    {
      file: "src/http/respond.ts",
      line: "const reuseOf = memoByObject((_own: HeaderSet): Reuse => ({ isFirst: true, shared: [], headers: null }));",
      before: "true",
      after: "false",
    },
  ],
  "No failure of the edge itself has the status 500.": [
    {
      file: "src/http/failure.ts",
      line: 'return { error_code: status >= 500 ? "internal_error" : "web_framework_error", vm_error_code: null };',
      before: "500",
      after: "(500 + 1)",
    },
    {
      file: "src/http/failure.ts",
      line: 'return { error_code: status >= 500 ? "internal_error" : "web_framework_error", vm_error_code: null };',
      before: ">=",
      after: ">",
    },
  ],
  "The alternative to zero is zero.": [
    {
      file: "src/gateway/upstream/health-report.ts",
      line: "lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),",
      before: ">",
      after: ">=",
    },
    {
      file: "src/http/content-negotiation.ts",
      line: "return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };",
      before: ">=",
      after: ">",
    },
  ],
  "Ages up to 2^30 ms are exact: the bound may be anywhere between two windows and that.": [
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "const isAllExpired = sinceMs >= 2 * this.#retentionMs;",
      before: ">=",
      after: ">",
    },
    {
      file: "src/limiter/sliding-window-log.ts",
      line: "const isAllExpired = sinceMs >= 2 * this.#retentionMs;",
      before: "2",
      after: "(2 + 1)",
    },
  ],
  "Without its memo a request line is parsed again, with the same result.": [
    {
      file: "src/gateway/handlers.ts",
      line: "const known = line === null ? undefined : knownLines.get(line);",
      before: "===",
      after: "!==",
    },
    {
      file: "src/gateway/handlers.ts",
      line: "const known = line === null ? undefined : knownLines.get(line);",
      before: "line === null",
      after: "!(line === null)",
    },
    {
      file: "src/gateway/handlers.ts",
      line: 'if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) knownLines.set(line, target);',
      before: "knownLines.set(line, target);",
      after: ";",
    },
    {
      file: "src/gateway/handlers.ts",
      line: 'if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) knownLines.set(line, target);',
      before: "<=",
      after: "<",
    },
    {
      file: "src/gateway/handlers.ts",
      line: 'if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) knownLines.set(line, target);',
      before: "&&",
      after: "||",
    },
    {
      file: "src/gateway/handlers.ts",
      line: 'if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) knownLines.set(line, target);',
      before: 'line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)',
      after: '!(line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target))',
    },
  ],
  "An internal read is admitted at once: whether it waits for that changes nothing.": [
    { file: "src/gateway/no-caller.ts", line: "mayReadAhead: () => true,", before: "true", after: "false" },
  ],
  "Only the sign of a comparison counts, and no two compared values are equal.": [
    {
      file: "devnode/vm/session.ts",
      line: "for (const [key, value] of [...this.#overlay].sort(([a], [b]) => (a < b ? -1 : 1))) {",
      before: "1",
      after: "(1 + 1)",
    },
    {
      file: "devnode/vm/session.ts",
      line: "for (const [key, value] of [...this.#overlay].sort(([a], [b]) => (a < b ? -1 : 1))) {",
      before: "<",
      after: "<=",
    },
    {
      file: "devnode/codec/bcs.ts",
      line: ".sort((left, right) => (left.order < right.order ? -1 : 1));",
      before: "1",
      after: "(1 + 1)",
    },
    {
      file: "devnode/ledger/price-ranking.ts",
      line: "return left.waiting.transaction.sequenceNumber < right.waiting.transaction.sequenceNumber ? -1 : 1;",
      before: "1",
      after: "(1 + 1)",
    },
    {
      file: "devnode/ledger/price-ranking.ts",
      line: "return left.waiting.transaction.sequenceNumber < right.waiting.transaction.sequenceNumber ? -1 : 1;",
      before: "<",
      after: "<=",
    },
    {
      file: "devnode/ledger/price-ranking.ts",
      line: "if (left.price !== right.price) return left.price > right.price ? -1 : 1;",
      before: "1",
      after: "(1 + 1)",
    },
    {
      file: "devnode/ledger/price-ranking.ts",
      line: "if (left.price !== right.price) return left.price > right.price ? -1 : 1;",
      before: ">",
      after: ">=",
    },
  ],
  "The statement itself checks that no value of the key is left.": [
    {
      file: "devnode/ledger/state-store.ts",
      line: "if (deletions.length > 0) this.#retire(id);",
      before: ">",
      after: ">=",
    },
  ],
  "Between the longest key that a transaction can write and the database's limit.": [
    {
      file: "devnode/ledger/state-store.ts",
      line: "const MAX_KEY_DIGITS = 2 * 128 * 1024;",
      before: "2",
      after: "(2 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const MAX_KEY_DIGITS = 2 * 128 * 1024;",
      before: "128",
      after: "(128 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "const MAX_KEY_DIGITS = 2 * 128 * 1024;",
      before: "1024",
      after: "(1024 + 1)",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "if (key.length > MAX_KEY_DIGITS) return null;",
      before: ">",
      after: ">=",
    },
    {
      file: "devnode/ledger/state-store.ts",
      line: "if (key.length > MAX_KEY_DIGITS) return undefined;",
      before: ">",
      after: ">=",
    },
  ],
  "Shifts go in steps of seven: 28 is the last one within 32 bits.": [
    {
      file: "devnode/codec/bcs-reader.ts",
      line: "for (let shift = 0; shift < 32; shift += 7) {",
      before: "<",
      after: "<=",
    },
    {
      file: "devnode/codec/bcs-reader.ts",
      line: "for (let shift = 0; shift < 32; shift += 7) {",
      before: "32",
      after: "(32 + 1)",
    },
  ],
  "The smaller or greater of two equal values is either.": [
    {
      file: "devnode/vm/run-user-transaction.ts",
      line: 'const total = status.kind === "out_of_gas" || units > maxGasAmount ? maxGasAmount : units;',
      before: ">",
      after: ">=",
    },
    { file: "devnode/ledger/simulate.ts", line: "if (value < min) return min;", before: "<", after: "<=" },
    { file: "devnode/ledger/simulate.ts", line: "return value > max ? max : value;", before: ">", after: ">=" },
    {
      file: "devnode/vm/run-user-transaction.ts",
      line: "const io = use.ioUnits < total ? use.ioUnits : total;",
      before: "<",
      after: "<=",
    },
  ],
  "The size of a buffer in memory: a body is the same in other pieces.": [
    {
      file: "src/gateway/request/byte-stream.ts",
      line: "const [FIRST_CHUNK_BYTES, CHUNK_BYTES] = [16_384, 65_536];",
      before: "65_536",
      after: "(65536 + 1)",
    },
    {
      file: "src/gateway/request/byte-stream.ts",
      line: "const [FIRST_CHUNK_BYTES, CHUNK_BYTES] = [16_384, 65_536];",
      before: "16_384",
      after: "(16384 + 1)",
    },
  ],
  "A single part is never zero, so the figure changes with it.": [
    {
      file: "src/supply/unlock-events.ts",
      line: "if (parts.length > 0 || cumulative !== before)",
      before: "0",
      after: "(0 + 1)",
    },
  ],
  "Any bytes of a body may select the shard of its request, which is not a read.": [
    {
      file: "src/gateway/request/canonical-request.ts",
      line: "const step = Math.max(1, Math.floor(body.byteLength / SAMPLE_BYTES));",
      before: "1",
      after: "(1 + 1)",
    },
    {
      file: "src/gateway/request/canonical-request.ts",
      line: "const SAMPLE_BYTES = 32;",
      before: "32",
      after: "(32 + 1)",
    },
  ],
};
