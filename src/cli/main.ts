/**
 * The entry of the command line (cli.md): finds the command, loads its file alone, runs it and sets the exit code.
 * A command's file is loaded only when it is called, so that `--help` and short commands start fast; what Node makes of
 * the source files is kept for the next start, beside the packages, where nobody else can write.
 */
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { reportError, type CliIo } from './command.ts';
import { commands } from './command-table.ts';
import { createTerminal, type Terminal } from './terminal.ts';

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A second signal within this time is the same one, sent by the terminal and by the launcher. */
const SAME_SIGNAL_MS = 1000;

function interruption(): Promise<string> {
  return new Promise((resolve) => {
    let first = 0;
    // SIGHUP: the terminal was closed; a session takes back its orders then, too.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (first !== 0 && now - first > SAME_SIGNAL_MS) process.exit(1);
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

/** A reader that went away (`| head`) is no error of ours, and no reason to drop a session. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}

function processIo(): CliIo {
  outliveReaders();
  const interrupted = interruption();
  let terminal: Terminal | undefined;
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTty: process.stdout.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
    // Stdin is touched by commands that ask, and by no other.
    get terminal() {
      return (terminal ??= createTerminal(process.stdin, process.stderr, interrupted));
    },
    interrupted,
    exit: (code) => {
      process.exitCode = code;
      setTimeout(() => process.exit(code), DRAIN_MS).unref();
    },
  };
}

function program(): Command {
  const root = new Command('tidewire')
    .description('Algorithmic trading bots: one strategy file for backtest, paper and live.')
    .version(version(), '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire paper strategies/spread-maker.ts --for 30s\n\n`tidewire COMMAND --help` shows the options of a command.',
    );
  return root;
}

/** Every command inherits usage errors as exceptions, so that the exit code is ours. */
function adopt(command: Command): Command {
  command.exitOverride().showSuggestionAfterError();
  if (command.commands.length === 0 && !command.options.some((option) => option.long === '--json')) {
    command.option('--json', 'print one JSON document on stdout');
  }
  for (const child of command.commands) adopt(child);
  return command;
}

/** What commander has said on stderr, for readers of `--json`. */
function usageDocument({ message }: CommanderError): object {
  const text = message.replace(/^error: /, '');
  return { error: { code: 'usage', message: text, remedy: 'See `tidewire COMMAND --help`.' } };
}

export async function main(argv: readonly string[], io: CliIo): Promise<void> {
  const root = program();
  const wanted = argv.find((argument) => !argument.startsWith('-'));
  const row = wanted !== undefined && Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
  for (const [name, { summary }] of Object.entries(commands)) {
    if (name !== wanted) root.command(name).description(summary);
  }
  try {
    if (row !== undefined) root.addCommand(adopt((await row.load()).build(io)));
    await root.parseAsync([...argv], { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode !== 0 && argv.includes('--json')) io.out(`${JSON.stringify(usageDocument(thrown))}\n`);
      io.exit(thrown.exitCode === 0 ? 0 : 2);
      return;
    }
    reportError(io, thrown, argv.includes('--json'));
  }
}

// Harmless where the folder cannot be written to.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/tidewire', import.meta.url)));
await main(process.argv.slice(2), processIo());
