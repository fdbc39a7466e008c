/**
 * Messages per second and minute, and value per minute and hour, of the account and of each strategy. Cancels count
 * too; only new risk is denied.
 */
import type { Denied, RiskFigure } from '../../model/deny-reason.ts';
import type { RiskOptions, StrategyLimits } from '../options.ts';
import type { Candidate } from '../facts.ts';
import type { Limited } from '../limit-book.ts';
import { numberOf } from '../limits.ts';
import { MessageRate, MINUTE_MS } from './message-rate.ts';
import { OrderFlow } from './order-flow.ts';

type RateOptions = Pick<RiskOptions | StrategyLimits, 'messagesPerSecond' | 'messagesPerMinute'>;
type FlowOptions = Pick<StrategyLimits, 'maxOrderValuePerMinute' | 'maxOrderValuePerHour'>;

const HOUR_MS = 60 * MINUTE_MS;
export const LONGEST_WINDOW_MS = HOUR_MS;

class Rates {
  readonly #rates: readonly MessageRate[];
  readonly #minute = new OrderFlow(MINUTE_MS, 'minute');
  readonly #hour = new OrderFlow(HOUR_MS, 'hour');

  constructor({ messagesPerSecond, messagesPerMinute }: RateOptions) {
    this.#rates = [
      ...(messagesPerSecond === undefined ? [] : [new MessageRate(messagesPerSecond)]),
      ...(messagesPerMinute === undefined ? [] : [new MessageRate(messagesPerMinute, MINUTE_MS)]),
    ];
  }

  denial(now: number, value: number, limits: FlowOptions, whose: string): Denied | null {
    for (const rate of this.#rates) {
      const denial = rate.denial(now, whose);
      if (denial !== null) return denial;
    }
    const { maxOrderValuePerMinute, maxOrderValuePerHour } = limits;
    if (maxOrderValuePerMinute !== undefined) {
      const denial = this.#minute.denial(now, value, numberOf(maxOrderValuePerMinute), whose);
      if (denial !== null) return denial;
    }
    if (maxOrderValuePerHour === undefined) return null;
    return this.#hour.denial(now, value, numberOf(maxOrderValuePerHour), whose);
  }

  figures(now: number, value: number, limits: FlowOptions, whose: string): readonly RiskFigure[] {
    const { maxOrderValuePerMinute, maxOrderValuePerHour } = limits;
    const figures = this.#rates.map((rate) => rate.figure(now, whose));
    if (maxOrderValuePerMinute !== undefined)
      figures.push(this.#minute.figure(now, value, numberOf(maxOrderValuePerMinute), whose));
    if (maxOrderValuePerHour !== undefined)
      figures.push(this.#hour.figure(now, value, numberOf(maxOrderValuePerHour), whose));
    return figures;
  }

  count(now: number, value: number): void {
    for (const rate of this.#rates) rate.count(now);
    if (value === 0) return;
    this.#minute.count(now, value);
    this.#hour.count(now, value);
  }
}

export class OrderRates {
  readonly #account: Rates;
  readonly #strategies: ReadonlyMap<string, Rates>;

  constructor({ risk, strategies }: Limited) {
    this.#account = new Rates(risk);
    this.#strategies = new Map([...strategies].map(([tag, limits]) => [tag, new Rates(limits)]));
  }

  denial(order: Candidate, now: number, value: number, { risk, strategies }: Limited): Denied | null {
    if (order.exits) return null;
    const ofAccount = this.#account.denial(now, value, risk, 'the account');
    if (ofAccount !== null) return ofAccount;
    const limits = strategies.get(order.strategy);
    if (limits === undefined) return null;
    return this.#strategies.get(order.strategy)?.denial(now, value, limits, order.strategy) ?? null;
  }

  figures({ strategy }: Candidate, now: number, value: number, { risk, strategies }: Limited): readonly RiskFigure[] {
    const own = this.#strategies.get(strategy)?.figures(now, value, strategies.get(strategy) ?? {}, strategy) ?? [];
    return [...this.#account.figures(now, value, risk, 'the account'), ...own];
  }

  count(strategy: string, now: number, value: number): void {
    this.#account.count(now, value);
    this.#strategies.get(strategy)?.count(now, value);
  }
}
