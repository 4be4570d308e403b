import { codeParts } from "../view/format.ts";
import { bdi as bdiOf, swatch as swatchOf } from "../view/markup.ts";
import { elementOf, make } from "./elements.ts";

type Child = Node | string;
type Attributes = Readonly<Record<string, string | number>>;

/** Maker of elements whose type follows from their name. */
type Maker<Elements> = <K extends keyof Elements>(
  tag: K,
  attributes?: Attributes,
  ...children: readonly Child[]
) => Elements[K];

/** Makes an HTML element. */
export const h = make as Maker<HTMLElementTagNameMap>; // of the tag's name
/** Makes an SVG element. */
export const svg = make as Maker<SVGElementTagNameMap>; // of the tag's name

export const bdi = (text: string): Element => elementOf(bdiOf(text));
export const swatch = (color: string): Element => elementOf(swatchOf(color));

const controlsIn = (place: Element | null | undefined): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>("a, button, summary") ?? []),
];

/** Replaces elements. The focus stays at the same control of the nearest element with an id. */
export function keepFocus(replace: () => void): void {
  const { activeElement: focused } = document;
  const id = focused?.closest("[id]")?.id ?? "";
  const index = controlsIn(document.getElementById(id)).indexOf(focused as HTMLElement); // or none: -1
  replace();
  controlsIn(document.getElementById(id))[index]?.focus({ preventScroll: true });
}

/** Moves the focus to a row that a button has shown, because that button may be gone. */
export function focusRow(row: Element | null | undefined): void {
  const [control] = controlsIn(row);
  if (control === undefined) row?.setAttribute("tabindex", "-1");
  (control ?? (row as HTMLElement | null))?.focus({ preventScroll: true });
}

/** Makes a short warning, to stand beside its subject. */
export function mark(text: string): HTMLElement {
  return h("span", { class: "mark" }, text);
}

/** Makes a button with its action. */
export function button(label: string, onClick: (self: HTMLButtonElement) => void): HTMLButtonElement {
  const element = h("button", { type: "button" }, label);
  element.addEventListener("click", () => onClick(element));
  return element;
}

/** Displays a short message on a button, then its label again. */
export function flash(element: HTMLElement, message: string): void {
  element.dataset["label"] ??= element.textContent ?? "";
  element.textContent = message;
  const label = element.dataset["label"];
  setTimeout(() => {
    element.textContent = label;
  }, 1_500);
}

/** Copies a text, and reports on the button whether the browser allowed it. */
export function copy(text: string, source: HTMLElement): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  done.then(
    () => flash(source, "Copied"),
    () => flash(source, "Select and copy"),
  );
}

/** Adds a button that copies an address, or the whole link that it leads to. */
export function withCopy<T extends Element>(address: T, text = address.textContent ?? ""): T {
  address.append(
    " ",
    button("Copy", (self) => copy(text, self)),
  );
  return address;
}

/** Displays code whose lines may break between its parts. */
export function showCode(code: HTMLElement, text: string): void {
  code.replaceChildren(
    ...codeParts(text).flatMap<Child>((part) => (part === "\n" ? [part] : [h("span", {}, part), h("wbr")])),
  );
}
