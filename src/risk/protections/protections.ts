/** The configured protections of a strategy: trading hours, a cooldown after a close, trades of the day. */
import { parseDuration } from '../../model/time.ts';
import type { Close } from '../../spine/strategy-trades.ts';
import type { StrategyLimits } from '../options.ts';
import { TradingHours } from './trading-hours.ts';

export interface Cooldown {
  readonly ms: number;
  readonly after: 'loss' | 'exit';
  readonly text: string;
}

/** Unset is null, or Infinity. */
export interface Protections {
  readonly maxTradesPerDay: number;
  readonly cooldown: Cooldown | null;
  readonly hours: TradingHours | null;
}

type Configured = Pick<StrategyLimits, 'maxTradesPerDay' | 'cooldown' | 'tradingHours'>;

export function protectionsOf({ maxTradesPerDay, cooldown, tradingHours }: Configured): Protections {
  return {
    maxTradesPerDay: maxTradesPerDay ?? Number.POSITIVE_INFINITY,
    cooldown:
      cooldown === undefined ? null : { ms: parseDuration(cooldown.for), after: cooldown.after, text: cooldown.for },
    hours: tradingHours === undefined ? null : new TradingHours(tradingHours),
  };
}

/** Unix ms at which new risk may be taken again; 0: at once. */
export function coolsUntil(cooldown: Cooldown | null, close: Close | undefined): number {
  if (cooldown === null || close === undefined) return 0;
  const since = cooldown.after === 'loss' ? close.lostAt : close.at;
  return since === 0 ? 0 : since + cooldown.ms;
}
