/** The command line of `npm start`. */
export interface StartOptions {
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Folder of the persistent state; null: the default folder of this checkout. */
  readonly state: string | null;
}

export type StartArguments =
  | { readonly kind: "options"; readonly options: StartOptions }
  | { readonly kind: "help" }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const DEFAULT_PORT = 8787;
export const USAGE = "usage: npm start -- [--port N] [--state FOLDER] [--var NAME:VALUE]...";
export const HELP = `${USAGE}
  --port N            port to listen on (default ${DEFAULT_PORT})
  --state FOLDER      where the development chain is stored (default .wrangler/state/start; delete it for a new chain)
  --var NAME:VALUE    any setting of wrangler.toml or devnode/wrangler.toml, for this start`;

/** Parses the command line; reports all problems. */
export function parseArguments(words: readonly string[]): StartArguments {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const problems: string[] = [];
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
        problems.push(`--port takes a number from 1 to 65535, not ${JSON.stringify(value ?? "")}`);
    } else if (flag === "--var") {
      const [name = "", setting] = splitOnce(value ?? "", ":");
      if (name === "" || setting === undefined)
        problems.push(`--var takes NAME:VALUE, not ${JSON.stringify(value ?? "")}`);
      else vars[name] = setting;
    } else if (flag === "--state") {
      if (value === undefined || value === "") problems.push("--state takes a folder");
      else state = value;
    } else {
      problems.push(`${flag} is not an option; ${USAGE}`);
    }
  }
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "options", options: { port, vars, state } };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
