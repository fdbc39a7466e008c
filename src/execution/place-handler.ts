/** `place`, `cancel` and `cancelAll`. */
import type { CancelAction, CancelAllAction, PlaceAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import { decimalOrNull, decimalText } from '../model/money.ts';
import type { OrderUpdate } from '../model/order.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isDenied, priceTicks, quantityLots } from '../risk/normalise.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import type { OrderSpec } from './placement.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { Placement } from './placement.ts';
import { PARTS_MAX } from '../risk/exits.ts';

export class PlaceHandler {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  place(slot: StrategySlot, action: PlaceAction): void {
    const { refs } = this.#core.state;
    const { tag } = slot;
    if (action.ref !== undefined && !refs.choose(tag, slot.name, action.ref)) {
      const reason = denied('duplicate_ref', `ref "${action.ref}" was used before by ${tag}`, 'ref');
      this.#core.deny(tag, 'place', reason, action.symbol, action.ref);
      return;
    }
    const ref = action.ref ?? refs.next(tag, slot.name);
    const spec = this.#judged(slot, action);
    if ('reason' in spec) {
      this.#core.deny(tag, 'place', spec, action.symbol, ref, action.ref === undefined);
      this.#core.turn.emit(
        Object.freeze({
          kind: 'order',
          strategy: tag,
          order: deniedUpdate(action, slot, ref, spec, this.#core.now()),
        }),
      );
      return;
    }
    const left = this.#placement.place(spec, (part) => (part === 1 ? ref : this.#partRef(slot, ref, part)));
    if (left > 0) this.#leaveOut(spec, left, ref);
  }

  /** Parts of an exit above the order limit: `ref`, `ref#2`, `ref#3` … */
  #partRef({ tag, name }: StrategySlot, ref: string, part: number): string {
    const { refs } = this.#core.state;
    let number = part;
    while (!refs.choose(tag, name, partRef(ref, number))) number++;
    return partRef(ref, number);
  }

  #leaveOut({ slot, instrument }: OrderSpec, lots: number, ref: string): void {
    const left = instrument.quantityText(lots);
    const message = `${instrument.symbol}: ${left} of the exit stay, since it would take more than ${PARTS_MAX} orders at once`;
    const reason = denied('max_order_size', message, 'quantity');
    this.#core.deny(slot.tag, 'place', reason, instrument.symbol, partRef(ref, PARTS_MAX + 1));
  }

  cancel(slot: StrategySlot, action: CancelAction): OwnOrder | undefined {
    const { orders } = this.#core.state;
    const order = orders.byRef(slot.tag, action.ref);
    if (order === undefined) {
      this.#core.deny(
        slot.tag,
        'cancel',
        denied('unknown_ref', `${slot.tag} has no order with the ref "${action.ref}"`, 'ref'),
        undefined,
        action.ref,
      );
      return undefined;
    }
    const all = [order];
    for (const part of orders.live(order.instrument.symbol))
      if (part !== order && part.strategy === slot.tag && part.partOf === order.ref) all.push(part);
    this.#dispatcher.cancel(all, false);
    return order;
  }

  cancelAll(slot: StrategySlot, action: CancelAllAction): void {
    const { symbol, tag } = action;
    const orders = this.ordersOf(slot.tag, symbol, tag);
    if (symbol !== undefined && orders.length === 0 && this.#core.deps.instruments.find(symbol) === undefined) {
      const reason = denied('unknown_symbol', `${symbol} is not an instrument of this venue`, 'symbol');
      this.#core.deny(slot.tag, 'cancelAll', reason, symbol);
    }
    this.#dispatcher.cancel(orders, true);
  }

  ordersOf(strategy: string, symbol?: string, tag?: string): readonly OwnOrder[] {
    const { orders } = this.#core.state;
    const live = symbol === undefined ? orders.allLive() : orders.live(symbol);
    return live.filter(
      (order) => order.strategy === strategy && (tag === undefined || order.tag === tag) && !isClosed(order.progress),
    );
  }

  #judged(slot: StrategySlot, action: PlaceAction): OrderSpec | Denied {
    const spec = this.#specOf(slot, action);
    return 'reason' in spec ? spec : (this.#placement.judge(spec) ?? spec);
  }

  #specOf(slot: StrategySlot, action: PlaceAction): OrderSpec | Denied {
    const instrument = this.#core.deps.instruments.find(action.symbol);
    if (instrument === undefined)
      return denied('unknown_symbol', `${action.symbol} is not an instrument of this venue`, 'symbol');
    const unsupported = shapeDenial(instrument, action);
    if (unsupported !== null) return unsupported;
    const lots = quantityLots(instrument, action.quantity);
    if (isDenied(lots)) return lots;
    const isMarket = action.type === 'market';
    const ticks = isMarket || action.price === undefined ? 0 : priceTicks(instrument, action.price);
    if (isDenied(ticks)) return ticks;
    return {
      slot,
      instrument,
      side: action.side,
      isMarket,
      timeInForce: action.timeInForce ?? (isMarket ? 'ioc' : 'gtc'),
      ticks,
      lots,
      positionSide: action.positionSide ?? 'both',
      reduceOnly: action.reduceOnly === true || closesSide(action),
      postOnly: action.postOnly ?? false,
      tag: action.tag ?? slot.tag,
      origin: 'place',
    };
  }
}

