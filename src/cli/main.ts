/** The entry of the command line: runs `program.ts` on the process. */
import type { CliIo } from './command.ts';
import { cliErrors } from './errors.ts';
import { Outlet } from './terminal/outlet.ts';
import { printable } from './terminal/printable.ts';
import { runCli } from './program.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';

/** Within this time a second signal is the first again, from terminal and launcher. */
const SAME_SIGNAL_MS = 1000;

let onSecondSignal = (): void => process.exit(1);

function interruption(): Promise<string> {
  return new Promise((resolve) => {
    let first = 0;
    // SIGHUP: the terminal closed; a session cancels its orders. SIGUSR2 would end it without that.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (first !== 0 && now - first > SAME_SIGNAL_MS) onSecondSignal();
        if (first === 0) first = now;
        resolve(signal);
      });
    }
    // The launcher (bin/tidewire.js) ended, even by kill -9.
    process.on('disconnect', () => resolve('disconnect'));
    process.channel?.unref();
  });
}

/** Limit for open handles after the command ended. */
const DRAIN_MS = 3000;

const NOT_OURS = `warn this terminal belongs to another user: while it does not read, this process stands still
  Redirect stdout and stderr to files, or log in as the user that runs this.\n`;

function processIo(): CliIo {
  const err = new Outlet(process.stderr);
  const out = new Outlet(process.stdout, (reason) => {
    const { code, message, remedy } = cliErrors.make('not_printed', `stdout could not be written: ${reason}`);
    err.write(`error ${code}: ${message}\n  ${remedy}\n`);
  });
  // A lost result on stdout is a failure; lost stderr is not.
  process.on('exit', (code) => {
    if (code === 0 && out.failed) process.exitCode = cliErrors.rows.not_printed.exit;
  });
  let interrupted: Promise<string> | undefined;
  let terminal: Terminal | undefined;
  let waits = true;
  return {
    out: (text) => out.write(printable(text)),
    err: (text) => err.write(printable(text)),
    keepAlone: () => out.keepAlone(err),
    neverWait: () => {
      waits = false;
      if ([out, err].map((outlet) => outlet.neverWait()).includes(false)) err.write(NOT_OURS);
    },
    isTty: process.stdout.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
    // Only commands that ask open stdin.
    get terminal() {
      return (terminal ??= createTerminal(process.stdin, process.stderr, this.interrupted));
    },
    get interrupted() {
      return (interrupted ??= interruption());
    },
    exit: (code) => {
      process.exitCode = code;
      const end = async (): Promise<void> => {
        // A slow pager is waited for, except after a signal.
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

// SIGUSR1 would open Node's inspector to a process with keys.
process.on('SIGUSR1', () => {});
// Crash reports (`--report-…`) must not hold the environment with its keys.
if (process.report !== undefined) process.report.excludeEnv = true;
await runCli(process.argv.slice(2), processIo());
