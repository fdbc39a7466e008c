/** The loss of the UTC day against the first valuation of that day, and the fall from a peak. Pure. */
import { denied, type Denied } from '../../model/deny-reason.ts';

/** `2026-11-21` of a Unix time in ms. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function dailyLossDenial(equityAtStart: number, equity: number, maxLoss: number, whose: string): Denied | null {
  const loss = equityAtStart - equity;
  if (!(loss >= maxLoss) || maxLoss <= 0) return null;
  return denied('daily_loss', `${whose} has lost ${loss.toFixed(2)} today, the limit is ${maxLoss.toFixed(2)}`);
}

export function drawdownDenial(peak: number, now: number, max: number, whose: string): Denied | null {
  const fall = peak - now;
  if (!(fall >= max) || max <= 0) return null;
  const message = `${whose} has fallen by ${fall.toFixed(2)} from its highest of this session, the limit is ${max.toFixed(2)}`;
  return denied('drawdown', message);
}
