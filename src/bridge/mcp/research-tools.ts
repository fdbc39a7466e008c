/**
 * A backtest and a sweep, through the commands of the terminal. Each run is a trial of the ledger, whoever asks: many
 * tries make a good one likely by chance. The end of the data stays unseen, so that `validate` has something to judge by.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { methods } from '../../research/sweep/methods.ts';
import { bridgeErrors } from '../errors.ts';
import { runCli, type CliProgram } from './run-cli.ts';
import type { Tool } from './tool.ts';

const TRIALS_MAX = 1_000;
const DEFAULT_TRIALS = 50;

const path = z.string().min(1).max(500).regex(/^[^-]/, 'expected a path, not an option');
const ground = {
  strategy: path.describe('Strategy file, within the working folder'),
  data: z.array(path).min(1).max(16).describe('Recordings, tapes or folders of them, such as data/sample'),
  params: z.record(z.string().regex(/^\w+$/), z.union([z.string(), z.number(), z.boolean()])).default({}),
  from: z.string().max(40).optional().describe('ISO 8601 or Unix ms'),
  to: z.string().max(40).optional().describe('Exclusive'),
};
const backtestInput = z.object(ground);
const sweepInput = z.object({
  ...ground,
  space: z
    .record(z.string(), z.unknown())
    .describe(
      'As a space file: {"parameters": {"halfSpreadBps": {"from": 0.2, "to": 5}}, "objectives": [{"metric": "tradingPnl"}]}',
    ),
  method: z.enum(Object.keys(methods)).default('tpe'),
  trials: z.int().min(1).max(TRIALS_MAX).default(DEFAULT_TRIALS),
});

export function researchTools(program: CliProgram): readonly Tool[] {
  return [
    {
      name: 'backtest',
      about: 'Run a strategy over recorded data, without the unseen end. The run is counted in the trial ledger.',
      input: backtestInput.shape,
      isReadOnly: false,
      run: async (given, signal) => {
        const args = argsOf(program, backtestInput.parse(given));
        return JSON.stringify(await runCli(program, ['backtest', ...args, '--without-lockbox'], signal));
      },
    },
    {
      name: 'sweep',
      about: 'Search parameters of a strategy, without the unseen end. Each trial is counted in the trial ledger.',
      input: sweepInput.shape,
      isReadOnly: false,
      run: async (given, signal) => {
        const { space, method, trials, ...rest } = sweepInput.parse(given);
        const folder = await mkdtemp(join(tmpdir(), 'tidewire-space-'));
        try {
          const file = join(folder, 'space.yaml');
          // JSON is YAML.
          await writeFile(file, JSON.stringify(space), { mode: 0o600 });
          const args = [...argsOf(program, rest), '--space', file, '--method', method, '--trials', String(trials)];
          return JSON.stringify(await runCli(program, ['sweep', ...args], signal));
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    },
  ];
}

/** Throws `mcp_outside` for a strategy file outside the working folder. */
function argsOf(
  { cwd }: CliProgram,
  { strategy, data, params, from, to }: z.output<typeof backtestInput>,
): readonly string[] {
  const below = relative(cwd, resolve(cwd, strategy));
  if (below.startsWith('..') || isAbsolute(below))
    throw bridgeErrors.make('mcp_outside', `${strategy} is not within ${cwd}`);
  return [
    strategy,
    ...data.flatMap((each) => ['--data', each]),
    ...Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${String(value)}`]),
    ...(from === undefined ? [] : [`--from=${from}`]),
    ...(to === undefined ? [] : [`--to=${to}`]),
  ];
}
