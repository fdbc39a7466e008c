/**
 * A backtest of ours as a peer among the peers, by the protocol of `turns.py`, for peers.ts.
 *
 * task: {"strategy": path, "data": path, "repeat", "params"}. `rows` are its events, `first` the seconds of the run before `rows` is
 * said, when V8 has compiled nothing yet. Loading and making the result are not measured.
 */
import { createInterface } from 'node:readline';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';

export interface OwnTask {
  readonly strategy: string;
  readonly data: string;
  readonly repeat: number;
  readonly params: Readonly<Record<string, string>>;
  /** For the name. */
  readonly form?: string;
}

const { config } = loadConfig({ file: null, environment: {} });

async function runOf({ strategy, data, repeat, params }: OwnTask): Promise<BacktestResult> {
  const strategies = await prepareStrategies({ file: strategy, params, entries: [] });
  return (await backtest({ config, strategies, data: [data], seed: 1, repeat, logger: silentLogger })).result;
}

function answer(message: Readonly<Record<string, string | number>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

let task: OwnTask | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (task === undefined) {
    task = JSON.parse(line) as OwnTask;
    const { events, orderCounts, wallMs } = await runOf(task);
    const times = task.repeat === 1 ? 'once' : `${task.repeat} times`;
    const first = wallMs / 1000;
    const form = task.form === undefined ? '' : ` ${task.form},`;
    answer({ version: `tidewire${form} ${times} through`, rows: events.total, orders: orderCounts.submitted, first });
  } else {
    answer({ seconds: (await runOf(task)).wallMs / 1000 });
  }
}
