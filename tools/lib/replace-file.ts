import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { EXIT, Refusal } from "./command-line.ts";
import { displayPath } from "./display-path.ts";

/** Writes one file as {@link replaceFiles} does. */
export function replaceFile(path: string, text: string): void {
  replaceFiles([[path, text]]);
}

/** File to be replaced as {@link replaceFilesIfUnchanged} does; undefined: it did not exist, or is to be removed. */
interface Replacement {
  readonly path: string;
  readonly read: string | undefined;
  readonly text: string | undefined;
}

/** Writes a file as {@link replaceFilesIfUnchanged} does. */
export function replaceFileIfUnchanged(path: string, read: string | undefined, text: string): void {
  replaceFilesIfUnchanged([{ path, read, text }]);
}

/** Replaces files only if none has changed since it was read, so that of two concurrent commands one fails. */
export function replaceFilesIfUnchanged(files: readonly Replacement[]): void {
  replaceFiles(
    files.map(({ path, text }) => [path, text]),
    () => {
      for (const { path, read } of files)
        if ((existsSync(path) ? readFileSync(path, "utf8") : undefined) !== read)
          throw new Refusal([`${displayPath(path)}: changed meanwhile; run the command again`]);
    },
  );
}

/**
 * Writes files. Unchanged ones are left alone, so that watchers do not reload. The others are replaced atomically, once
 * all could be written beside their targets. A link stays a link: the file that it names is replaced. A file without a
 * text is removed.
 */
export function replaceFiles(
  files: readonly (readonly [path: string, text: string | undefined])[],
  beforeReplacing: () => void = () => undefined,
): void {
  const drafts: { readonly path: string; readonly target: string; readonly draft: string }[] = [];
  try {
    for (const [path, text] of files)
      refusingWriteErrors(path, () => {
        const found = statSync(path, { throwIfNoEntry: false });
        const target = found === undefined ? path : realpathSync(path);
        if (text === undefined || (found !== undefined && readFileSync(target, "utf8") === text)) return;
        // A rename would also replace a file that its owner has made read-only.
        if (found !== undefined) accessSync(target, constants.W_OK);
        const draft = `${target}.${process.pid}`;
        drafts.push({ path, target, draft });
        writeFileSync(draft, text, { mode: found?.mode ?? 0o666 });
      });
    beforeReplacing();
    for (const { path, target, draft } of drafts) refusingWriteErrors(path, () => renameSync(draft, target));
    for (const [path, text] of files)
      if (text === undefined) refusingWriteErrors(path, () => rmSync(path, { force: true }));
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}

/** Runs `write`. An error of the system becomes a refusal with one line about the file, without a stack. */
export function refusingWriteErrors(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    const why = cause.message.split(",", 1)[0];
    throw new Refusal([`${displayPath(path)}: cannot be written (${why})`], EXIT.unusable);
  }
}
