/**
 * The checks before every send, one row each, in the order in which they deny (docs/risk.md). `judge` runs them.
 * `figures` returns the compared values, for `why` and `why-not`.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import { amountText } from '../model/numbers/money.ts';
import { worthText } from '../model/text/money-text.ts';
import { isUnresolved } from '../spine/orders/order-machine.ts';
import { configured, isAbove, limit, rule, shown, whoseOf, type Check, type Limit } from './check.ts';
import { MINUTE_MS, refusalKey, SECOND_MS, type RecentTimes } from './counters.ts';
import { EPSILON, type Candidate, type Portfolio, type RiskFacts, type Scope } from './facts.ts';
import { coveredLots } from './exits.ts';
import { fundsDenial } from './funds.ts';
import type { LimitName } from './limits.ts';
import { portfolioOf } from './portfolio.ts';
import { PROTECTIONS } from './protections/protection-checks.ts';

type OwnScope = 'strategy' | 'account';

function symbols(scope: OwnScope): Check {
  return rule('symbol_not_allowed', scope, (order, { limits }) => {
    const allowed = limits[scope].allowedSymbols;
    const { symbol } = order.instrument;
    if (allowed === undefined || allowed.includes(symbol)) return null;
    const list = allowed.length === 0 ? 'no symbol at all' : allowed.join(', ');
    return denied('symbol_not_allowed', `${symbol}: ${whoseOf(scope, order)} may trade ${list}`, 'symbol');
  });
}

const latch = rule('strategy_latched', 'strategy', ({ strategy }, { from }) => {
  const reason = from.state.latches.get(strategy);
  return reason === undefined ? null : denied('strategy_latched', `${strategy} is latched: ${reason}`);
});

/** An exit at the market must not depend on market data. */
const market = rule(
  'no_market',
  'symbol',
  ({ instrument, isMarket, exits }, { midTicks }) => {
    if (!Number.isNaN(midTicks) || (isMarket && exits)) return null;
    return denied('no_market', `${instrument.symbol}: there is no book or close yet, so the price cannot be checked`);
  },
  true,
);

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;

const collar = limit('price_collar', 'account', {
  limit: ({ limits }) => limits.risk.priceCollar,
  // An exit at the market must pass in a thin book, too.
  value: ({ isMarket, exits }, { midTicks, worstTicks }) =>
    isMarket && exits ? Number.NaN : Math.abs(worstTicks - midTicks) / midTicks,
  isBeyond: (value, most) => value > most,
  text: ({ instrument, isMarket }, value, most, { midTicks, worstTicks }) => {
    const what = isMarket ? 'the book fills it up to' : 'price';
    return `${instrument.symbol}: ${what} ${instrument.priceText(worstTicks)} is ${percent(value)} from the mid ${amountText(midTicks * instrument.tick)}, more than ${percent(most)}`;
  },
  exits: true,
  field: 'price',
});

function orderSize(scope: OwnScope): readonly Check[] {
  return [
    limit('max_order_size', scope, {
      ...configured(scope, 'maxOrderQuantity'),
      value: ({ lots }) => lots,
      isBeyond: (lots, most) => lots > most,
      text: ({ instrument, lots }, _value, most) =>
        `${instrument.symbol}: quantity ${instrument.quantityText(lots)} exceeds the maximum ${instrument.quantityText(most)} of an order`,
      field: 'quantity',
      inLots: true,
    }),
    limit('max_order_value', scope, {
      limit: ({ limits, equity }) => Math.min(limits[scope].maxOrderValue, equity * limits.equityFraction[scope]),
      // Otherwise the account's figure shows it.
      shownLimit: ({ limits, equity }) => {
        const { account, [scope]: own } = limits.equityFraction;
        const hasOwn = scope === 'account' || own !== account;
        return Math.min(limits[scope].maxOrderValue, hasOwn ? equity * own : Number.POSITIVE_INFINITY);
      },
      value: (_order, { value }) => value,
      unknown: ({ instrument: { symbol } }, { equity, value }) => {
        if (Number.isNaN(equity))
          return denied('not_reconciled', `${symbol}: the balances of the account are not known yet`);
        return Number.isNaN(value) ? denied('no_market', `${symbol}: there is no price to value the order`) : null;
      },
      text: ({ instrument }, value, most) =>
        `${instrument.symbol}: value ${worthText(value)} exceeds the maximum ${worthText(most)} of an order`,
    }),
  ];
}

/**
 * A reduce-only order must fit the strategy's position, less its other reductions. On a perpetual the account's
 * position and opposite ones of other strategies must cover it too, because external trades may have closed it.
 */
