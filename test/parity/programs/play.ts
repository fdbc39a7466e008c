/** Programs played by tidewire: the whole public path, from a strategy file to the result. */
import { join } from 'node:path';
import { silentLogger } from '../../../src/model/ports.ts';
import type { ProgramAction } from '../../../src/model/trading/program.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import type { BacktestResult } from '../../../src/session/result/result.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import type { Dataset } from '../dataset.ts';
import { ENTRY_US, RESPONSE_US } from './desk.ts';

/** One program in a stretch of the file of its own. */
export interface ProgramStep {
  readonly ms: number;
  /** Its `cancel`; what it left is flattened after. */
  readonly cancelMs: number;
  readonly flattenMs: number;
  readonly action: ProgramAction & { readonly ref: string };
}

/** Programs are tried, not limits. */
const LOOSE_RISK = {
  maxOpenOrders: 100_000,
  maxOrderEquityFraction: 1000,
  priceCollar: 10,
  messagesPerSecond: 1_000_000,
  dailyLossFraction: 1,
  repeatedRejects: 1_000_000,
};

/** What the account holds at the start, base units of each currency. */
export const START = { quote: 100_000_000, base: 5000 } as const;

export async function playPrograms(
  datasets: readonly Dataset[],
  steps: readonly ProgramStep[],
): Promise<BacktestResult> {
  const bases = datasets.filter(({ recorded }) => !recorded.isDerivative).map(({ base }) => [base, `${START.base}`]);
  const config = configSchema.parse({
    account: { reporting: 'USDT', start: { USDT: `${START.quote}`, ...Object.fromEntries(bases) } },
    simulation: {
      latency: { entryMs: ENTRY_US / 1000, responseMs: RESPONSE_US / 1000 },
      fees: { maker: '0', taker: '0' },
    },
    risk: LOOSE_RISK,
    strategies: [
      {
        file: join(import.meta.dirname, 'program-player.ts'),
        params: {
          steps: steps.map(({ ms, action }) => ({ ms, action })),
          cancels: steps.map(({ cancelMs, action }) => ({ ms: cancelMs, ref: action.ref })),
          flattens: steps.map(({ flattenMs }) => flattenMs),
        },
        onStop: 'leave',
      },
    ],
  });
  const strategies = await prepareStrategies({ file: undefined, params: {}, entries: config.strategies });
  const data = datasets.map(({ path }) => path);
  const run = await backtest({ config, strategies, data, seed: 1, repeat: 1, logger: silentLogger });
  return run.result;
}
