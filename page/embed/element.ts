import type { Reading, Source } from "./source.ts";
import { sourceLink } from "./source-link.ts";

/**
 * An element that displays one text from the API, and its source beside it. Its own content is the fallback: it stays
 * until a value arrives, and returns when there is none. The state is in the attributes `loading`, `stale` and `failed`.
 */
export abstract class TextElement<T> extends HTMLElement {
  /**
   * Member of `/api/page` that the element shows. No attribute has this name: a framework sets an attribute as the
   * property of its name.
   */
  abstract readonly pageMember: Source<T>;
  /** The text for a document; null: no such product or figure, which is logged to the console. */
  abstract textOf(value: T): { readonly text: string; readonly title: string; readonly isStale?: boolean } | null;

  #fallback: readonly Node[] | undefined;
  #unsubscribe: (() => void) | undefined;
  #last: Reading<T> | undefined;
  #warned = "";
  readonly #source = document.createElement("small");
  readonly #linkOf = sourceLink();

  connectedCallback(): void {
    this.#fallback ??= [...this.childNodes];
    // The source is no content of the element, so the text stays the figure alone.
    if (this.shadowRoot === null)
      this.attachShadow({ mode: "open" }).append(document.createElement("slot"), this.#source);
    this.toggleAttribute("loading", this.#last === undefined);
    this.#unsubscribe = this.pageMember.subscribe((reading) => this.#show(reading));
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
    this.#showSource(found !== null && reading.kind === "value" ? reading.asOfMs : undefined);
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

  /** Shows whose figure it is and of which day, in a place of its own. */
  #showSource(asOfMs: number | undefined): void {
    const isShown = asOfMs !== undefined && this.getAttribute("source") !== "none";
    const content = isShown ? [" ", this.#linkOf(asOfMs)] : [];
    // A link that is not moved keeps the reader's focus.
    if (content.length !== this.#source.childNodes.length) this.#source.replaceChildren(...content);
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
    const text = `<${this.localName}${attributes.map(({ name, value }) => ` ${name}="${value}"`).join("")}>: ${this.pageMember.member} has no such value; the fallback content stays.`;
    if (this.#warned !== text) console.warn(text);
    this.#warned = text;
  }
}