function reduceOnlyDenial(order: Candidate, facts: RiskFacts): Denied | null {
  const { strategy, account, againstLots } = facts;
  if (!order.reduceOnly) return null;
  const { instrument, side, lots, exits } = order;
  const left = ({ lots: held, sellLots, buyLots }: RiskFacts['account']): number =>
    side === 'sell' ? held - sellLots : -held - buyLots;
  const exceeds = (most: number, what: string, more = ''): Denied => {
    const rest = amountText(instrument.quantityOf(Math.max(0, most)));
    const text = `${side} ${instrument.quantityText(lots)} exceeds ${what} (${rest})${more}`;
    return denied('reduce_only', `${instrument.symbol}: ${text}`);
  };
  const own = left(strategy);
  if (lots > own) return exceeds(own, 'what can be reduced');
  if (exits || instrument.market === 'spot') return null;
  const there = Math.max(Math.max(0, left(account)) + againstLots, coveredLots(order, facts));
  if (lots <= there + EPSILON) return null;
  return exceeds(there, 'what external trades have left of it', '; `tidewire plan` shows the choices');
}

/** Worst position in the direction of the order, lots: all orders of that direction count as filled. */
function worstLots({ side, lots }: Candidate, { lots: held, buyLots, sellLots }: RiskFacts['account']): number {
  return side === 'buy' ? held + buyLots + lots : -(held - sellLots - lots);
}

function position(scope: OwnScope): readonly Check[] {
  return [
    limit('max_position', scope, {
      ...configured(scope, 'maxPosition'),
      value: (order, facts) => worstLots(order, facts[scope]),
      isBeyond: (lots, most) => lots > most,
      text: (order, value, most) =>
        `${order.instrument.symbol}: the position of ${whoseOf(scope, order)} could reach ${amountText(order.instrument.quantityOf(value))}, above ${order.instrument.quantityText(most)}`,
      inLots: true,
    }),
    limit('max_position', scope, {
      ...configured(scope, 'maxPositionValue'),
      value: (order, facts) => {
        const { midTicks, referenceTicks, unitValue } = facts;
        return worstLots(order, facts[scope]) * (Number.isNaN(midTicks) ? referenceTicks : midTicks) * unitValue;
      },
      isBeyond: (value, most, order, facts) => worstLots(order, facts[scope]) > 0 && isAbove(value, most),
      text: (order, value, most) =>
        `${order.instrument.symbol}: the position of ${whoseOf(scope, order)} could be worth ${worthText(value)}, above ${most}`,
      part: 'value',
    }),
  ];
}

/** Orders whose cancel is not confirmed count as working. */
function openOrders(scope: Scope): Check {
  return limit('max_open_orders', scope, {
    ...configured(scope, 'maxOpenOrders'),
    value: (_order, facts) => facts.openOrders[scope] + 1,
    text: (order, value, most) =>
      `${order.instrument.symbol}: ${value - 1} orders of ${whoseOf(scope, order)} are working, the maximum is ${most}`,
  });
}

/** Cancels count too, but only new risk is denied. */
function messages(scope: OwnScope, part: 'second' | 'minute'): Check {
  const windowMs = part === 'second' ? SECOND_MS : MINUTE_MS;
  const of = ({ activity, from }: RiskFacts): RecentTimes | null =>
    (scope === 'strategy' ? activity : from.activities.account)[part];
  return limit('message_rate', scope, {
    limit: (facts) => of(facts)?.max ?? Number.POSITIVE_INFINITY,
    value: (_order, facts) => (of(facts)?.within(facts.now, windowMs) ?? 0) + 1,
    text: (order, _value, most) =>
      `${whoseOf(scope, order)} has sent ${most} messages in the last ${part}, the maximum`,
    part,
  });
}

function orderFlow(scope: OwnScope, part: 'minute' | 'hour'): Check {
  const name = part === 'minute' ? 'maxOrderValuePerMinute' : 'maxOrderValuePerHour';
  return limit('order_flow', scope, {
    ...configured(scope, name),
    value: (_order, { activity, from, now, value }) =>
      (scope === 'strategy' ? activity : from.activities.account)[`${part}Value`].total(now, value),
    text: (order, value, most) =>
      `${whoseOf(scope, order)} would have sent orders worth ${worthText(value)} in the last ${part}, above ${most}`,
    part,
  });
}

const fills = shown(
  'strategy_latched',
  'fills',
  (_order, { activity, now }) => activity.fills?.within(now, activity.fillsWindowMs) ?? 0,
  ({ activity }) => activity.fills?.max ?? Number.POSITIVE_INFINITY,
);

