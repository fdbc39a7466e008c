/**
 * Money of a linear perpetual (rule A3): one-way or hedge, isolated or cross, at a leverage. Margin is cost / leverage plus
 * what the orders of the worse direction would open; profit, fees and funding settle in the settlement currency. The cost
 * basis is that of `model/position.ts` (rule A4). When a position must go `margin-pool.ts` says; `liquidate` closes it.
 */
import { signedQuantity, type VenuePosition } from '../model/account.ts';
import type { Instrument } from '../model/instrument.ts';
import { type Decimal, decimalText, sum, ZERO, dec } from '../model/money.ts';
import type { Liquidity, PositionSide, Side } from '../model/order.ts';
import { feeOf, type FeeRates } from '../clearing/fees.ts';
import type { Desk, PlannedFill, SettledFill } from './desk.ts';
import { fundingPayment, unrealizedOf } from '../clearing/margin/exposure.ts';
import type { MarginPool } from './margin-pool.ts';
import { msOfUs, type OrderRecord } from './order-record.ts';
import type { AccountTotals } from './observer.ts';
import type { PerpetualTerms } from './perpetual-options.ts';
import { PerpetualSide } from './perpetual-side.ts';
import type { Purse } from './purse.ts';

const AVERAGE_PLACES = 18;

/** What closing a position at its bankruptcy price came to. */
export interface ForcedClose {
  readonly side: Side;
  readonly quantity: Decimal;
  readonly fee: Decimal;
  readonly realizedPnl: Decimal;
}

export interface PerpetualDeps {
  readonly instrument: Instrument;
  readonly purse: Purse;
  readonly pool: MarginPool;
  readonly rates: FeeRates;
  readonly terms: PerpetualTerms;
  /** As the venue knows it now, or null. */
  readonly mark: () => Decimal | null;
  /** The same as a number; NaN when it is not known. */
  readonly markNumber: () => number;
}

export class PerpetualDesk implements Desk {
  readonly instrument: Instrument;
  readonly terms: PerpetualTerms;
  readonly sides: readonly PerpetualSide[];
  readonly #deps: PerpetualDeps;
  readonly #size: Decimal;
  /** What the positions and their orders needed after their last change. */
  #held: Decimal = ZERO;
  #updatedUs = 0;

  constructor(deps: PerpetualDeps) {
    const { instrument, terms } = deps;
    this.#deps = deps;
    this.instrument = instrument;
    this.terms = terms;
    this.#size = instrument.contractSize;
    const names: readonly PositionSide[] = terms.isHedge ? ['long', 'short'] : ['both'];
    this.sides = names.map((name) => new PerpetualSide(name, instrument, terms.leverage));
    deps.pool.join(this);
  }

  get mark(): Decimal | null {
    return this.#deps.mark();
  }

  get markNumber(): number {
    return this.#deps.markNumber();
  }

  get isOpen(): boolean {
    const { sides } = this;
    for (let index = 0; index < sides.length; index++) if (sides[index]!.quantityNumber !== 0) return true;
    return false;
  }

