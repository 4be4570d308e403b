/** What `npm start` was asked for. */
export interface StartOptions {
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Folder for what must survive a restart; null: wrangler's own. */
  readonly state: string | null;
}

export type StartArguments =
  | { readonly kind: "options"; readonly options: StartOptions }
  | { readonly kind: "faults"; readonly faults: readonly string[] };

const DEFAULT_PORT = 8787;
export const USAGE = "usage: npm start -- [--port N] [--state FOLDER] [--var NAME:VALUE]...";

/** Reads the command line; every fault is named, not just the first. */
export function parseArguments(words: readonly string[]): StartArguments {
  const faults: string[] = [];
  const vars: Record<string, string> = {};
  let port = DEFAULT_PORT;
  let state: string | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const [flag = "", inline] = splitOnce(words[index] ?? "", "=");
    const value = inline ?? words[index + 1];
    if (inline === undefined) index += 1;
    if (flag === "--port") {
      port = Number(value);
      if (!/^\d{1,5}$/.test(value ?? "") || port < 1 || port > 65_535)
        faults.push(`--port takes a number from 1 to 65535, not ${JSON.stringify(value ?? "")}`);
    } else if (flag === "--var") {
      const [name = "", setting] = splitOnce(value ?? "", ":");
      if (name === "" || setting === undefined)
        faults.push(`--var takes NAME:VALUE, not ${JSON.stringify(value ?? "")}`);
      else vars[name] = setting;
    } else if (flag === "--state") {
      if (value === undefined || value === "") faults.push("--state takes a folder");
      else state = value;
    } else {
      faults.push(`${flag} is not an option; ${USAGE}`);
    }
  }
  return faults.length > 0 ? { kind: "faults", faults } : { kind: "options", options: { port, vars, state } };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
