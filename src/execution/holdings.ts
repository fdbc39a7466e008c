/** What strategies hold and an order could close; less is dust that fees and rounding leave. Used by `flatten` and by the end of a session. */
import type { StrategyPosition } from '../model/account.ts';
import type { Core } from './core.ts';
import { minLotsAt } from '../risk/normalise.ts';
import type { PositionEvent } from '../spine/events.ts';
import { PositionTold, strategyPosition, type HeldPosition } from '../spine/positions.ts';

/** Lots as computed from exact quantities may be off in the last bits. */
const EPSILON = 1e-9;

/** Lots of a position that an order can close, without a sign; 0 for dust. */
export function closableLots(
  core: Core,
  { instrument, lots: held }: Pick<HeldPosition, 'instrument' | 'lots'>,
): number {
  const mid = core.deps.market.mid(instrument.symbol);
  const lots = Math.floor(Math.abs(held) + EPSILON);
  return lots < minLotsAt(core.grid(instrument), mid === undefined ? 0 : mid / instrument.tick) ? 0 : lots;
}

/** As its strategy sees it now. */
export function toldPosition(core: Core, held: HeldPosition): StrategyPosition {
  return strategyPosition(held, closableLots(core, held) === 0);
}

/** Tells of it as it is now. */
export function positionTold(core: Core, held: HeldPosition): PositionEvent {
  return new PositionTold(held, closableLots(core, held) === 0);
}

export function holdings(core: Core): readonly HeldPosition[] {
  return core.state.positions.all().filter((held) => closableLots(core, held) > 0);
}
