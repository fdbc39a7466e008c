/**
 * What a strategy bears of a liquidation, and what of it stands in the sums of the account: state, journal and events of it.
 * Used as the exchange liquidates, and as a human says whose it was.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import { decimalText, type Decimal } from '../model/money.ts';
import type { Core } from './core.ts';
import { externalTradeKey } from '../spine/external-keys.ts';
import { positionTold } from './holdings.ts';
import { positionName } from '../spine/positions.ts';

export function liquidatedName({ symbol, positionSide }: VenueFill): string {
  return positionName(symbol, positionSide ?? 'both');
}

/** Of the part that no strategy bears; as trades of others are named. */
export function restId(fill: VenueFill): string {
  return externalTradeKey(fill, liquidatedName(fill));
}

/** Counts like a fill of the strategy's own. */
export function bookShare(core: Core, strategy: string, instrument: Instrument, fill: VenueFill): void {
  core.putInstrument(instrument);
  core.spine.commit({ kind: 'liquidation', strategy, fill });
  const mid = core.deps.market.mid(fill.symbol) ?? null;
  const told = Object.freeze({ ...fill, ref: `liquidation-${fill.tradeId}`, tag: strategy });
  core.turn.emit(Object.freeze({ kind: 'fill', strategy, fill: told, mid, arrivalMid: null }));
  const held = core.state.positions.of(strategy, fill.symbol, fill.positionSide ?? 'both');
  if (held !== undefined) core.turn.emit(positionTold(core, held));
  core.moved.add(fill.symbol);
  core.workWanted = true;
}

/** The account's sum takes so much of the fill: what no strategy bears, or below zero what one bears after all. */
export function bookRest(core: Core, id: string, fill: VenueFill, quantity: Decimal, cause: string): void {
  const moved = fill.side === 'buy' ? quantity : quantity.neg();
  core.spine.commit({
    kind: 'adjustment',
    id,
    subject: 'position',
    name: liquidatedName(fill),
    quantity: decimalText(moved),
    cause,
  });
}
