/**
 * All strategies of the library on paper together, in one process on the sandbox's market; then what that recorded is the
 * market with a perpetual for those that the samples have none for.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cases } from '../../docs/evidence/cases.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { documentOf, freshFolder, start, strategyFile, until } from '../e2e/cli.ts';
import { sessions } from '../e2e/session-view.ts';
import { isRunnable } from './runnable.ts';

interface Summary {
  readonly files: Readonly<Record<string, string>>;
}

const START_MS_MAX = 90_000;

/** Two that trade on the recording whatever the basis and the funding rate of its moment. */
const WITH_PERPETUAL = [
  ['basis', { enterBps: '-500', exitBps: '-501', everyMs: '100' }],
  ['funding-carry', { enterRate: '-1', exitRate: '-2', everySeconds: '0.1' }],
] as const;

it('all of them live together on paper, and those of a perpetual trade on what was recorded', async () => {
  const cwd = freshFolder();
  const runnable = cases.filter(({ name }) => isRunnable(name));
  const entries = runnable.map(({ name }) => `  - { file: ${strategyFile(name)}, limits: { p2p: true } }`);
  const accounts = 'account: { accounts: { p2p: { USDT: "1000" } } }';
  writeFileSync(join(cwd, 'all.yaml'), [accounts, 'strategies:', ...entries, ''].join('\n'));
  const paper = start(['paper', '--config', 'all.yaml', '--json'], { cwd });
  // Two dozen files are type-checked beside the start.
  const hasTraded = async () => (await sessions(cwd)).some(({ fills }) => fills > 5) || undefined;
  await until('some fills', hasTraded, () => paper.stderr, START_MS_MAX);
  const ended = await paper.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  const { files } = documentOf<Summary>(ended);

  for (const [name, params] of WITH_PERPETUAL) {
    const { result, failures } = await backtest({
      config: configSchema.parse({}),
      strategies: await prepareStrategies({ file: strategyFile(name), params, entries: [] }),
      data: [files['recording'] ?? ''],
      seed: 1,
      repeat: 1,
      logger: silentLogger,
    });
    expect([...failures.values()]).toEqual([]);
    expect(new Set(result.fills.map(({ symbol }) => symbol)), name).toEqual(new Set(['BTCUSDT', 'BTCUSDTPERP']));
    expect(result.denials).toEqual([]);
  }
});
