/** Denials by daily loss and drawdown. */
import { denied, type Denied } from '../../model/deny-reason.ts';

/** `2026-11-21` of Unix ms. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Without equity at the start of the day no fraction is a limit, so no new risk. `base` is NaN before the first day.
 */
export function dayWithoutEquityDenial(base: number): Denied | null {
  if (!(base <= 0)) return null;
  const message = `the account began the UTC day with an equity of ${base.toFixed(2)}, of which no part can be lost: new risk waits for the next day, or for money that comes in`;
  return denied('daily_loss', message);
}

/** A `maxLoss` of 0 allows no loss. */
export function dailyLossDenial(equityAtStart: number, equity: number, maxLoss: number, whose: string): Denied | null {
  const loss = equityAtStart - equity;
  if (!(loss >= maxLoss && loss > 0)) return null;
  return denied('daily_loss', `${whose} has lost ${loss.toFixed(2)} today, the limit is ${maxLoss.toFixed(2)}`);
}

/** A `max` of 0 allows no fall. */
export function drawdownDenial(peak: number, now: number, max: number, whose: string): Denied | null {
  const fall = peak - now;
  if (!(fall >= max && fall > 0)) return null;
  const message = `${whose} has fallen by ${fall.toFixed(2)} from its highest of this session, the limit is ${max.toFixed(2)}`;
  return denied('drawdown', message);
}
