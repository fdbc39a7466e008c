/**
 * What every command file shares: where it prints and how it ends. A command file exports `build(io)`, a commander
 * `Command` whose action is wrapped by `action(io, run)`: the run's result is printed as one JSON document with
 * `--json`, as text otherwise; an error becomes a message on stderr and an exit code (cli.md).
 */
import type { Command } from 'commander';
import { errorDocument, isTidewireError, messageOf, type ErrorDocument } from '../model/errors.ts';
import type { Terminal } from './terminal.ts';

export interface CliIo {
  /** One document or text on stdout. */
  readonly out: (text: string) => void;
  /** Logs, warnings, prompts and errors. */
  readonly err: (text: string) => void;
  /** True when stdout is a terminal: colours, live screens and progress bars are allowed. */
  readonly isTty: boolean;
  /** Where a person can be asked; without it nobody can. */
  readonly terminal?: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Resolves on the first SIGINT, SIGTERM or SIGHUP. Until it is asked for, a signal ends the process. */
  readonly interrupted: Promise<string>;
  readonly exit: (code: number) => void;
  /** What a second signal does from here on; without it the process ends, whatever it is doing. */
  readonly onSecondSignal?: (run: () => void) => void;
  /** From here on a terminal or pipe that nobody reads must not hold the command up: lines are dropped instead. */
  readonly neverWait?: () => void;
}

/** What an action answers: data for `--json` and text for people; `exit` when it is not 0. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  readonly exit?: number;
}

export type BuildCommand = (io: CliIo) => Command;

/** Wraps a command's work; the last argument commander hands over is the Command, the one before it the options. */
export function action<Args extends unknown[]>(
  io: CliIo,
  run: (...args: Args) => Promise<CommandResult>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const command = args[args.length - 1] as Command;
    const json = command.optsWithGlobals<{ json?: boolean }>().json === true;
    try {
      const result = await run(...args);
      if (json) io.out(`${JSON.stringify(result.json)}\n`);
      else if (result.text !== '') io.out(result.text.endsWith('\n') ? result.text : `${result.text}\n`);
      io.exit(result.exit ?? 0);
    } catch (thrown) {
      reportError(io, thrown, json);
    }
  };
}

/** Prints what, where, why and what to do; answers through `io.exit`. */
export function reportError(io: CliIo, thrown: unknown, json: boolean): void {
  if (!isTidewireError(thrown)) {
    const text = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
    io.err(`error internal: ${text}\n  This is a bug in tidewire. Please report it with the lines above.\n`);
    const document: ErrorDocument = { error: { code: 'internal', message: messageOf(thrown) } };
    if (json) io.out(`${JSON.stringify(document)}\n`);
    io.exit(1);
    return;
  }
  io.err(`error ${thrown.code}: ${thrown.message}\n  ${thrown.remedy}\n`);
  if (json) io.out(`${JSON.stringify(errorDocument(thrown))}\n`);
  io.exit(thrown.exit);
}
