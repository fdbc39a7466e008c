/** Passes plotted values to the session. Values before the first event or not finite are dropped. */
import { describe } from '../action-shape.ts';
import type { Plot, StrategyChart } from './context.ts';
import { strategyErrors } from '../errors.ts';
import { enter, leave } from '../running/scope.ts';

/** Characters of a name. */
const NAME_MAX = 60;

const PRICES: { readonly pane?: string } = Object.freeze({});

export interface ChartDeps {
  readonly setupDone: () => boolean;
  readonly plot: Plot | undefined;
}

/** `symbol`: whose prices it is drawn over; undefined: all. */
export function strategyChart({ setupDone, plot }: ChartDeps, symbol?: string): StrategyChart {
  return Object.freeze({
    plot: (name: string, value: number, options = PRICES): void => {
      const { pane = 'price' } = options;
      requireName('name', name);
      requireName('pane', pane);
      if (typeof value !== 'number') throw invalid(`value of '${name}' must be a number, got ${describe(value)}`);
      if (plot === undefined || !setupDone() || !Number.isFinite(value)) return;
      const before = enter('engine');
      try {
        plot(name, value, pane, symbol);
      } finally {
        leave(before);
      }
    },
  });
}

function requireName(what: string, text: unknown): void {
  if (typeof text === 'string' && text.length > 0 && text.length <= NAME_MAX) return;
  throw invalid(`${what} must be text of 1 to ${NAME_MAX} characters, got ${text === '' ? 'none' : describe(text)}`);
}

function invalid(problem: string): Error {
  return strategyErrors.make('strategy_plot_invalid', `chart.plot: ${problem}`);
}