const refusals = shown(
  'strategy_latched',
  'refusals',
  (_order, { activity }) => activity.rejects,
  ({ activity }) => activity.rejectsMax,
);

/** Without equity at the start of the day a fraction is no limit, so new risk is denied. 0 sets no limit. */
const dayWithoutEquity = rule('daily_loss', 'account', (_order, { limits, from }) => {
  const { dayBase } = from.losses.equity;
  if (limits.risk.dailyLossFraction === 0 || !(dayBase <= 0)) return null;
  const message = `the account began the UTC day with an equity of ${worthText(dayBase)}, so no loss can be measured: new risk waits for the next day, or for incoming money`;
  return denied('daily_loss', message);
});

function part(base: number, fraction: number | undefined): number {
  return fraction === undefined || fraction === 0 ? Number.POSITIVE_INFINITY : base * fraction;
}

/**
 * With all of its own orders of this side filled, the strategy holds no more than before. Where another one holds against
 * it, this adds to the account, whose limits judge it.
 */
function reducesOwn({ side, lots }: Candidate, { strategy: { lots: held, buyLots, sellLots } }: RiskFacts): boolean {
  return lots <= (side === 'sell' ? held - sellLots : -held - buyLots) + EPSILON;
}

function loss(reason: 'daily_loss' | 'drawdown', scope: OwnScope, most: Limit['limit'], value: Limit['value']): Check {
  return limit(reason, scope, {
    limit: most,
    value,
    // A limit of 0 allows no loss.
    isBeyond: (lost, max, order, facts) =>
      lost >= max && lost > 0 && !(scope === 'strategy' && reducesOwn(order, facts)),
    text: (order, lost, max) => {
      const [amount, end] = [worthText(lost), `the limit is ${worthText(max)}`];
      return reason === 'daily_loss'
        ? `${whoseOf(scope, order)} has lost ${amount} today, ${end}`
        : `${whoseOf(scope, order)} has fallen by ${amount} from its highest of this session, ${end}`;
    },
  });
}

const notPricedYet = rule('no_market', 'account', (_order, { limits, from }) => {
  const { dailyLossFraction, drawdownFraction } = limits.risk;
  if ((dailyLossFraction === 0 && drawdownFraction === 0) || !from.losses.equity.isTakenOver) return null;
  return denied('no_market', 'some holdings of the account have no price yet, so the loss of the day is unknown');
});

const losses: readonly Check[] = [
  dayWithoutEquity,
  notPricedYet,
  loss(
    'daily_loss',
    'account',
    ({ limits, from }) => part(from.losses.equity.dayBase, limits.risk.dailyLossFraction),
    (_order, { equity, from }) => from.losses.equity.dayStart - equity,
  ),
  loss(
    'drawdown',
    'account',
    ({ limits, from }) => part(from.losses.equity.peakBase, limits.risk.drawdownFraction),
    (_order, { equity, from }) => from.losses.equity.peak - equity,
  ),
  rule('no_market', 'strategy', (order, facts) => {
    const { limits, profit } = facts;
    if (!limits.limitsLoss || !Number.isNaN(profit) || reducesOwn(order, facts)) return null;
    return denied('no_market', `${order.strategy} holds an asset without a price, so its profit is unknown`);
  }),
  loss(
    'daily_loss',
    'strategy',
    ({ limits }) => limits.strategy.maxDailyLoss,
    ({ strategy }, { profit, from, now }) => from.losses.dayStart(strategy, now) - profit,
  ),
  loss(
    'drawdown',
    'strategy',
    ({ limits }) => limits.strategy.maxDrawdown,
    ({ strategy }, { profit, from }) => Math.max(from.losses.peak(strategy), profit) - profit,
  ),
];

/** A symbol without any price yet makes a sum unknown. */
function unpriced(scope: Scope, sum: Exclude<keyof Portfolio, 'unpriced'>): Limit['unknown'] {
  return (order, facts) => {
    const held = portfolioOf(order, facts, scope);
    if (!Number.isNaN(held[sum])) return null;
    const whose = `positions and orders of ${whoseOf(scope, order)}`;
    return denied('no_market', `${order.instrument.symbol}: ${held.unpriced} has no price yet to value ${whose}`);
  };
}

