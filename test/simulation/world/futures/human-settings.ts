/**
 * The human who changes the position mode of the account, or the margin type of the perpetual, and sets it back some time
 * later. The exchange allows either only while nothing stands, so whatever stands goes first: orders are cancelled, positions
 * closed, ours among them. Reliability M10.
 */
import type { PositionSide } from '../../../../src/model/trading/order.ts';
import type { Trader } from '../../../../src/sandbox/core/orders/order-record.ts';
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts';
import type { PerpetualSide } from './perpetual-side.ts';
import { LOT, PERPETUAL } from './terms.ts';

export type Setting = 'position mode' | 'margin type';

export interface HumanSettingsDeps {
  readonly sandbox: Sandbox;
  readonly trader: Trader;
  readonly side: PerpetualSide;
  /** Takes over what the human has placed. */
  readonly keep: (orderId: string) => void;
}

/** A close is made in two, the second of so many lots: no order of ours is of as many. */
const LAST_LOTS = 37;

export class HumanSettings {
  readonly #deps: HumanSettingsDeps;
  #changed: Setting | null = null;
  #untilMs = 0;

  constructor(deps: HumanSettingsDeps) {
    this.#deps = deps;
  }

  /** True when it was done: one at a time, and not while something stands still. */
  change(setting: Setting, untilMs: number): boolean {
    if (this.#changed !== null || !this.#set(setting, true)) return false;
    this.#changed = setting;
    this.#untilMs = untilMs;
    return true;
  }

  /** Sets it back when its time is over; tried again as long as something stands. */
  everySecond(nowMs: number): void {
    if (this.#changed !== null && nowMs >= this.#untilMs && this.#set(this.#changed, false)) this.#changed = null;
  }

  /** It is time now. */
  calm(): void {
    this.#untilMs = 0;
  }

  /** True when it is done. */
  #set(setting: Setting, isOther: boolean): boolean {
    const { sandbox, trader, side } = this.#deps;
    const { mode, marginType } = side.terms;
    const { settings } = sandbox.exchange.futures;
    let isDone = false;
    sandbox.operate((now) => {
      this.#clear(now);
      const refusal =
        setting === 'position mode'
          ? settings.setMode(trader, isOther === (mode === 'hedge') ? 'one-way' : 'hedge')
          : settings.setMarginType(trader, PERPETUAL, isOther === (marginType === 'cross') ? 'isolated' : 'cross');
      isDone = refusal === undefined;
    });
    return isDone;
  }

  #clear(now: number): void {
    const { sandbox, trader, side } = this.#deps;
    const { exchange } = sandbox;
    for (const record of Array.from(trader.history?.active.values() ?? []))
      if (record.market.instrument.symbol === PERPETUAL) exchange.flowOf(record.market).cancel(record, now);
    for (const one of side.sides) this.#close(one, now);
  }

  /** In two: a close by hand with the very terms of one of ours, within the fence of one of unknown outcome, is told apart by nothing. */
  #close(positionSide: PositionSide, now: number): void {
    const { sandbox, trader, side, keep } = this.#deps;
    const lots = side.held(positionSide).abs().div(LOT);
    if (lots.isZero()) return;
    const last = lots.minus(LAST_LOTS).div(100).isInteger() ? LAST_LOTS + 1 : LAST_LOTS;
    const parts = lots.gt(2 * LAST_LOTS) ? [{ quantity: lots.minus(last).times(LOT).toFixed() }, {}] : [{}];
    for (const part of parts) {
      const request = { symbol: PERPETUAL, positionSide, ...part };
      const record = sandbox.exchange.futures.trading.close(trader, request, now);
      if ('orderId' in record) keep(record.orderId);
    }
  }
}
