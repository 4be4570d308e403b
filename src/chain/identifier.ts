/** A module, function, struct or field name of Move: a letter, or `_` and at least one more character. */
const IDENTIFIER = /^(?:[A-Za-z]|_(?=.))[A-Za-z0-9_]*$/;

/** The virtual machine rejects longer names. */
const MAX_CHARACTERS = 255;

export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}
