/** The command line as a function: loads and runs the called command only, for a fast start. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readFileSync } from 'node:fs';
import { reportError, type CliIo } from './command.ts';
import type { ErrorDocument } from '../model/errors.ts';
import { nearest } from '../model/text/nearest.ts';
import { commands } from './command-table.ts';

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const USAGE_HINT = '  See `tidewire COMMAND --help`.';

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

/** `close <symbol>`, without `[options]`, which every command has. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

/** Usage errors become exceptions, so that the exit code is ours. */
function adopt(command: Command, io: CliIo): Command {
  command.exitOverride().configureHelp({ subcommandTerm }).configureOutput(outputOf(io));
  command.showSuggestionAfterError().showHelpAfterError(USAGE_HINT);
  if (command.commands.length === 0 && !command.options.some((option) => option.long === '--json')) {
    command.option('--json', 'print one JSON document on stdout');
  }
  for (const option of command.options) if (option.long === '--reason') option.argParser(saidReason);
  for (const child of command.commands) adopt(child, io);
  return command;
}

/** An empty reason counts as none. */
function saidReason(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It says nothing: give the reason in words.');
  return text;
}

/** An unknown command must not show the general help. */
function withoutHelp(argv: readonly string[]): readonly string[] {
  return argv.filter((argument) => argument !== '--help' && argument !== '-h');
}

function meant(command: Command, argv: readonly string[]): Command {
  const child = argv
    .map((name) => command.commands.find((each) => each.name() === name))
    .find((each) => each !== undefined);
  return child === undefined ? command : meant(child, argv);
}

/** Unknown flags beside a missing option, which are often typing errors. */
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

function usageDocument({ message }: CommanderError, misspeltFlags: string): ErrorDocument {
  const text = [message.replace(/^error: /, ''), misspeltFlags].filter((part) => part !== '').join('; ');
  return { error: { code: 'usage', message: text, hint: USAGE_HINT.trim() } };
}

/** Never rejects: errors are printed and exit by `io.exit`. */
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
    const isUnknown = row === undefined && wanted !== undefined && wanted !== 'help';
    await root.parseAsync([...(isUnknown ? withoutHelp(argv) : argv)], { from: 'user' });
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
