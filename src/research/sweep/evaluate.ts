/** One trial: the strategy with these parameters over its part of the data. Called on worker threads. */
import { messageOf } from '../../model/errors.ts';
import { silentLogger } from '../../model/ports.ts';
import { backtest } from '../../session/backtest.ts';
import { prepareStrategies } from '../../session/strategies.ts';
import { createSystemClock } from '../../session/system-clock.ts';
import { trialOf } from '../ledger/trial.ts';
import type { Evaluate, Evaluation, Job, SweepGround } from './evaluation.ts';
import { metricsOf } from './metrics.ts';

export function evaluateOn(ground: SweepGround): Evaluate {
  const { config, data, shared, seed } = ground;
  const clock = createSystemClock();
  return async ({ params, fromMs, toMs, simulation }: Job): Promise<Evaluation> => {
    const started = clock.now();
    try {
      const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
      // Loaded anew each time: what a strategy keeps in its module must not leak from one trial into the next.
      const strategies = await prepareStrategies({
        file: ground.file,
        params: { ...ground.fixed, ...texts },
        entries: config.strategies,
      });
      const run = await backtest({
        config: simulation === undefined ? config : { ...config, simulation },
        strategies,
        data,
        ...(shared === null ? {} : { shared }),
        ...(fromMs === undefined ? {} : { fromMs }),
        ...(toMs === undefined ? {} : { toMs }),
        seed,
        repeat: 1,
        logger: silentLogger,
      });
      const [failure] = run.failures.values();
      if (failure !== undefined) return { kind: 'failed', reason: failure.message };
      const trial = trialOf(run, 'sweep', Math.round(clock.now()));
      return { kind: 'done', metrics: metricsOf(run), trial, wallMs: clock.now() - started };
    } catch (thrown) {
      return { kind: 'failed', reason: messageOf(thrown) };
    }
  };
}
