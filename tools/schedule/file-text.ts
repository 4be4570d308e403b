const WIDTH = 120;

/** Writes a schedule file in the one layout that all commands use. */
export function scheduleFileText(file: object): string {
  return `${textOf(file, "", 0)}\n`;
}

/**
 * Writes a value on the rest of its line, of which `taken` characters are used. A value that is too long, or an object
 * that contains a list or an object, is broken over lines.
 */
function textOf(value: unknown, indent: string, taken: number): string {
  const line = oneLine(value);
  const isOpen = !Array.isArray(value) && Object.values(value ?? {}).some((member) => typeof member === "object");
  // The comparison leaves room for the comma behind the value.
  if (typeof value !== "object" || value === null || (!isOpen && indent.length + taken + line.length < WIDTH))
    return line;
  const inner = `${indent}  `;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const key = Array.isArray(value) ? "" : `${JSON.stringify(name)}: `;
    return member === undefined ? [] : [`\n${inner}${key}${textOf(member, inner, key.length)}`];
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}${members.join(",")}\n${indent}${close}`;
}

/** Writes JSON on one line, as in `[{ "kind": "cliff", "month": 3 }]`. Strings in JSON contain no line break. */
function oneLine(value: unknown): string {
  const lines = JSON.stringify(value, null, 1);
  return lines
    .replace(/(?<=\[)\n */g, "")
    .replace(/\n *(?=\])/g, "")
    .replace(/\n */g, " ");
}
