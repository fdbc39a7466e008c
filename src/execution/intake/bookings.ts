/**
 * Publishes booked fills. Also books what no own order has filled: the shares and the rest of a liquidation, and the
 * reversal of a trade that was booked as external and belongs to an own order.
 */
import type { FillEntry, Source } from '../../model/entries/journal.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { Fill, FillRates, VenueFill } from '../../model/trading/fill.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { Core } from '../core.ts';
import { movesOf } from '../../reconciler/account/external-moves.ts';
import type { FillEvent } from '../../spine/events.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { externalOrderKey, externalTradeKey } from '../../spine/external-keys.ts';
import { countOfIntent } from '../../spine/intent-id.ts';
import { positionTold } from '../rules/holdings.ts';
import { positionNameOf } from '../../spine/positions.ts';

export const RETURNED = 'own trade that was booked as external';

/** Mid and rates when a fill is learned. */
interface Prices {
  readonly mid: number | null;
  readonly rates: FillRates | undefined;
}

export function pricesOf(core: Core, instrument: Instrument, fill: VenueFill): Prices {
  return { mid: core.deps.market.mid(instrument.symbol) ?? null, rates: core.risk.valuation.ratesOf(instrument, fill) };
}

export function fillEntry(intentId: string, fill: VenueFill, prices: Prices, source: Source): Mutable<FillEntry> {
  const entry: Mutable<FillEntry> = { kind: 'fill', intentId, fill, mid: prices.mid, source };
  if (prices.rates !== undefined) entry.rates = prices.rates;
  return entry;
}

/** Publishes a booked fill, and the position that it made. */
export function tellFill(core: Core, strategy: string, fill: Fill, prices: Prices, arrivalMid: number | null): void {
  const { turn, state } = core;
  if (!turn.heard) return;
  const event: Mutable<FillEvent> = { kind: 'fill', strategy, fill: Object.freeze(fill), mid: prices.mid, arrivalMid };
  if (prices.rates !== undefined) event.rates = prices.rates;
  turn.emit(event);
  const held = state.positions.of(strategy, fill.symbol, fill.positionSide ?? 'both');
  if (held !== undefined) turn.emit(positionTold(core, held));
}

/** An own order of this process crossed: where the venue prints own trades, nobody else traded that. */
export function noteTaken({ deps, news }: Core, { intentId, instrument }: OwnOrder, fill: VenueFill): void {
  const isOfThisProcess = countOfIntent(intentId, deps.bootId) !== undefined;
  if (!deps.venue.printsOwn || fill.liquidity !== 'taker' || !isOfThisProcess) return;
  const lots = Number(fill.quantity) / instrument.lot;
  news.taken.set(instrument.symbol, (news.taken.get(instrument.symbol) ?? 0) + lots);
}

/** Key of the part of a liquidation that no strategy carries. */
export function restId(fill: VenueFill): string {
  return externalTradeKey(fill, positionNameOf(fill));
}

/** Counts like a fill of the strategy. */
export function bookShare(core: Core, strategy: string, instrument: Instrument, fill: VenueFill): void {
  core.putInstrument(instrument);
  const prices = pricesOf(core, instrument, fill);
  const { rates } = prices;
  core.spine.commit({ kind: 'liquidation', strategy, fill, ...(rates === undefined ? {} : { rates }) });
  tellFill(core, strategy, { ...fill, ref: `liquidation-${fill.tradeId}`, tag: strategy }, prices, null);
  core.news.moved.add(fill.symbol);
  core.workWanted = true;
}

/** `quantity` in base units; negative to withdraw a part that a strategy carries after all. */
export function bookRest(core: Core, id: string, fill: VenueFill, quantity: Decimal, cause: string): void {
  const moved = decimalText(fill.side === 'buy' ? quantity : quantity.neg());
  core.spine.commit({
    kind: 'adjustment',
    id,
    subject: 'position',
    name: positionNameOf(fill),
    quantity: moved,
    cause,
  });
}

/** Reverses the external booking of a trade that belongs to an own order. */
export function returnTrade(core: Core, fill: VenueFill): void {
  if (!core.state.isBooked(externalOrderKey(fill.symbol, fill.orderId))) return;
  const subject = fill.market === 'derivative' ? 'position' : 'balance';
  for (const [name, amount] of movesOf(fill, core.deps.instruments)) {
    const key = externalTradeKey(fill, name);
    const id = `returned/${key}`;
    if (amount.isZero() || !core.state.isBooked(key) || core.state.isBooked(id)) continue;
    const quantity = decimalText(amount.neg());
    core.spine.commit({ kind: 'adjustment', id, subject, name, quantity, cause: RETURNED });
  }
}
