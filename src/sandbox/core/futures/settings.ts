/**
 * Leverage and margin type per symbol, one mode per account (assumed). Leverage changes when tier and margin allow;
 * type and mode only without positions and orders, else `illegal_transition`. Repeating a setting succeeds.
 */
import { smaller, ZERO, type Decimal } from '../../../model/numbers/money.ts';
import { initialMargin } from '../../../clearing/margin/initial-margin.ts';
import type { Holding, MarginType } from '../../../clearing/perpetual/position-slot.ts';
import type { PositionMode } from '../../../clearing/position-mode.ts';
import type { OrderRecord, Trader } from '../orders/order-record.ts';
import { perpetualOf, type PerpetualData } from '../market/perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { Slot } from './slot.ts';
import type { FuturesParts } from './futures-parts.ts';

/** Each returns undefined on success. */
export class FuturesSettings {
  readonly #futures: FuturesParts;

  constructor(futures: FuturesParts) {
    this.#futures = futures;
  }

  setLeverage(trader: Trader, symbol: string, leverage: number): Refusal | undefined {
    const data = perpetualOf(this.#futures.perpetuals, symbol);
    if (isRefusal(data)) return data;
    const account = this.#futures.accountOf(trader);
    const holding = account.holdingOf(data);
    const slots = account.slotsOf(holding);
    const max = leverageMax(data);
    if (leverage > max) return refuse('leverage_too_high', `${symbol} has leverage up to ${max}`, 'leverage');
    for (const slot of slots) {
      const allowed = data.tiers.maxNotional(leverage);
      if (slot.valueAfter().gt(allowed)) {
        const message = `leverage ${leverage} allows a notional up to ${allowed.toFixed()}`;
        return refuse('leverage_too_high', message, 'leverage');
      }
    }
    const doubt = changeLeverage(holding, slots, leverage);
    if (doubt !== undefined) return doubt;
    for (const slot of slots) if (slot.isOpen) this.#futures.announce(slot, trader);
    return undefined;
  }

  setMarginType(trader: Trader, symbol: string, marginType: MarginType): Refusal | undefined {
    const data = perpetualOf(this.#futures.perpetuals, symbol);
    if (isRefusal(data)) return data;
    const account = this.#futures.accountOf(trader);
    const holding = account.holdingOf(data);
    if (holding.terms.marginType === marginType) return undefined;
    if (account.isEngaged(holding)) {
      return refuse('illegal_transition', `a position or an order of ${symbol} stands`, 'marginType');
    }
    holding.setTerms({ ...holding.terms, marginType });
    return undefined;
  }

  setMode(trader: Trader, mode: PositionMode): Refusal | undefined {
    const account = this.#futures.accountOf(trader);
    if (account.mode === mode) return undefined;
    if (account.isEngaged()) return refuse('illegal_transition', 'a position or an order stands', 'mode');
    account.mode = mode;
    return undefined;
  }
}

function leverageMax(data: PerpetualData): number {
  return Math.min(data.market.instrument.spec.maxLeverage ?? Infinity, data.tiers.maxLeverage(ZERO) ?? Infinity);
}

/** A refusal changes nothing. */
function changeLeverage(holding: Holding<OrderRecord>, slots: readonly Slot[], leverage: number): Refusal | undefined {
  const { book, terms, market } = holding;
  const { symbol } = market.instrument;
  const changes = slots.map((slot) => [slot, ownedChange(slot, leverage)] as const);
  for (const [slot, change] of changes) {
    if (change.isNegative() && leavesTooLittle(slot, change)) {
      return refuse('insufficient_balance', `the position in ${symbol} needs the margin it has`, 'leverage');
    }
  }
  const free = book.free();
  const before = book.need;
  holding.setTerms({ ...terms, leverage });
  const extra = changes.reduce((sum, [, change]) => sum.plus(change), book.need.minus(before));
  if (extra.gt(ZERO) && free.lt(extra)) {
    holding.setTerms(terms);
    return refuse('insufficient_balance', `the available ${book.currency} does not cover the margin`, 'leverage');
  }
  for (const [slot, change] of changes) if (change.isNegative()) book.takeBack(slot, smaller(change.neg(), slot.owned));
  book.rehold();
  for (const [slot, change] of changes) if (change.gt(ZERO)) book.endow(slot, change);
  return undefined;
}

/** Negative: released. */
function ownedChange(slot: Slot, leverage: number): Decimal {
  if (!slot.isOpen || !slot.holding.isIsolated) return ZERO;
  const { cost } = slot.exposure;
  return initialMargin(cost, leverage).minus(initialMargin(cost, slot.holding.terms.leverage));
}

function leavesTooLittle(slot: Slot, change: Decimal): boolean {
  const { equity, maintenance } = slot.book.isolatedState(slot);
  return equity.plus(change).lte(maintenance);
}
