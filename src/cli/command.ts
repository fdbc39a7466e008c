/**
 * What command files share. Each exports `build(io)`, a commander `Command` with an action of `action(io, run)`.
 * Results are JSON with `--json`, else text; errors go to stderr with an exit code.
 */
import type { Command } from 'commander';
import { errorDocument, isTidewireError, messageOf, type ErrorDocument } from '../model/errors.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface CliIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** From here on stdout is for `out` alone: what strategies print goes to stderr. */
  readonly keepAlone?: () => void;
  /** True when stdout is a terminal: allows colours, screens and progress bars. */
  readonly isTty: boolean;
  /** Absent without a terminal. */
  readonly terminal?: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Resolves on the first SIGINT, SIGTERM or SIGHUP. Reading it disables the default end. */
  readonly interrupted: Promise<string>;
  readonly exit: (code: number) => void;
  /** Handles a second signal; by default the process ends. */
  readonly onSecondSignal?: (run: () => void) => void;
  /** From here on, output to a blocked reader is dropped. */
  readonly neverWait?: () => void;
}

/** Data for `--json` and text for people; `exit` when not 0. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  readonly exit?: number;
}

export type BuildCommand = (io: CliIo) => Command;

const EXIT_UNCERTAIN = 4;
const ends = new WeakMap<CliIo, ((isShown: boolean) => void)[]>();

/** `run` is called once, when the command's result has been shown. False: an error in its place leaves it uncertain. */
export function onceShown(io: CliIo, run: (isShown: boolean) => void): void {
  const runs = ends.get(io);
  if (runs === undefined) ends.set(io, [run]);
  else runs.push(run);
}

/** Everything so far is shown. */
export function shown(io: CliIo, isShown = true): void {
  for (const run of ends.get(io)?.splice(0) ?? []) run(isShown);
}

/** Commander's last argument is the Command, the one before it the options. */
export function action<Args extends unknown[]>(
  io: CliIo,
  run: (...args: Args) => Promise<CommandResult>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const command = args[args.length - 1] as Command;
    const json = command.optsWithGlobals<{ json?: boolean }>().json === true;
    if (json) io.keepAlone?.();
    try {
      const result = await run(...args);
      if (json) io.out(`${JSON.stringify(result.json)}\n`);
      else if (result.text !== '') io.out(result.text.endsWith('\n') ? result.text : `${result.text}\n`);
      shown(io);
      io.exit(result.exit ?? 0);
    } catch (thrown) {
      reportError(io, thrown, json);
      shown(io, isTidewireError(thrown) && thrown.exit !== EXIT_UNCERTAIN);
    }
  };
}

/** Throws what is no tidewire error. */
export function sayError(io: CliIo, thrown: unknown, more?: string): void {
  if (!isTidewireError(thrown)) throw thrown;
  io.err(`error ${thrown.code}: ${thrown.message}\n  ${thrown.remedy}\n${more === undefined ? '' : `${more}\n`}`);
}

/** Prints the error with advice; exits by `io.exit`. */
export function reportError(io: CliIo, thrown: unknown, json: boolean): void {
  if (!isTidewireError(thrown)) {
    const text = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
    io.err(`error internal: ${text}\n  This is a bug in tidewire. Please report it with the lines above.\n`);
    const document: ErrorDocument = { error: { code: 'internal', message: messageOf(thrown) } };
    if (json) io.out(`${JSON.stringify(document)}\n`);
    io.exit(1);
    return;
  }
  sayError(io, thrown);
  if (json) io.out(`${JSON.stringify(errorDocument(thrown))}\n`);
  io.exit(thrown.exit);
}
