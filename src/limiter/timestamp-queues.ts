import { Slab } from "./slab.ts";

// Words of a queue's record. The last three belong to the queue's user, so that one caller needs one record.
const [HEAD, TAIL, FIRST, COUNT] = [0, 1, 2, 3] as const;
export const [OLDER, NEWER, LATEST] = [4, 5, 6] as const;
const QUEUE_WORDS = 8;

// A block contains 15 stamps and the next block's number: 64 bytes. Most callers need one block, sixty stamps need
// four.
const BLOCK_STAMPS = 15;
const NEXT = BLOCK_STAMPS;

/** Many FIFO queues of 32-bit stamps. A queue allocates memory in blocks of 15 stamps. */
export class TimestampQueues {
  readonly records = new Slab(QUEUE_WORDS);
  readonly #blocks = new Slab(BLOCK_STAMPS + 1);

  /** Returns the number of a new, empty queue. */
  open(): number {
    const queue = this.records.allocate();
    const block = this.#blocks.allocate();
    this.records.set(queue, HEAD, block);
    this.records.set(queue, TAIL, block);
    this.records.set(queue, FIRST, 0);
    this.records.set(queue, COUNT, 0);
    return queue;
  }

  close(queue: number): void {
    const tail = this.records.get(queue, TAIL);
    for (let block = this.records.get(queue, HEAD); block !== tail; ) {
      const next = this.#blocks.get(block, NEXT);
      this.#blocks.free(block);
      block = next;
    }
    this.#blocks.free(tail);
    this.records.free(queue);
  }

  count(queue: number): number {
    return this.records.get(queue, COUNT);
  }

  /** The oldest stamp of a non-empty queue. */
  first(queue: number): number {
    return this.#blocks.get(this.records.get(queue, HEAD), this.records.get(queue, FIRST));
  }

  /** The stamp at `index` from the oldest; the queue must be longer than that. */
  at(queue: number, index: number): number {
    let offset = this.records.get(queue, FIRST) + index;
    let block = this.records.get(queue, HEAD);
    for (; offset >= BLOCK_STAMPS; offset -= BLOCK_STAMPS) block = this.#blocks.get(block, NEXT);
    return this.#blocks.get(block, offset);
  }

  push(queue: number, stamp: number): void {
    const count = this.records.get(queue, COUNT);
    const place = (this.records.get(queue, FIRST) + count) % BLOCK_STAMPS;
    let tail = this.records.get(queue, TAIL);
    if (place === 0 && count > 0) {
      const block = this.#blocks.allocate();
      this.#blocks.set(tail, NEXT, block);
      this.records.set(queue, TAIL, block);
      tail = block;
    }
    this.#blocks.set(tail, place, stamp);
    this.records.set(queue, COUNT, count + 1);
  }

  /** Drops the oldest stamp of a non-empty queue. */
  shift(queue: number): void {
    const count = this.records.get(queue, COUNT) - 1;
    const first = this.records.get(queue, FIRST) + 1;
    this.records.set(queue, COUNT, count);
    this.records.set(queue, FIRST, count === 0 ? 0 : first % BLOCK_STAMPS);
    if (count === 0 || first < BLOCK_STAMPS) return;
    const head = this.records.get(queue, HEAD);
    this.records.set(queue, HEAD, this.#blocks.get(head, NEXT));
    this.#blocks.free(head);
  }

  clear(): void {
    this.records.clear();
    this.#blocks.clear();
  }
}
