/** The watchdog's rules: alarms, and reasons to latch. Limits come from its own configuration, not from the bot. */
import { worthText } from '../../model/text/money-text.ts';

export interface WatchRules {
  /** Age of a stale heartbeat. */
  readonly staleMs: number;
  /** Allowed duration of a difference: fills and cancels are in flight. */
  readonly disagreeMs: number;
  readonly maxOpenNotional: number;
  readonly maxOpenOrders: number;
  readonly maxGrossValue: number;
  readonly maxNetValue: number;
  /** Part of the equity at the first valuation of the UTC day. */
  readonly dailyLossFraction: number;
  readonly symbols: ReadonlyMap<string, SymbolRules>;
  readonly everySymbol: SymbolRules;
}

export interface SymbolRules {
  /** Base units. */
  readonly maxPosition: number;
  readonly maxPositionValue: number;
  readonly maxOpenNotional: number;
}

export interface SeenOrders {
  readonly count: number;
  /** Reporting value of what could still fill, by symbol; NaN without a price. */
  readonly notionals: ReadonlyMap<string, number>;
}

export interface SeenPosition {
  readonly symbol: string;
  /** Signed, as at the exchange. */
  readonly quantity: number;
  /** Signed reporting value; NaN without a price. */
  readonly value: number;
}

/** One look. Null means unreadable, not empty. */
export interface Sight {
  /** Ms since the heartbeat last changed, by the watchdog's clock. */
  readonly heartbeatAgeMs: number;
  /** Orders possibly open by the journal. */
  readonly journalOpen: number | null;
  readonly killed: boolean;
  readonly orders: SeenOrders | null;
  readonly positions: readonly SeenPosition[] | null;
  /** Differences in words; null when one side was unreadable. */
  readonly differences: readonly string[] | null;
  readonly equity: number | null;
  readonly dayEquity: number | null;
  readonly problems: readonly string[];
}

export interface Verdict {
  readonly alarms: readonly string[];
  readonly pull: string | null;
}

export class WatchRulesMemory {
  /** Difference → first seen, by the watchdog's clock. */
  readonly #differing = new Map<string, number>();

  /** Those that lasted `forMs`. An unreadable look neither begins nor ends one. */
  lasting(differences: readonly string[] | null, now: number, forMs: number): readonly string[] {
    if (differences !== null) {
      for (const known of this.#differing.keys()) if (!differences.includes(known)) this.#differing.delete(known);
      for (const difference of differences) if (!this.#differing.has(difference)) this.#differing.set(difference, now);
    }
    return [...this.#differing].filter(([, since]) => now - since >= forMs).map(([difference]) => difference);
  }
}

export function judge(sight: Sight, rules: WatchRules, memory: WatchRulesMemory, now: number): Verdict {
  const reasons = [
    ...heartbeat(sight, rules),
    ...orders(sight, rules),
    ...positions(sight, rules),
    ...memory.lasting(sight.differences, now, rules.disagreeMs).map((text) => `journal and exchange disagree: ${text}`),
    ...loss(sight, rules),
  ];
  const alarms = [...reasons, ...quietStale(sight, rules), ...sight.problems];
  // A killed session needs a latch only for resting orders.
  const [first] = sight.killed && sight.orders?.count === 0 ? [] : reasons;
  return { alarms, pull: first ?? null };
}

function rests({ orders: seen, journalOpen }: Sight): boolean {
  // If both are unreadable, orders may rest: latching is the cheaper error.
  return seen === null ? journalOpen !== 0 : seen.count > 0;
}

function heartbeat(sight: Sight, { staleMs }: WatchRules): readonly string[] {
  if (sight.heartbeatAgeMs < staleMs || !rests(sight)) return [];
  return [`the bot has not moved for ${Math.round(sight.heartbeatAgeMs / 1000)} s while orders rest`];
}

function quietStale(sight: Sight, { staleMs }: WatchRules): readonly string[] {
  return sight.heartbeatAgeMs >= staleMs && !rests(sight) ? ['the bot does not move; no order rests'] : [];
}

function above(value: number, limit: number): boolean {
  return limit !== Number.POSITIVE_INFINITY && !(value <= limit);
}

function orders({ orders: seen }: Sight, rules: WatchRules): readonly string[] {
  if (seen === null) return [];
  const found: string[] = [];
  let all = 0;
  for (const [symbol, notional] of seen.notionals) {
    all += notional;
    const { maxOpenNotional } = rules.symbols.get(symbol) ?? rules.everySymbol;
    if (above(notional, maxOpenNotional))
      found.push(`orders on ${symbol} are worth ${worthText(notional)}, above ${maxOpenNotional}`);
  }
  if (above(all, rules.maxOpenNotional))
    found.push(`orders are worth ${worthText(all)}, above ${rules.maxOpenNotional}`);
  if (above(seen.count, rules.maxOpenOrders)) found.push(`${seen.count} orders rest, above ${rules.maxOpenOrders}`);
  return found;
}

function positions({ positions: seen }: Sight, rules: WatchRules): readonly string[] {
  if (seen === null) return [];
  const found: string[] = [];
  let gross = 0;
  let net = 0;
  for (const { symbol, quantity, value } of seen) {
    const { maxPosition, maxPositionValue } = rules.symbols.get(symbol) ?? rules.everySymbol;
    if (above(Math.abs(quantity), maxPosition))
      found.push(`the position of ${symbol} is ${quantity}, beyond ${maxPosition}`);
    if (above(Math.abs(value), maxPositionValue))
      found.push(`the position of ${symbol} is worth ${worthText(value)}, beyond ${maxPositionValue}`);
    gross += Math.abs(value);
    net += value;
  }
  if (above(gross, rules.maxGrossValue))
    found.push(`positions are worth ${worthText(gross)} gross, above ${rules.maxGrossValue}`);
  if (above(Math.abs(net), rules.maxNetValue))
    found.push(`positions are worth ${worthText(net)} net, beyond ${rules.maxNetValue}`);
  return found;
}

function loss({ equity, dayEquity }: Sight, { dailyLossFraction }: WatchRules): readonly string[] {
  if (equity === null || dayEquity === null || dailyLossFraction <= 0) return [];
  const lost = dayEquity - equity;
  const limit = dayEquity * dailyLossFraction;
  return lost >= limit && limit > 0
    ? [`${worthText(lost)} are lost today at the exchange, the limit is ${worthText(limit)}`]
    : [];
}
