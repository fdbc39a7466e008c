/**
 * What the balances show beyond own fills, funding and known movements. It counts as money that was moved in, so that it
 * widens no loss limit before the reconciler recognises it. Only of currencies whose changes are all itemised: the profit of
 * perpetuals is not, so none of a currency in which anybody's perpetual settles.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { dec } from '../../model/numbers/money.ts';
import type { Balances } from '../../spine/balances.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { Valuation } from './valuation.ts';

interface Account {
  readonly state: StateView;
  readonly balances: Balances;
  readonly valuation: Valuation;
}

/** Reporting currency, not negative. A fill that only one side shows yet adds to about nothing. */
export function unexplainedInflow(
  { state, balances, valuation }: Account,
  find: (symbol: string) => Instrument | undefined,
): number {
  let sum = 0;
  let settled: ReadonlySet<string> | undefined;
  for (const { balance } of balances.all()) {
    const { currency, total } = balance;
    if (state.openedAt('balance', currency) === undefined) continue;
    settled ??= settledIn(state, find);
    if (settled.has(currency)) continue;
    const value = dec(total).minus(state.explainedBalance(currency)).toNumber() * valuation.rate(currency);
    if (!Number.isNaN(value)) sum += value;
  }
  return Math.max(0, sum);
}

/** Of perpetuals that anybody holds or traded. */
function settledIn(
  { positions, heard, movedByOthers }: StateView,
  find: (symbol: string) => Instrument | undefined,
): ReadonlySet<string> {
  const settled = new Set<string>();
  const add = (instrument: Instrument | undefined): void => {
    if (instrument?.market === 'derivative') settled.add(instrument.settle);
  };
  for (const { instrument } of positions.all()) add(instrument);
  for (const { symbol } of heard.positions.values()) add(find(symbol));
  for (const name of movedByOthers.keys()) add(find(name.split('/')[0] ?? ''));
  return settled;
}
