/** Name of a Move module, function, struct or field: a letter, or `_` with at least one more character. */
const IDENTIFIER = /^(?:[A-Za-z]|_(?=.))[A-Za-z0-9_]*$/;

/** Longest name that the virtual machine accepts. */
const MAX_CHARACTERS = 255;

export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}
