/** Books a liquidation: the strategies' shares and the account's rest. */
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

/** Key of the part that no strategy bears. */
export function restId(fill: VenueFill): string {
  return externalTradeKey(fill, liquidatedName(fill));
}

/** Counts like a fill of the strategy. */
export function bookShare(core: Core, strategy: string, instrument: Instrument, fill: VenueFill): void {
  core.putInstrument(instrument);
  const rates = core.risk.ratesOf(instrument, fill);
  core.spine.commit({ kind: 'liquidation', strategy, fill, ...rates });
  const mid = core.deps.market.mid(fill.symbol) ?? null;
  const told = Object.freeze({ ...fill, ref: `liquidation-${fill.tradeId}`, tag: strategy });
  core.turn.emit(Object.freeze({ kind: 'fill', strategy, fill: told, mid, ...rates, arrivalMid: null }));
  const held = core.state.positions.of(strategy, fill.symbol, fill.positionSide ?? 'both');
  if (held !== undefined) core.turn.emit(positionTold(core, held));
  core.news.moved.add(fill.symbol);
  core.workWanted = true;
}

/** `quantity` in base units; negative to take back what a strategy bears after all. */
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
