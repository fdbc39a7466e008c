/** A backtest by columns and the plain one: what each of them says, without what the machine says of its speed. */
import { join, resolve } from 'node:path';
import { silentLogger } from '../../../src/model/ports.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { loadConfig } from '../../../src/session/config/load.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface BothRun {
  readonly strategy: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Dotted path of the configuration → value. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly repeat?: number;
}

async function said(data: string, { strategy, params = {}, flags = {}, ...run }: BothRun, plain: boolean) {
  const strategies = await prepareStrategies({ file: join(ROOT, strategy), params, entries: [] });
  const { config } = loadConfig({ file: null, environment: {}, flags });
  const actions: string[] = [];
  const { result, failures } = await backtest({
    config,
    strategies,
    data: [data],
    seed: 7,
    repeat: 1,
    ...run,
    logger: silentLogger,
    plain,
    onActions: (ts, tag, made) => void actions.push(`${ts} ${tag} ${JSON.stringify(made)}`),
  });
  const { loadMs: _load, wallMs: _wall, eventsPerSecond: _speed, ...rest } = result;
  return { fills: result.fills.length, text: JSON.stringify([rest, actions, [...failures.keys()]], null, 1) };
}

export async function bothReplays(data: string, run: BothRun) {
  return { columns: await said(data, run, false), plain: await said(data, run, true) };
}
