/** Positions that an order could close. Anything less is dust. */
import type { StrategyPosition } from '../../model/trading/account.ts';
import { decimalText } from '../../model/numbers/money.ts';
import type { Core } from '../core.ts';
import { whole } from '../../programs/terms.ts';
import { minLotsAt } from '../../risk/normalise.ts';
import type { PositionEvent } from '../../spine/events.ts';
import { PublishedPosition, strategyPosition, type HeldPosition } from '../../spine/positions.ts';

/** Unsigned lots that an order can close; 0 for dust. */
export function closableLots(
  core: Core,
  { instrument, lots: held }: Pick<HeldPosition, 'instrument' | 'lots'>,
): number {
  const mid = core.deps.market.mid(instrument.symbol);
  const lots = whole(Math.abs(held));
  return lots < minLotsAt(instrument.limits, mid === undefined ? 0 : mid / instrument.tick) ? 0 : lots;
}

export function toldPosition(core: Core, held: HeldPosition): StrategyPosition {
  return strategyPosition(held, closableLots(core, held) === 0);
}

export function positionTold(core: Core, held: HeldPosition): PositionEvent {
  return new PublishedPosition(held, closableLots(core, held) === 0);
}

/** Reports once per position what no order can close: fractions of a lot, or less than the smallest order. */
export function sayDust(core: Core, held: HeldPosition | undefined): void {
  if (held === undefined || held.lots === 0 || core.dustSaid.has(held) || closableLots(core, held) > 0) return;
  core.dustSaid.add(held);
  const { strategy, instrument, position, lots } = held;
  const least = Math.abs(lots) < 1 ? 'one lot' : 'the smallest order that the exchange accepts';
  const what = instrument.market === 'spot' ? instrument.base : instrument.symbol;
  core.note(strategy, `${decimalText(position.quantity)} ${what} is below ${least} and stays`);
}

/** A live order, a program, a position that an order could close, a latch, a pause, a halt or an open decision. */
export function leavesAnything(core: Core): boolean {
  const { orders, positions, latches, pauses, halts, undivided, contradicted, programs } = core.state;
  const awaitsHuman = latches.size + pauses.size + halts.size + contradicted.size > 0 || undivided.all.length > 0;
  const works = programs.working.size > 0 || orders.allLive().length > 0;
  return awaitsHuman || works || positions.all().some((held) => closableLots(core, held) > 0);
}
