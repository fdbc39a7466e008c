/** What the tests of programs share: the rig of the executor, with words for programs. */
import type { Action } from '../../src/model/trading/action.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { ProgramUpdate } from '../../src/model/trading/program.ts';
import { BTC, HandClock, makeRig, type Rig, type RigOptions } from '../execution/rig.ts';

export const SYMBOL = 'BTCUSDT';

/** Bid 60,000, ask 60,001; limits that leave room. */
export function programRig(options: RigOptions = {}): Rig {
  return makeRig({ specs: [BTC], risk: { priceCollar: 0.5 }, clock: new HandClock(), ...options });
}

export function submit(rig: Rig, action: Action | readonly Action[]): void {
  rig.executor.submit('maker', action);
}

export function programOf(rig: Rig, ref?: string): ProgramUpdate {
  const all = rig.executor.programs();
  const found = ref === undefined ? all.at(-1) : all.find((program) => program.ref === ref);
  if (found === undefined) throw new Error(`no program ${ref ?? ''}`);
  return found;
}

/** What rests, as `side quantity @ price`. */
export function resting(rig: Rig): readonly string[] {
  return rig.venue.resting().map(({ side, quantity, price }) => `${side} ${quantity} @ ${price ?? 'market'}`);
}

/** The newest resting order of a side. */
export function rests(rig: Rig, side: 'buy' | 'sell'): OrderReport {
  const found = rig.venue.resting().findLast((order) => order.side === side);
  if (found === undefined) throw new Error(`no ${side} rests`);
  return found;
}

/** Fills all of the newest resting order of a side. */
export function fills(rig: Rig, side: 'buy' | 'sell', price?: string, quantity?: string): void {
  const { orderId, quantity: all, filledQuantity } = rests(rig, side);
  const left = String(Number((Number(all) - Number(filledQuantity)).toFixed(8)));
  rig.venue.tellFill(orderId, quantity ?? left, price);
}

export function size(rig: Rig): number {
  return rig.executor.account('maker').position(SYMBOL).size;
}
