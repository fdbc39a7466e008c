/**
 * Handles a booked trade for which the list of own trades shows another quantity or price. Its symbol is halted until a
 * human says which is right. If the list is right, the difference is booked. Another fee is booked as listed at once:
 * some exchanges push a trade before they know it.
 */
import type { ContradictedEntry } from '../../model/entries/journal.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import { contradictionText } from '../../risk/gates.ts';
import { contradictedId } from '../../spine/external-keys.ts';
import { AGREED, listedOtherwise } from '../../spine/orders/fill-check.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { feeCorrections } from '../../spine/orders/listed-fee.ts';
import type { Core } from '../core.ts';
import { fillEntry, pricesOf, tellFill } from './bookings.ts';

export const AS_LISTED = 'as-listed';
export const AS_BOOKED = 'as-booked';

/** Compares a listed trade. One that is not booked yet contradicts nothing. */
export function compareListed(core: Core, order: OwnOrder, told: VenueFill): void {
  const id = contradictedId(told);
  const open = core.state.contradicted.get(id);
  const entry = listedOtherwise(order, told);
  if (open !== undefined && entry === null)
    settleContradiction(core, id, open, AGREED, 'the list of own trades shows it as booked again');
  if (open !== undefined && (entry === null || isSame(open.fill, entry.fill))) return;
  if (entry === null) {
    for (const part of feeCorrections(order, told)) bookCorrection(core, order, part);
    return;
  }
  const { instrument } = order;
  core.spine.commitTo(order, entry);
  const message = contradictionText(core.state, entry);
  core.alarm('fill_contradiction', message);
  core.halt(instrument.symbol, message);
  core.shut(instrument.symbol);
  core.news.moved.add(instrument.symbol);
}

function isSame(one: VenueFill, other: VenueFill): boolean {
  return dec(one.quantity).eq(other.quantity) && dec(one.price).eq(other.price);
}

/** Runs in the turn of the decision. The halt of the contradiction ends with it. */
export function settleContradiction(
  core: Core,
  id: string,
  entry: ContradictedEntry,
  choice: string,
  reason: string,
): void {
  const { fill, intentId } = entry;
  const { symbol, orderId } = fill;
  const message = contradictionText(core.state, entry);
  core.spine.commit({ kind: 'divided', id, orderId, choice, shares: [], reason });
  const order = core.state.orders.byIntent(intentId);
  if (choice === AS_LISTED && order !== undefined)
    for (const part of correctionsOf(entry, core.now())) bookCorrection(core, order, part);
  if (core.state.halts.get(symbol) === message) core.spine.commit({ kind: 'halt', symbol, on: false, reason });
  core.doubt(message);
}

/** The difference, if the price is the same. Otherwise the whole is withdrawn and booked as listed. */
export function correctionsOf({ fill, booked }: ContradictedEntry, now: number): readonly VenueFill[] {
  const { realizedPnl: _whole, ...terms } = fill;
  const back = fill.side === 'buy' ? 'sell' : 'buy';
  const name = (what: string): string => `${fill.tradeId}/${what}-${now}`;
  if (dec(booked.price).eq(dec(fill.price))) {
    const more = dec(fill.quantity).minus(dec(booked.quantity));
    const fee = decimalText(dec(fill.fee).minus(dec(booked.fee)));
    const side = more.isPositive() ? fill.side : back;
    return [{ ...terms, tradeId: name('corrected'), side, quantity: decimalText(more.abs()), fee }];
  }
  const fee = decimalText(dec(booked.fee).neg());
  return [
    { ...terms, ...booked, tradeId: name('taken-back'), side: back, fee },
    { ...terms, tradeId: name('corrected') },
  ];
}

export function bookCorrection(core: Core, order: OwnOrder, fill: VenueFill): void {
  const { intentId, strategy, ref, tag, arrivalMid } = order;
  const { symbol } = fill;
  const prices = pricesOf(core, order.instrument, fill);
  core.putInstrument(order.instrument);
  core.spine.commitTo(order, { ...fillEntry(intentId, fill, prices, 'reconcile'), corrects: true });
  core.news.moved.add(symbol);
  core.signal({ kind: 'booked', fill });
  tellFill(core, strategy, { ...fill, ref, tag }, prices, arrivalMid);
  core.orderMoved(order);
}
