type Child = Node | string;
type Attributes = Readonly<Record<string, string>>;

/** One element with its attributes and children. Text is only ever text: nothing here parses HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The element with this id, which the page's HTML has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** Replaces what a panel shows and tells assistive technology that it is no longer busy. */
export function show(panel: HTMLElement, ...children: readonly Child[]): void {
  panel.replaceChildren(...children);
  panel.setAttribute("aria-busy", "false");
}

/** Says why a panel has no figures. */
export function showFailure(panel: HTMLElement, message: string): void {
  show(panel, h("p", { class: "failure", role: "status" }, message));
}
