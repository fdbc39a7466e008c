/**
 * Checks of a strategy's protections: a human's pause, trading hours, a cooldown after a close, trades of the day. They
 * deny only new risk; exits pass.
 */
import { denied } from '../../model/trading/deny-reason.ts';
import { limit, rule, type Check } from '../check.ts';
import { isGone, type Candidate, type RiskFacts } from '../facts.ts';
import { coolsUntil } from './protections.ts';

const paused = rule('strategy_paused', 'strategy', ({ strategy }, { from }) => {
  const reason = from.state.pauses.get(strategy);
  return reason === undefined
    ? null
    : denied('strategy_paused', `${strategy} is paused until it is resumed: ${reason}`);
});

const hours = rule('trading_hours', 'strategy', ({ strategy }, { limits, now }) => {
  const { hours: open } = limits.protections;
  if (open === null || open.isOpen(now)) return null;
  const next = open.nextOpening(now);
  const until = next === null ? 'never open' : `the next opening at ${new Date(next).toISOString()}`;
  return denied('trading_hours', `${strategy} trades ${open.text || 'at no time'}: ${until}`);
});

function msLeft({ strategy, instrument }: Candidate, { from, limits, now }: RiskFacts): number {
  const close = from.state.trades.lastClose(strategy, instrument.symbol);
  return Math.max(0, coolsUntil(limits.protections.cooldown, close) - now);
}

const cooldown = limit('cooldown', 'strategy', {
  limit: ({ limits }) => (limits.protections.cooldown === null ? Number.POSITIVE_INFINITY : 0),
  value: (order, facts) => msLeft(order, facts) / 1000,
  text: ({ strategy, instrument }, left, _most, { limits, now }) => {
    const { after, text } = limits.protections.cooldown!;
    const until = new Date(now + left * 1000).toISOString();
    const how = after === 'loss' ? ' with a loss' : '';
    return `${instrument.symbol}: ${strategy} closed a position${how} and cools down for ${text}, until ${until}`;
  },
  part: 's left',
});

/** Includes orders of new risk that may still get their first fill, and this one. */
function tradesOfDay({ strategy }: Candidate, { from, now, options }: RiskFacts): number {
  let count = from.state.trades.entriesOf(strategy, now) + 1;
  for (const own of from.state.orders.allLive())
    if (own.strategy === strategy && !own.exits && own.progress.fillLots === 0 && !isGone(own, options)) count++;
  return count;
}

const trades = limit('max_trades', 'strategy', {
  limit: ({ limits }) => limits.protections.maxTradesPerDay,
  value: tradesOfDay,
  text: ({ strategy }, count, most) =>
    `${strategy}: this would be trade ${count} of the UTC day, counting working orders; the maximum is ${most}`,
});

export const PROTECTIONS: readonly Check[] = [paused, hours, cooldown, trades];
