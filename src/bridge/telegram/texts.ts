/** Answers of the bot: short plain lines for a phone. Pure. */
import { moneyText } from '../../model/text/money-text.ts';
import type { PlanAnswer } from '../schemas/command.ts';
import type { SessionDetail } from '../schemas/session.ts';

const ROWS_MAX = 20;

function signed(value: number | null): string {
  if (value === null) return 'no price';
  return `${value < 0 ? '' : '+'}${moneyText(value)}`;
}

/** At most so many, and how many more. */
function rows(lines: readonly string[], none: string): string {
  if (lines.length === 0) return none;
  const more = lines.length - ROWS_MAX;
  return [...lines.slice(0, ROWS_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

export function statusText(detail: SessionDetail): string {
  const { id, mode, state, killed, strategies, gates, currency, equity, netPnl, openOrders, fills, unresolved } =
    detail;
  return [
    `${mode === 'live' ? 'LIVE' : mode} ${id}: ${state}`,
    ...(killed === null ? [] : [`KILLED: ${killed}`]),
    ...strategies.map(({ tag, state: word, paused, latched, error }) => {
      const why = latched ?? paused ?? error;
      return `${tag}: ${word}${why === null ? '' : `, ${why}`}`;
    }),
    `equity ${equity === null ? 'no price' : moneyText(equity)} ${currency}, own result ${signed(netPnl)}`,
    `${openOrders} open orders, ${fills} fills${unresolved === 0 ? '' : `, ${unresolved} of UNKNOWN outcome`}`,
    ...gates.map(({ symbol, message }) => `no new risk${symbol === '' ? '' : ` in ${symbol}`}: ${message}`),
    ...detail.unprotected.map(({ quantity, symbol }) => `UNPROTECTED: ${quantity} ${symbol} have no exit`),
  ].join('\n');
}

export function positionsText({ positions }: SessionDetail): string {
  const lines = positions.map(({ strategy, symbol, quantity, positionSide, entryPrice, unrealizedPnl, quote }) => {
    const side = positionSide === 'both' ? '' : ` ${positionSide}`;
    const open = unrealizedPnl === null ? '' : `, ${signed(unrealizedPnl)} ${quote}`;
    return `${strategy}: ${quantity} ${symbol}${side}${entryPrice === null ? '' : ` at ${entryPrice}`}${open}`;
  });
  return rows(lines, 'flat');
}

export function ordersText({ orders, programs }: SessionDetail): string {
  const lines = [
    ...programs.map(({ ref, kind, symbol, filled, quantity }) => {
      return `${kind} ${ref}: ${symbol}, ${filled}${quantity === null ? '' : `/${quantity}`}`;
    }),
    ...orders.map(({ ref, side, symbol, quantity, filledQuantity, price, state }) => {
      const done = filledQuantity === '0' ? '' : `, ${filledQuantity} filled`;
      return `${ref}: ${side} ${quantity} ${symbol} at ${price ?? 'market'}, ${state}${done}`;
    }),
  ];
  return rows(lines, 'no open orders');
}

export function profitText({
  netPnl,
  heldDrift,
  fees,
  fills,
  currency,
  equity,
  startedAt,
  now,
}: SessionDetail): string {
  const hours = Math.max(0, now - startedAt) / 3_600_000;
  return [
    `own result ${signed(netPnl)} ${currency} in ${hours.toFixed(1)} h, ${fills} fills`,
    `fees ${fees === null ? 'no price' : moneyText(fees)}`,
    `drift of holdings ${signed(heldDrift)}`,
    `equity ${equity === null ? 'no price' : moneyText(equity)}`,
  ].join('\n');
}

export function dailyText({ today, currency }: SessionDetail): string {
  if (today === null) return 'nothing is known of today yet';
  const since = new Date(today.since).toISOString().slice(11, 16);
  return `today since ${since} UTC\nown result ${signed(today.trading)} ${currency}\ndrift of holdings ${signed(today.drift)}`;
}

export function balanceText({ balances }: SessionDetail): string {
  const lines = balances
    .filter(({ total }) => Number(total) !== 0)
    .map(({ account, currency, total, locked }) => {
      const held = Number(locked) === 0 ? '' : `, ${locked} locked`;
      return `${account === 'trading' ? '' : `${account} `}${total} ${currency}${held}`;
    });
  return rows(lines, 'no balance is known');
}

export function limitsText({ limits, overrides }: SessionDetail): string {
  const used = limits
    .toSorted((left, right) => (right.share ?? -1) - (left.share ?? -1))
    .map(({ path, value, used: of, share }) => {
      return `${path} ${of === null ? value : `${of} of ${value}`}${share === null ? '' : `, ${Math.round(share * 100)}%`}`;
    });
  const lifted = overrides.map(({ limit, value, until, reason }) => {
    return `${limit} is ${value ?? 'as configured'} until ${new Date(until).toISOString().slice(11, 16)} UTC: ${reason}`;
  });
  return rows([...lifted, ...used], 'no limits are known');
}

export function planText({ halts, decisions }: PlanAnswer): string {
  const lines = [
    ...halts.map(({ symbol, reason }) => `${symbol} is halted: ${reason}\n  /resume ${symbol}`),
    ...decisions.map(({ id, symbol, what, choices }) =>
      [`${symbol}: ${what}`, ...choices.map((choice) => `  ${choice.text}: /plan ${id}=${choice.id}`)].join('\n'),
    ),
  ];
  return rows(lines, 'nothing waits for a decision');
}
