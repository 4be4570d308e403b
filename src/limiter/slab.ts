const PAGE_RECORDS = 1024;
const PAGE_BITS = 10;

/**
 * Records of a fixed number of 32-bit words in pages that are never copied, so that growth neither pauses nor doubles
 * the memory. Freed records are reused first. Word 0 of a freed record links the free list.
 */
export class Slab {
  readonly #words: number;
  #pages: Uint32Array[] = [];
  #used = 0;
  #firstFree = -1;

  constructor(words: number) {
    this.#words = words;
  }

  /** Returns a record's number; its words are not cleared. */
  allocate(): number {
    if (this.#firstFree !== -1) {
      const record = this.#firstFree;
      this.#firstFree = this.get(record, 0) | 0;
      return record;
    }
    if (this.#used === this.#pages.length * PAGE_RECORDS) this.#pages.push(new Uint32Array(PAGE_RECORDS * this.#words));
    return this.#used++;
  }

  free(record: number): void {
    this.set(record, 0, this.#firstFree);
    this.#firstFree = record;
  }

  get(record: number, word: number): number {
    return this.#pages[record >> PAGE_BITS]?.[(record & (PAGE_RECORDS - 1)) * this.#words + word] ?? 0;
  }

  set(record: number, word: number, value: number): void {
    const page = this.#pages[record >> PAGE_BITS];
    if (page !== undefined) page[(record & (PAGE_RECORDS - 1)) * this.#words + word] = value;
  }

  clear(): void {
    this.#pages = [];
    this.#used = 0;
    this.#firstFree = -1;
  }
}
