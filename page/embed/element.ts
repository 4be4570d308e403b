import type { Reading, Source } from "./source.ts";

/**
 * An element that displays one text from the API. Its own content is the fallback: it stays until a value arrives, and
 * returns when there is none. The state is in the attributes `loading`, `stale` and `failed`.
 */
export abstract class TextElement<T> extends HTMLElement {
  abstract readonly source: Source<T>;
  /** The text for a document; null: no such product or figure, which is logged to the console. */
  abstract textOf(value: T): { readonly text: string; readonly title: string; readonly isStale?: boolean } | null;

  #fallback: readonly Node[] | undefined;
  #unsubscribe: (() => void) | undefined;
  #last: Reading<T> | undefined;
  #warned = "";

  connectedCallback(): void {
    this.#fallback ??= [...this.childNodes];
    this.toggleAttribute("loading", this.#last === undefined);
    this.#unsubscribe = this.source.subscribe((reading) => this.#show(reading));
  }

  disconnectedCallback(): void {
    this.#unsubscribe?.();
  }

  attributeChangedCallback(): void {
    if (this.#last !== undefined) this.#show(this.#last);
  }

  #show(reading: Reading<T>): void {
    this.#last = reading;
    this.removeAttribute("loading");
    const found = reading.kind === "value" ? this.#textOf(reading.value) : null;
    this.toggleAttribute("failed", found === null);
    this.toggleAttribute(
      "stale",
      found !== null && (found.isStale === true || (reading.kind === "value" && reading.isStale)),
    );
    if (found === null) {
      this.replaceChildren(...(this.#fallback ?? []));
      this.removeAttribute("title");
    } else {
      if (this.textContent !== found.text) this.replaceChildren(found.text);
      this.title = found.title;
    }
  }

  /** Text of a document; null when the document lacks a member that the text needs, or has no figure. */
  #textOf(value: T): ReturnType<typeof this.textOf> {
    try {
      const found = this.textOf(value);
      if (found === null) this.#warn();
      return found;
    } catch {
      return null;
    }
  }

  #warn(): void {
    const attributes = [...this.attributes].filter(
      ({ name }) => !["loading", "stale", "failed", "title"].includes(name),
    );
    const text = `<${this.localName}${attributes.map(({ name, value }) => ` ${name}="${value}"`).join("")}>: ${this.source.member} has no such value; the fallback content stays.`;
    if (this.#warned !== text) console.warn(text);
    this.#warned = text;
  }
}
