import { isIP } from "node:net";
import { EXIT, parseCommandLine, parseSettings, Refusal } from "../lib/command-line.ts";

/** Options of `npm start`. */
export interface StartOptions {
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Folder of the persistent state; undefined: the default folder of this checkout. */
  readonly state: string | undefined;
  /** Whether to delete the stored state and begin a new chain. */
  readonly isFresh: boolean;
}

const DEFAULT_PORT = "8787";
const DEFAULT_HOST = "127.0.0.1";
export const HELP = `usage: npm start -- [--port N] [--host ADDRESS] [--state FOLDER] [--fresh] [--var NAME:VALUE]...
  --port N            port to listen on (default ${DEFAULT_PORT})
  --host ADDRESS      address to listen on (default ${DEFAULT_HOST}); 0.0.0.0 or :: in a container, for every caller who reaches it;
                      each is limited by the address of its connection: behind a proxy give --var CLIENT_IP_HEADER:NAME
  --state FOLDER      where the development chain is stored (default .wrangler/state/start)
  --fresh             delete the stored chain and every stored figure first
  --var NAME:VALUE    any setting of docs/configuration.md or devnode/wrangler.toml, for this start`;

const OPTIONS = {
  port: { type: "string", default: DEFAULT_PORT },
  host: { type: "string", default: DEFAULT_HOST },
  state: { type: "string" },
  fresh: { type: "boolean", default: false },
  var: { type: "string", multiple: true },
} as const;

/** Parses the command line; throws a Refusal with all problems. */
export function parseArguments(args: string[]): StartOptions {
  const { port, host, state, fresh, var: pairs = [] } = parseCommandLine(HELP, { args, options: OPTIONS }).values;
  const { settings: vars, problems } = parseSettings(pairs);
  if (state === "") problems.unshift("--state takes a folder");
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    problems.unshift(`--port takes a number from 1 to 65535, not ${JSON.stringify(port)}`);
  if (isIP(host) === 0)
    problems.unshift(`--host takes an address, such as 0.0.0.0 or ::1, not ${JSON.stringify(host)}`);
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  return { host, port: Number(port), vars, state, isFresh: fresh };
}