  reserve(record: OrderRecord, planned: readonly PlannedFill[]): boolean {
    const side = this.#sideOf(record);
    const isLimit = record.request.type === 'limit';
    side.orders.add(record);
    const opening = this.#openingPrice(record, planned);
    const asked = opening === null ? this.#need() : this.#need(record, opening);
    const opens = asked.minus(this.#held);
    const suffices = !opens.gt(0) || this.#covers(opens, this.#valueOf(record, planned));
    if (!suffices) side.orders.delete(record);
    else if (isLimit) this.#hold(opening === null ? asked : this.#need());
    return suffices;
  }

  covers(record: OrderRecord, { price, quantity }: PlannedFill): boolean {
    const opens = this.#need(record, price).minus(this.#held);
    return !opens.gt(0) || this.#covers(opens, price.times(quantity));
  }

  /** Whether with this order more could be held than without it, and more than the tiers allow at the leverage (A5). */
  exceedsTier(record: OrderRecord, planned: readonly PlannedFill[]): boolean {
    const side = this.#sideOf(record);
    if (this.#rest(record).isZero() || this.mustReduce(record)) return false;
    side.orders.add(record);
    const opening = this.#openingPrice(record, planned);
    const greatest = opening === null ? side.greatestValue() : side.greatestValue(record, opening);
    side.orders.delete(record);
    const { tiers, leverage } = this.terms;
    return greatest.gt(tiers.maxNotional(leverage)) && greatest.gt(side.greatestValue());
  }

  /** Margin is held as far as it goes: prices may have moved against the account since the order was admitted. */
  rejoin(record: OrderRecord): boolean {
    this.#sideOf(record).orders.add(record);
    this.#hold();
    return true;
  }

  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill {
    const price = this.instrument.exactPrice(ticks);
    const quantity = this.instrument.exactQuantity(lots);
    const { purse, rates } = this.#deps;
    const { side } = record.request;
    const held = this.#sideOf(record);
    const profit = held.position.apply(side, price, quantity).times(this.#size);
    const fee = feeOf(this.instrument, rates, side, liquidity, price, quantity);
    purse.settle(this.instrument.settle, profit);
    purse.fee(fee.currency, fee.amount);
    this.#updatedUs = record.updatedUs;
    held.moved();
    this.#hold();
    return { fee, realizedPnl: profit };
  }

  release(record: OrderRecord): void {
    this.#sideOf(record).orders.delete(record);
    this.#hold();
  }

  mustReduce(record: OrderRecord): boolean {
    return record.request.reduceOnly === true || this.#sideOf(record).closes(record.request.side);
  }

  reduces(record: OrderRecord, quantity: Decimal): boolean {
    return this.#sideOf(record).reduces(record.request.side, quantity);
  }

  /** Funding (A3): −rate · mark · quantity of each side. Answers what was received in all. */
  fund(rate: Decimal, mark: Decimal, us: number): Decimal {
    let received = ZERO;
    for (const side of this.sides) received = received.plus(fundingPayment(side.exposure, rate, mark));
    if (received.isZero()) return ZERO;
    this.#deps.purse.settle(this.instrument.settle, received);
    this.#updatedUs = us;
    this.#hold();
    return received;
  }

  /** Closes a side at its bankruptcy price; its orders are gone already. */
  liquidate(side: PerpetualSide, price: Decimal, feeRate: Decimal, us: number): ForcedClose {
    const { purse } = this.#deps;
    const { settle } = this.instrument;
    const quantity = side.position.quantity.abs();
    const closing: Side = side.position.quantity.gt(0) ? 'sell' : 'buy';
    const realizedPnl = side.position.apply(closing, price, quantity).times(this.#size);
    const fee = price.times(quantity).times(this.#size).times(feeRate);
    purse.settle(settle, realizedPnl);
    purse.fee(settle, fee);
    this.#updatedUs = us;
    side.moved();
    this.#hold();
    return { side: closing, quantity, fee, realizedPnl };
  }

  /** Takes over a restored position; its profit so far is in the balance already. False when the mode has no such side. */
  restore(position: VenuePosition): boolean {
    const side = this.sides.find(({ positionSide }) => positionSide === position.positionSide);
    if (side === undefined) return false;
    const quantity = signedQuantity(position);
    side.position.quantity = quantity;
    side.position.cost = dec(position.entryPrice).times(quantity);
    side.position.realized = dec(position.realizedPnl).div(this.#size);
    side.moved();
    this.#hold();
    return true;
  }

  /** Open sides, signed whatever the mode. */
  held(): AccountTotals['positions'] {
    const { symbol } = this.instrument;
    return this.sides.flatMap(({ isOpen, position: { quantity }, exposure: { cost } }) =>
      isOpen ? [{ symbol, quantity: decimalText(quantity), cost: decimalText(cost) }] : [],
    );
  }

  positions(): readonly VenuePosition[] {
    return this.sides.map((side) => this.#rowOf(side));
  }

  #rowOf(side: PerpetualSide): VenuePosition {
    const { quantity, entryPrice, realized } = side.position;
    const entry = entryPrice ?? ZERO;
    const at = this.mark ?? entry;
    const liquidation = this.#deps.pool.liquidationPrice(this, side);
    return {
      symbol: this.instrument.symbol,
      positionSide: side.positionSide,
      // Signed in one-way mode alone (wire profile, "Position").
      quantity: decimalText(side.positionSide === 'both' ? quantity : quantity.abs()),
      entryPrice: decimalText(entry.toDecimalPlaces(AVERAGE_PLACES)),
      markPrice: decimalText(at),
      leverage: String(this.terms.leverage),
      marginType: this.terms.marginType,
      margin: decimalText(side.margin),
      liquidationPrice: liquidation === null ? null : decimalText(liquidation),
      unrealizedPnl: decimalText(unrealizedOf(side.exposure, at)),
      realizedPnl: decimalText(realized.times(this.#size)),
      updatedAt: msOfUs(this.#updatedUs),
    };
  }

  /** Whether what may back new orders suffices for this much more margin, and for the fees of this value. */
  #covers(opens: Decimal, value: Decimal): boolean {
    const { pool, rates } = this.#deps;
    const feeMax = value.times(this.#size).times(rates.taker);
    return pool.free(this.instrument.settle).gte(feeMax.gt(0) ? opens.plus(feeMax) : opens);
  }

  #hold(need = this.#need()): void {
    this.#held = need;
    this.#deps.pool.set(this.instrument.settle, this.instrument.symbol, need);
  }

  #need(priced?: OrderRecord, price: Decimal = ZERO): Decimal {
    return this.sides.reduce((need, side) => sum(need, side.need(priced, price)), ZERO);
  }

  /** What the order would take now, at those prices, and the rest of a limit order at its limit. */
  #valueOf(record: OrderRecord, planned: readonly PlannedFill[]): Decimal {
    let value = ZERO;
    let rest = this.#rest(record);
    for (const { price, quantity } of planned) {
      value = value.plus(price.times(quantity));
      rest = rest.minus(quantity);
    }
    if (record.request.type !== 'limit') return value;
    return value.plus(this.instrument.exactPrice(record.working.ticks).times(rest));
  }

  /** Average price that an order opens at as a whole, where it trades at once; null where that is its limit. */
  #openingPrice(record: OrderRecord, planned: readonly PlannedFill[]): Decimal | null {
    const quantity = this.#rest(record);
    return planned.length === 0 || quantity.isZero() ? null : this.#valueOf(record, planned).div(quantity);
  }

  #sideOf(record: OrderRecord): PerpetualSide {
    const name = record.request.positionSide ?? 'both';
    const side = this.sides.find(({ positionSide }) => positionSide === name);
    if (side === undefined) throw new RangeError(`${this.instrument.symbol} has no position side ${name}`);
    return side;
  }

  #rest(record: OrderRecord): Decimal {
    return this.instrument.exactQuantity(record.lots - record.filledLots);
  }
}
