/** A week of minute candles in ticks and lots. Minutes without trades have none. */
import type { Side } from '../../../model/trading/order.ts';
import { alignDown } from '../../../model/time.ts';

export const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEPT_MINUTES = 7 * 24 * 60;

export interface MinuteCandle {
  openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  /** Bought by takers. */
  takerBuyLots: number;
  /** Σ ticks × lots. */
  value: bigint;
}

export class CandleStore {
  readonly #minutes: MinuteCandle[] = [];

  get latest(): MinuteCandle | undefined {
    return this.#minutes[this.#minutes.length - 1];
  }

  /** `now` never falls. */
  add(now: number, ticks: number, lots: number, takerSide: Side): void {
    const openTime = alignDown(now, MINUTE_MS);
    let candle = this.latest;
    if (candle === undefined || candle.openTime !== openTime) {
      candle = emptyCandle(openTime, ticks);
      this.append(candle);
    }
    countTrade(candle, ticks, lots, takerSide === 'buy');
  }

  append(candle: MinuteCandle): void {
    this.#minutes.push(candle);
    if (this.#minutes.length > KEPT_MINUTES + 1000) this.#minutes.splice(0, this.#minutes.length - KEPT_MINUTES);
  }

  /** Zeros without trades. */
  day(now: number): MinuteCandle {
    let day: MinuteCandle | undefined;
    for (let index = this.#minutes.length - 1; index >= 0; index--) {
      const minute = this.#minutes[index]!;
      if (minute.openTime < now - DAY_MS) break;
      if (day === undefined) day = { ...minute };
      else prepend(day, minute);
    }
    return day ?? emptyCandle(0, 0);
  }

  /** `from` and `to` are inclusive open times; the newest `limit`, oldest first. */
  list(intervalMs: number, from: number, to: number, limit: number): MinuteCandle[] {
    const found: MinuteCandle[] = [];
    for (let index = this.#minutes.length - 1; index >= 0; index--) {
      const minute = this.#minutes[index]!;
      const openTime = alignDown(minute.openTime, intervalMs);
      if (openTime < from) break;
      if (openTime > to) continue;
      const newest = found[found.length - 1];
      if (newest !== undefined && newest.openTime === openTime) {
        prepend(newest, minute);
        continue;
      }
      if (found.length === limit) break;
      found.push({ ...minute, openTime });
    }
    return found.toReversed();
  }
}

export function emptyCandle(openTime: number, ticks: number): MinuteCandle {
  return { openTime, open: ticks, high: ticks, low: ticks, close: ticks, lots: 0, takerBuyLots: 0, value: 0n };
}

export function countTrade(candle: MinuteCandle, ticks: number, lots: number, takerBuys: boolean): void {
  candle.high = Math.max(candle.high, ticks);
  candle.low = Math.min(candle.low, ticks);
  candle.close = ticks;
  candle.lots += lots;
  if (takerBuys) candle.takerBuyLots += lots;
  candle.value += BigInt(ticks) * BigInt(lots);
}

function prepend(wide: MinuteCandle, earlier: MinuteCandle): void {
  wide.open = earlier.open;
  wide.high = Math.max(wide.high, earlier.high);
  wide.low = Math.min(wide.low, earlier.low);
  wide.lots += earlier.lots;
  wide.takerBuyLots += earlier.takerBuyLots;
  wide.value += earlier.value;
}
