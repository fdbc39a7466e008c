/**
 * Whether the position after an order can be closed again (reliability M06): after a fee in base and an adverse price
 * move it must be above the instrument's minima.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { MarketReader } from '../../model/ports.ts';
import type { GridLimits } from '../../model/instrument.ts';
import { amountText } from '../../model/money.ts';
import { minLotsAt } from '../normalise.ts';
import type { RiskOptions } from '../options.ts';
import type { Candidate } from '../facts.ts';

/** `held`: signed lots of the strategy before the order. */
export function exitDenial(
  order: Candidate,
  grid: GridLimits,
  held: number,
  { exitMove, exitFee }: Pick<RiskOptions, 'exitMove' | 'exitFee'>,
  market: MarketReader,
): Denied | null {
  const { instrument, side, lots } = order;
  const after = held + (side === 'buy' ? lots : -lots);
  const isSpot = instrument.market === 'spot';
  // A reduction is no entry, and a spot sale was held before.
  if (Math.abs(after) <= Math.abs(held) || (isSpot && after < 0)) return null;
  const mid = market.mid(instrument.symbol);
  const price = order.isMarket ? (mid === undefined ? 0 : mid / instrument.tick) : order.ticks;
  if (price <= 0) return null;
  const left = isSpot ? Math.floor(after * (1 - exitFee) + 1e-9) : Math.abs(after);
  const needed = minLotsAt(grid, after > 0 ? price * (1 - exitMove) : price);
  if (left >= needed) return null;
  const percent = (value: number): string => `${+(value * 100).toFixed(4)} %`;
  return denied(
    'not_exitable',
    `${instrument.symbol}: of a position of ${amountText(instrument.quantityOf(Math.abs(after)))} there are ${amountText(instrument.quantityOf(left))} after a fee of ${percent(exitFee)}, and after a move of ${percent(exitMove)} nothing below ${instrument.quantityText(needed)} can be closed`,
    'quantity',
  );
}
