const WIDTH = 120;

/** The text of a schedule file, in the one form in which every command writes it. */
export function fileText(file: object): string {
  return `${textOf(file, "", 0)}\n`;
}

/** A value after `taken` characters of its line: on that line where it fits and no list is inside an object of it. */
function textOf(value: unknown, indent: string, taken: number): string {
  const line = oneLine(value);
  const isOpen = !Array.isArray(value) && Object.values(value ?? {}).some((member) => typeof member === "object");
  // After it stands a comma.
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

/** `[{ "kind": "cliff", "month": 3 }]`; no text of JSON has a line break inside a string. */
function oneLine(value: unknown): string {
  const lines = JSON.stringify(value, null, 1);
  return lines
    .replace(/(?<=\[)\n */g, "")
    .replace(/\n *(?=\])/g, "")
    .replace(/\n */g, " ");
}