/** An order that does not raise the sum passes above the limit, because prices may have raised it. */
function portfolio(scope: Scope): readonly Check[] {
  const sum = (reason: 'max_gross' | 'max_net', name: 'gross' | 'net', most: LimitName): Check =>
    limit(reason, scope, {
      ...configured(scope, most),
      value: (order, facts) => portfolioOf(order, facts, scope)[`${name}After`],
      isBeyond: (after, max, order, facts) => isAbove(after, max) && !(after <= portfolioOf(order, facts, scope)[name]),
      unknown: unpriced(scope, `${name}After`),
      text: (order, after, max) =>
        `${order.instrument.symbol}: positions of ${whoseOf(scope, order)} could be worth ${worthText(after)} ${name}, above ${max}`,
    });
  return [
    limit('max_open_notional', scope, {
      ...configured(scope, 'maxOpenNotional'),
      value: (order, facts) => portfolioOf(order, facts, scope).openNotional + facts.value,
      unknown: unpriced(scope, 'openNotional'),
      text: (order, open, max) =>
        `${order.instrument.symbol}: orders of ${whoseOf(scope, order)} would be worth ${worthText(open)}, above ${max}`,
    }),
    sum('max_gross', 'gross', 'maxGrossValue'),
    sum('max_net', 'net', 'maxNetValue'),
  ];
}

/** Avoids Infinity × 0, which is NaN. */
const capital = ({ limits: { strategy }, equity }: RiskFacts): number =>
  strategy.share === Number.POSITIVE_INFINITY ? strategy.budget : Math.min(strategy.budget, strategy.share * equity);

const budget = limit('strategy_budget', 'strategy', {
  limit: capital,
  value: (order, facts) => portfolioOf(order, facts, 'strategy').grossAfter,
  isBeyond: (after, most, order, facts) =>
    isAbove(after, most) && !(after <= portfolioOf(order, facts, 'strategy').gross),
  unknown: unpriced('strategy', 'grossAfter'),
  text: ({ strategy }, value, most) =>
    `${strategy}: positions and orders could be worth ${worthText(value)}, the budget is ${+worthText(most)}`,
});

/**
 * Denies a placement equal to one that is unresolved or about to leave. Quotes, targets and flattening count those
 * orders themselves.
 */
function duplicateDenial(order: Candidate, { from, options }: RiskFacts): Denied | null {
  if (order.origin !== 'place' || options.except !== undefined) return null;
  const { symbol } = order.instrument;
  for (const { strategy, side, isMarket, positionSide, ticks, progress, handed, ref } of from.state.orders.live(
    symbol,
  )) {
    if (strategy !== order.strategy || side !== order.side || isMarket !== order.isMarket) continue;
    if (positionSide !== order.positionSide || ticks !== order.ticks || progress.lots !== order.lots) continue;
    const isLeaving = handed && progress.state === 'pending';
    if (isLeaving || isUnresolved(progress))
      return denied('duplicate_order', `${symbol}: ${ref} is the same order, and its outcome is unknown`);
  }
  return null;
}

/**
 * After n identical refusals in a row for one strategy, symbol and side, the same order is denied for
 * `rejectCooldownMs`. Then all may pass, until one more refusal restarts the time.
 */
function repeatedRejectsDenial(order: Candidate, { from, limits, now }: RiskFacts): Denied | null {
  const { repeatedRejects, rejectCooldownMs } = limits.risk;
  const streak = from.refusals.blocking(order, repeatedRejects, rejectCooldownMs, now);
  if (streak === undefined) return null;
  const message = `${refusalKey(order)}: refused ${streak.count} times in a row with ${streak.code}`;
  return denied('repeated_rejects', message);
}

export const CHECKS: readonly Check[] = [
  symbols('account'),
  symbols('strategy'),
  latch,
  ...PROTECTIONS,
  market,
  collar,
  ...orderSize('strategy'),
  ...orderSize('account'),
  rule('reduce_only', 'strategy', reduceOnlyDenial, true),
  ...position('strategy'),
  ...position('account'),
  openOrders('strategy'),
  openOrders('symbol'),
  openOrders('account'),
  messages('account', 'second'),
  messages('account', 'minute'),
  orderFlow('account', 'minute'),
  orderFlow('account', 'hour'),
  messages('strategy', 'second'),
  messages('strategy', 'minute'),
  orderFlow('strategy', 'minute'),
  orderFlow('strategy', 'hour'),
  fills,
  refusals,
  ...losses,
  ...portfolio('strategy'),
  ...portfolio('symbol'),
  ...portfolio('account'),
  budget,
  rule('duplicate_order', 'strategy', duplicateDenial, true),
  rule('repeated_rejects', 'strategy', repeatedRejectsDenial, true),
  rule('insufficient_balance', 'account', fundsDenial, true),
];
