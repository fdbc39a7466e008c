/**
 * The command line as a function (cli.md): finds the command, loads its file alone, runs it and tells the exit code. A
 * command's file is loaded only when it is called, so that `--help` and short commands start fast. Called by `main.ts`
 * with the process, by tests with an `io` of their own.
 */
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { reportError, type CliIo } from './command.ts';
import type { ErrorDocument } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { commands } from './command-table.ts';

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const USAGE_HINT = '  See `tidewire COMMAND --help`.';

/** What commander itself says: help, and what is wrong with a call. */
function outputOf({ out, err }: CliIo): { writeOut: (text: string) => void; writeErr: (text: string) => void } {
  return { writeOut: out, writeErr: err };
}

function program(io: CliIo): Command {
  const root = new Command('tidewire')
    .description('Algorithmic trading bots: one strategy file for backtest, paper and live.')
    .version(version(), '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError(USAGE_HINT)
    .exitOverride()
    .configureOutput(outputOf(io))
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire paper strategies/spread-maker.ts --for 30s\n\n`tidewire COMMAND --help` shows the options of a command.',
    );
  return root;
}

/** `close <symbol>`: that every command has options is no news, and takes the width of what it does. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

/** Every command inherits usage errors as exceptions, so that the exit code is ours. */
function adopt(command: Command, io: CliIo): Command {
  command.exitOverride().configureHelp({ subcommandTerm }).configureOutput(outputOf(io));
  command.showSuggestionAfterError().showHelpAfterError(USAGE_HINT);
  if (command.commands.length === 0 && !command.options.some((option) => option.long === '--json')) {
    command.option('--json', 'print one JSON document on stdout');
  }
  for (const child of command.commands) adopt(child, io);
  return command;
}

/** The command that is meant, down through its subcommands. */
function meant(command: Command, argv: readonly string[]): Command {
  const child = argv
    .map((name) => command.commands.find((each) => each.name() === name))
    .find((each) => each !== undefined);
  return child === undefined ? command : meant(child, argv);
}

/** Flags that are not known, beside an option that is missing: often it is there, misspelt. Empty when there is none. */
function misspelt(root: Command, argv: readonly string[]): string {
  const known = ['--help', ...meant(root, argv).options.flatMap(({ long }) => (long === undefined ? [] : [long]))];
  const unknown = argv
    .map((text) => text.split('=')[0] ?? '')
    .filter((text) => /^--\w/.test(text) && !known.includes(text));
  return unknown
    .map((flag) => ({ flag, near: nearest(flag, known, 1)[0] }))
    .map(({ flag, near }) => `unknown option '${flag}'${near === undefined ? '' : ` (Did you mean ${near}?)`}`)
    .join('; ');
}

/** What commander has said on stderr, for readers of `--json`. */
function usageDocument({ message }: CommanderError, misspeltFlags: string): ErrorDocument {
  const text = [message.replace(/^error: /, ''), misspeltFlags].filter((part) => part !== '').join('; ');
  return { error: { code: 'usage', message: text, hint: USAGE_HINT.trim() } };
}

/** Never rejects: what went wrong is printed and told through `io.exit`. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<void> {
  const root = program(io);
  const wanted = argv.find((argument) => !argument.startsWith('-'));
  const row = wanted !== undefined && Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
  for (const [name, { summary }] of Object.entries(commands)) {
    if (name !== wanted) root.command(name).description(summary);
  }
  if (row?.computes !== true) void io.interrupted;
  if (row?.mustGoOn === true) io.neverWait?.();
  try {
    if (row !== undefined) root.addCommand(adopt((await row.load()).build(io), io));
    await root.parseAsync([...argv], { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      const more = thrown.code.startsWith('commander.missing') ? misspelt(root, argv) : '';
      if (more !== '') io.err(`${more}\n`);
      if (thrown.exitCode !== 0 && argv.includes('--json')) io.out(`${JSON.stringify(usageDocument(thrown, more))}\n`);
      io.exit(thrown.exitCode === 0 ? 0 : 2);
      return;
    }
    reportError(io, thrown, argv.includes('--json'));
  }
}
