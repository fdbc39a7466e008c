/** `codes create … --for "$UNSET"` was sent with the recipient "", and `codes show ""` asked the exchange for a code "". */
import { tmpdir } from 'node:os';
import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import type { CliIo } from '../../src/cli/command.ts';
import { callCli } from '../cli/call-cli.ts';

const AREAS = [
  'account',
  'codes',
  'fiat',
  'futures',
  'money',
  'overdraft',
  'p2p',
  'spot',
  'transfer',
  'wallet',
  'keys',
];

interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}

function leavesOf(command: Command, path: readonly string[]): readonly Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

function worded({ argChoices, long }: Pick<Option, 'argChoices'> & { readonly long?: string }): string {
  return argChoices?.[0] ?? (long === '--reason' ? 'why' : '1');
}

/** One call for each argument and option that takes a text, with "" there and something everywhere else. */
function callsOf({ path, command }: Leaf): readonly (readonly string[])[] {
  const { registeredArguments } = command;
  const words = registeredArguments.map((each) => worded({ argChoices: each.argChoices }));
  const taking = command.options.filter((option) => option.required);
  const needed = taking.filter((option) => option.mandatory);
  const given = (but?: Option): string[] =>
    needed.filter((option) => option !== but).map((option) => `${option.long}=${worded(option as never)}`);
  return [
    ...registeredArguments.map((_, at) => [...path, ...given(), '--', ...words.with(at, '')]),
    ...taking.map((option) => [...path, ...given(option), `${option.long}=`, '--', ...words]),
  ];
}

const io = { env: {}, cwd: tmpdir() } as unknown as CliIo;
const leaves = await Promise.all(AREAS.map(async (area) => leavesOf((await commands[area]!.load()).build(io), [area])));
const calls = leaves.flat().flatMap(callsOf);

it('an empty text is wrong usage in every argument and option of a money command', async () => {
  expect(calls.length).toBeGreaterThan(150);
  for (const argv of calls) {
    const { code, stderr } = await callCli(argv, tmpdir());
    expect([argv.join(' '), code]).toEqual([argv.join(' '), 2]);
    expect(stderr, argv.join(' ')).toMatch(/ is empty; is a variable of a script not set\?|'' is invalid/);
  }
});

it('a text that says something is not called empty', async () => {
  const { stderr } = await callCli(['codes', 'create', 'USDT', '1', '--for', 'bob'], tmpdir());
  expect(stderr).toContain('operation_needs_exchange');
});
