/**
 * How a user holds positions: leverage and margin type per symbol, one mode for the whole account. Assumed, since the
 * interface names the operations only: leverage may change at any time, if its tier allows the notional and the margin
 * then needed is there; margin type and mode only while nothing stands, else `illegal_transition`; setting what is set
 * already changes nothing and succeeds.
 */
import { type Decimal, ZERO, smaller } from '../../../model/money.ts';
import { initialMargin } from '../../../clearing/margin/initial-margin.ts';
import type { Trader } from '../order-record.ts';
import type { PerpetualData } from '../perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import { notionalAfter, type MarginAccount, type MarginType, type PositionMode } from './margin-account.ts';
import type { PositionSlot } from './position-slot.ts';
import { perpetualOf } from './trading.ts';

export interface SettingsPorts {
  readonly perpetuals: ReadonlyMap<string, PerpetualData>;
  accountOf(trader: Trader): MarginAccount;
  /** A setting changed what an open position shows. */
  onChange(account: MarginAccount, slot: PositionSlot): void;
}

/** Each answers undefined when it is done. */
export class FuturesSettings {
  readonly #ports: SettingsPorts;

  constructor(ports: SettingsPorts) {
    this.#ports = ports;
  }

  setLeverage(trader: Trader, symbol: string, leverage: number): Refusal | undefined {
    const data = perpetualOf(this.#ports.perpetuals, symbol);
    if (isRefusal(data)) return data;
    const account = this.#ports.accountOf(trader);
    const slots = account.slotsOf(data);
    const max = leverageMax(data);
    if (leverage > max) return refuse('leverage_too_high', `${symbol} has leverage up to ${max}`, 'leverage');
    for (const slot of slots) {
      const allowed = data.tiers.maxNotional(leverage);
      if (notionalAfter(slot).gt(allowed)) {
        return refuse(
          'leverage_too_high',
          `leverage ${leverage} allows a notional up to ${allowed.toFixed()}`,
          'leverage',
        );
      }
    }
    const doubt = changeLeverage(account, slots, symbol, leverage);
    if (doubt !== undefined) return doubt;
    for (const slot of slots) if (slot.isOpen) this.#ports.onChange(account, slot);
    return undefined;
  }

  /** Refused while a position or an order of the symbol stands. */
  setMarginType(trader: Trader, symbol: string, marginType: MarginType): Refusal | undefined {
    const data = perpetualOf(this.#ports.perpetuals, symbol);
    if (isRefusal(data)) return data;
    const account = this.#ports.accountOf(trader);
    const terms = account.termsOf(symbol);
    if (terms.marginType === marginType) return undefined;
    if (account.isEngaged(symbol)) {
      return refuse('illegal_transition', `a position or an order of ${symbol} stands`, 'marginType');
    }
    account.setTerms(symbol, { ...terms, marginType });
    return undefined;
  }

  /** Refused while any position or derivative order stands. */
  setMode(trader: Trader, mode: PositionMode): Refusal | undefined {
    const account = this.#ports.accountOf(trader);
    if (account.mode === mode) return undefined;
    if (account.isEngaged()) return refuse('illegal_transition', 'a position or an order stands', 'mode');
    account.mode = mode;
    return undefined;
  }
}

/** Greatest leverage of a symbol, at the smallest notional. */
function leverageMax(data: PerpetualData): number {
  return Math.min(data.market.instrument.spec.maxLeverage ?? Infinity, data.tiers.maxLeverage(ZERO) ?? Infinity);
}

/** Moves margin to what the new leverage needs, or refuses and changes nothing. */
function changeLeverage(
  account: MarginAccount,
  slots: readonly PositionSlot[],
  symbol: string,
  leverage: number,
): Refusal | undefined {
  const before = account.termsOf(symbol);
  const after = { ...before, leverage };
  let extra = ZERO;
  for (const slot of slots) {
    const isolated = isolatedChange(account, slot, leverage);
    if (isolated.isNegative() && leavesTooLittle(account, slot, isolated)) {
      return refuse('insufficient_balance', `the position in ${symbol} needs the margin it has`, 'leverage');
    }
    extra = extra.plus(isolated).plus(account.needOf(slot, after)).minus(account.needOf(slot, before));
  }
  const currency = slots[0]?.currency ?? '';
  if (extra.gt(0) && account.spendable(currency).lt(extra)) {
    return refuse('insufficient_balance', `the available ${currency} does not cover the margin`, 'leverage');
  }
  const changes = slots.map((slot) => [slot, isolatedChange(account, slot, leverage)] as const);
  account.setTerms(symbol, after);
  for (const [slot, change] of changes) {
    if (change.isNegative()) account.funds.releaseIsolated(slot, smaller(change.neg(), slot.margin));
  }
  account.rehold(currency);
  for (const [slot, change] of changes) {
    if (change.gt(0)) account.funds.lockIsolated(slot, change);
  }
  return undefined;
}

/** Margin that an isolated position gets, or gives back when below zero. */
function isolatedChange(account: MarginAccount, slot: PositionSlot, leverage: number): Decimal {
  if (!slot.isOpen || !account.isIsolated(slot)) return ZERO;
  const { cost } = slot.exposure;
  return initialMargin(cost, leverage).minus(initialMargin(cost, account.termsOf(slot.symbol).leverage));
}

function leavesTooLittle(account: MarginAccount, slot: PositionSlot, change: Decimal): boolean {
  const { equity, maintenance } = account.isolatedState(slot);
  return equity.plus(change).lte(maintenance);
}
