/** What strategies hold and an order could close; less is dust that fees and rounding leave. Used by `flatten` and by the end of a session. */
import type { Core } from './core.ts';
import { minLotsAt } from './normalise.ts';
import type { HeldPosition } from './positions.ts';

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

export function holdings(core: Core): readonly HeldPosition[] {
  return core.state.positions.all().filter((held) => closableLots(core, held) > 0);
}