function partRef(ref: string, part: number): string {
  return `${ref}#${part}`;
}

/** In hedge mode these can only reduce. */
function closesSide({ positionSide, side }: PlaceAction): boolean {
  return (positionSide === 'long' && side === 'sell') || (positionSide === 'short' && side === 'buy');
}

function shapeDenial(instrument: Instrument, action: PlaceAction): Denied | null {
  const { symbol } = instrument;
  if (action.side !== 'buy' && action.side !== 'sell')
    return denied('unsupported', `${symbol}: side is "buy" or "sell"`, 'side');
  if (action.type !== 'limit' && action.type !== 'market')
    return denied('unsupported', `${symbol}: type is "limit" or "market"`, 'type');
  if (action.type === 'limit' && action.price === undefined)
    return denied('missing_price', `${symbol}: a limit order needs a price`, 'price');
  if (action.type === 'market' && action.price !== undefined)
    return denied('unsupported', `${symbol}: a market order takes no price`, 'price');
  if (action.type === 'market' && action.timeInForce === 'gtc')
    return denied('unsupported', `${symbol}: a market order does not rest`, 'timeInForce');
  if (action.postOnly === true && (action.type === 'market' || action.timeInForce === 'ioc')) {
    return denied('unsupported', `${symbol}: a post-only order rests, so it is a gtc limit`, 'postOnly');
  }
  if (instrument.market === 'spot' && action.positionSide !== undefined && action.positionSide !== 'both') {
    return denied('unsupported', `${symbol}: spot has no position sides`, 'positionSide');
  }
  return null;
}

/** An invalid price is null, an invalid quantity "0". */
function deniedUpdate(action: PlaceAction, slot: StrategySlot, ref: string, reason: Denied, ts: number): OrderUpdate {
  return Object.freeze({
    ts,
    ref,
    tag: action.tag ?? slot.tag,
    symbol: action.symbol,
    side: action.side,
    type: action.type,
    timeInForce: action.timeInForce ?? (action.type === 'market' ? 'ioc' : 'gtc'),
    price: amountOf(action.price),
    quantity: amountOf(action.quantity) ?? '0',
    filledQuantity: '0',
    averagePrice: null,
    state: 'denied',
    reason: reason.reason,
    message: reason.message,
  });
}

function amountOf(value: PlaceAction['price']): string | null {
  const amount = value === undefined ? null : decimalOrNull(value);
  return amount === null ? null : decimalText(amount);
}
