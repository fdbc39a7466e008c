/** Time and size at risk per strategy. Leverage is gross notional at mid over equity, time-weighted. */
import { Holdings } from './holdings.ts';
import { type Leverage, type LeverageInput, leverageOf } from './leverage.ts';

export interface Exposure extends Leverage {
  readonly exposurePct: number | null;
}

export function exposureOf(input: LeverageInput): Exposure {
  if (!(input.to > input.from)) return { exposurePct: null, meanLeverage: null, maxLeverage: null };
  return { exposurePct: timeExposed(input), ...leverageOf(input) };
}

function timeExposed({ values, from, to }: LeverageInput): number {
  const holdings = new Holdings();
  let exposedMs = 0;
  let since = from;
  for (const value of values) {
    const now = Math.min(Math.max(value.fill.ts, since), to);
    if (holdings.open > 0) exposedMs += now - since;
    since = now;
    holdings.apply(value);
  }
  if (holdings.open > 0) exposedMs += to - since;
  return (exposedMs / (to - from)) * 100;
}
