/** `place`, `cancel` and `cancelAll`. */
import type { CancelAction, CancelAllAction } from '../../model/trading/action.ts';
import type { PlaceAction } from '../../model/trading/place.ts';
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { decimalOrNull, decimalText } from '../../model/numbers/money.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { StrategySlot } from '../../risk/strategy-slot.ts';
import { isDenied, priceTicks, quantityLots } from '../../risk/normalise.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import { orderSpec, type OrderSpec, type Placement } from './placement.ts';
import { PARTS_MAX } from '../../risk/exits.ts';

export class Place {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #placement: Placement;

  constructor(core: Core, dispatcher: Dispatcher, placement: Placement) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#placement = placement;
  }

  place(slot: StrategySlot, action: PlaceAction): void {
    const core = this.#core;
    const { refs } = core.state;
    const { tag, name } = slot;
    const { ref: chosen, symbol } = action;
    if (chosen !== undefined && !refs.choose(tag, name, chosen)) {
      const reason = denied('duplicate_ref', `ref "${chosen}" was used before by ${tag}`, 'ref');
      core.deny(tag, 'place', reason, symbol, chosen);
      return;
    }
    const ref = chosen ?? refs.next(tag, name);
    const asked = this.#specOf(slot, action);
    const spec = 'reason' in asked ? asked : (this.#placement.judge(asked) ?? asked);
    if ('reason' in spec) {
      core.deny(tag, 'place', spec, symbol, ref, chosen === undefined);
      const order = deniedUpdate(action, slot, ref, spec, core.now());
      core.turn.emit({ kind: 'order', strategy: tag, order });
      return;
    }
    const left = this.#placement.place(spec, (part) => (part === 1 ? ref : this.#partRef(slot, ref, part)));
    if (left === 0) return;
    const stays = `${spec.instrument.quantityText(left)} of the exit stay, because it would need more than ${PARTS_MAX} orders at once`;
    const reason = denied('max_order_size', `${symbol}: ${stays}`, 'quantity');
    core.deny(tag, 'place', reason, symbol, partRef(ref, PARTS_MAX + 1));
  }

  /** Refs for parts of an exit above the order limit: `ref`, `ref#2`, `ref#3` … */
  #partRef({ tag, name }: StrategySlot, ref: string, part: number): string {
    const { refs } = this.#core.state;
    let number = part;
    while (!refs.choose(tag, name, partRef(ref, number))) number++;
    return partRef(ref, number);
  }

  cancel({ tag }: StrategySlot, { ref }: CancelAction): OwnOrder | undefined {
    const { orders } = this.#core.state;
    const order = orders.byRef(tag, ref);
    if (order === undefined) {
      const reason = denied('unknown_ref', `${tag} has no order with the ref "${ref}"`, 'ref');
      this.#core.deny(tag, 'cancel', reason, undefined, ref);
      return undefined;
    }
    const isPart = (other: OwnOrder): boolean =>
      other !== order && other.strategy === tag && other.partOf === order.ref;
    const parts = orders.live(order.instrument.symbol).filter(isPart);
    this.#dispatcher.cancel(parts.length === 0 ? [order] : [order, ...parts], false);
    return order;
  }

  cancelAll(slot: StrategySlot, { symbol, tag }: CancelAllAction): void {
    const { orders } = this.#core.state;
    const live = symbol === undefined ? orders.allLive() : orders.live(symbol);
    const named = live.filter(
      (order) => order.strategy === slot.tag && (tag === undefined || order.tag === tag) && !isClosed(order.progress),
    );
    const unknown = symbol === undefined || named.length > 0 ? undefined : this.#core.instrument(symbol);
    if (unknown !== undefined && 'reason' in unknown) this.#core.deny(slot.tag, 'cancelAll', unknown, symbol);
    this.#dispatcher.cancel(named, true);
  }

  #specOf(slot: StrategySlot, action: PlaceAction): OrderSpec | Denied {
    const instrument = this.#core.instrument(action.symbol);
    if ('reason' in instrument) return instrument;
    const unsupported = shapeDenial(instrument, action);
    if (unsupported !== null) return unsupported;
    const lots = quantityLots(instrument, action.quantity);
    if (isDenied(lots)) return lots;
    const isMarket = action.type === 'market';
    const ticks = isMarket || action.price === undefined ? 0 : priceTicks(instrument, action.price);
    if (isDenied(ticks)) return ticks;
    return orderSpec({
      slot,
      instrument,
      side: action.side,
      ticks,
      lots,
      timeInForce: action.timeInForce,
      positionSide: action.positionSide,
      reduceOnly: action.reduceOnly === true || closesSide(action),
      postOnly: action.postOnly,
      tag: action.tag,
      origin: 'place',
    });
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
