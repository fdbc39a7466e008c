/**
 * The entry of the command line: gives the process to `program.ts` and sets the exit code. What Node makes of the source
 * files is kept for the next start, beside the packages, where nobody else can write.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { CliIo } from './command.ts';
import { cliErrors } from './errors.ts';
import { Outlet } from './outlet.ts';
import { printable } from './printable.ts';
import { runCli } from './program.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** A second signal within this time is the same one, sent by the terminal and by the launcher. */
const SAME_SIGNAL_MS = 1000;

let onSecondSignal = (): void => process.exit(1);

function interruption(): Promise<string> {
  return new Promise((resolve) => {
    let first = 0;
    // SIGHUP: the terminal was closed; a session takes back its orders then, too. SIGUSR2 would end it without a word.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (first !== 0 && now - first > SAME_SIGNAL_MS) onSecondSignal();
        if (first === 0) first = now;
        resolve(signal);
      });
    }
    // Started by a launcher on an older Node (bin/tidewire.js): its end, even by kill -9, is ours.
    process.on('disconnect', () => resolve('disconnect'));
    process.channel?.unref();
  });
}

/** How long open handles may keep the process after its command ended. */
const DRAIN_MS = 3000;

const NOT_OURS = `warn this terminal belongs to another user: while it does not read, this process stands still
  Redirect stdout and stderr to files, or log in as the user that runs this.\n`;

function processIo(): CliIo {
  const err = new Outlet(process.stderr);
  const out = new Outlet(process.stdout, (reason) => {
    const { code, message, remedy } = cliErrors.make('not_printed', `stdout could not be written: ${reason}`);
    err.write(`error ${code}: ${message}\n  ${remedy}\n`);
  });
  // A result that nobody can have is no success; what was lost on stderr changes nothing.
  process.on('exit', (code) => {
    if (code === 0 && out.failed) process.exitCode = cliErrors.rows.not_printed.exit;
  });
  let interrupted: Promise<string> | undefined;
  let terminal: Terminal | undefined;
  let waits = true;
  return {
    out: (text) => out.write(printable(text)),
    err: (text) => err.write(printable(text)),
    neverWait: () => {
      waits = false;
      if ([out, err].map((outlet) => outlet.neverWait()).includes(false)) err.write(NOT_OURS);
    },
    isTty: process.stdout.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
    // Stdin is touched by commands that ask, and by no other.
    get terminal() {
      return (terminal ??= createTerminal(process.stdin, process.stderr, this.interrupted));
    },
    get interrupted() {
      return (interrupted ??= interruption());
    },
    exit: (code) => {
      process.exitCode = code;
      const end = async (): Promise<void> => {
        // A pager may take its time; who has asked for the end has not.
        const flushed = Promise.all([out.flushed(), err.flushed()]);
        if (waits) await Promise.race(interrupted === undefined ? [flushed] : [flushed, interrupted]);
        process.exit();
      };
      setTimeout(() => void end(), DRAIN_MS).unref();
    },
    onSecondSignal: (run) => {
      onSecondSignal = run;
    },
  };
}

// Node opens its inspector on this signal, to whoever may send it; the process that it would show holds keys.
process.on('SIGUSR1', () => {});
// Where Node writes reports of crashes (`--report-…`), they hold the environment, and that holds keys (INV-X1).
if (process.report !== undefined) process.report.excludeEnv = true;
// Harmless where the folder cannot be written to.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/tidewire', import.meta.url)));
await runCli(process.argv.slice(2), processIo());
