/** One trial on a worker thread. */
import { messageOf } from '../../model/errors.ts';
import { silentLogger } from '../../model/ports.ts';
import { backtest } from '../../session/backtest.ts';
import { prepareStrategies } from '../../session/strategies.ts';
import { createSystemClock } from '../../session/clock/system-clock.ts';
import { isSpoilt } from '../../strategy/traps.ts';
import { trialOf } from '../ledger/trial.ts';
import type { Evaluated, Evaluation, Job, SweepGround } from './evaluation.ts';
import { metricsOf } from './metrics.ts';

export function evaluateOn(ground: SweepGround): (job: Job) => Promise<Evaluated> {
  const { config, data, shared, seed } = ground;
  const clock = createSystemClock();
  return async ({ params, fromMs, toMs, simulation }: Job): Promise<Evaluated> => {
    const started = clock.now();
    let loadedBytes = 0;
    const ended = (evaluation: Evaluation): Evaluated => ({ evaluation, loadedBytes, isSpoilt: isSpoilt() });
    try {
      const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
      // Module state must not leak between trials.
      const strategies = await prepareStrategies({
        file: ground.file,
        params: { ...ground.fixed, ...texts },
        entries: config.strategies,
      });
      loadedBytes = strategies.reduce((sum, { loaded }) => sum + loaded.bytes, 0);
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
      if (failure !== undefined) return ended({ kind: 'failed', reason: failure.message });
      const trial = trialOf(run, 'sweep', Math.round(clock.now()));
      const inputs = strategies.map(({ loaded }) => loaded.inputs.inputs);
      const code = strategies.map(({ loaded }) => loaded.hash);
      return ended({ kind: 'done', metrics: metricsOf(run), trial, code, inputs, wallMs: clock.now() - started });
    } catch (thrown) {
      return ended({ kind: 'failed', reason: messageOf(thrown) });
    }
  };
}
