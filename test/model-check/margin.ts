/**
 * Accounts of perpetuals: modes, leverage, margin types, and the laws of margin (simulation.md A2, A3):
 *
 *   locked = locks of spot orders + ⌈cost / leverage⌉ of cross positions + ⌈worse side / leverage⌉ of orders
 *            + margins of isolated positions, or less with nothing available
 *   who stands is above the maintenance margin of its tiers, who was liquidated was not
 */
import { amount, amountText, product, type Amount } from './amount.ts';
import { isActive, onlyCloses, type FuturesOrder, type PositionSide, type Slot } from './futures-order.ts';
import type { FuturesStep } from './futures-step.ts';
import { agree, Mismatch } from './mismatch.ts';
import { dividedUp, Position } from './position.ts';
import type { Setting } from './setting.ts';
import type { SpotModel } from './spot.ts';
import type { Person } from './world.ts';

interface Terms {
  leverage: number;
  marginType: 'isolated' | 'cross';
}

interface Tier {
  readonly maxNotional: string;
  readonly maxLeverage: number;
  readonly maintenanceMarginRate: string;
}

interface PositionRow {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  readonly margin: string;
}

const ROOT = '/api/v2/exchange';
const LEVERAGE_MAX = 100;

export class FuturesAccounts {
  readonly slots: Slot[] = [];
  readonly #setting: Setting;
  readonly #orders: readonly FuturesOrder[];
  readonly #tiers = new Map<string, readonly Tier[]>();
  readonly #terms = new Map<string, Terms>();
  readonly #modes = new Map<Person, 'one-way' | 'hedge'>();

  constructor(setting: Setting, symbols: readonly string[], orders: readonly FuturesOrder[]) {
    this.#setting = setting;
    this.#orders = orders;
    const { world } = setting;
    for (const symbol of symbols) {
      const rows = world.read(setting.person(0), `${ROOT}/public/derivative/risk-tiers?symbol=${symbol}`);
      this.#tiers.set(symbol, rows as readonly Tier[]);
    }
  }

  slot(person: Person, symbol: string, side: PositionSide): Slot {
    const known = this.slots.find((slot) => slot.person === person && slot.symbol === symbol && slot.side === side);
    if (known !== undefined) return known;
    const slot = { person, symbol, side, position: new Position(), margin: 0n, isTouched: false };
    this.slots.push(slot);
    return slot;
  }

  terms(person: Person, symbol: string): Terms {
    const name = `${person.login}/${symbol}`;
    let terms = this.#terms.get(name);
    if (terms === undefined) this.#terms.set(name, (terms = { leverage: 1, marginType: 'cross' }));
    return terms;
  }

  allows(person: Person, side: PositionSide): boolean {
    return (this.#modes.get(person) === 'hedge') === (side !== 'both');
  }

  sideFor(person: Person, side: 'buy' | 'sell', wanted: 'open' | 'close' | PositionSide): PositionSide {
    if (wanted !== 'open' && wanted !== 'close') return wanted;
    if (this.#modes.get(person) !== 'hedge') return 'both';
    return (side === 'buy') === (wanted === 'open') ? 'long' : 'short';
  }

  /** Zero while there is none. */
  mark(symbol: string): Amount {
    const path = `${ROOT}/public/derivative/mark-price?symbol=${symbol}`;
    const { markPrice } = this.#setting.world.read(this.#setting.person(0), path) as { readonly markPrice: string };
    return amount(markPrice);
  }

  configure(step: Extract<FuturesStep, { readonly kind: 'leverage' | 'margin-type' | 'mode' }>): void {
    const person = this.#setting.person(step.who);
    const path = `${ROOT}/client/positions/${step.kind}`;
    const { kind, who: _who, ...body } = step;
    const answer = this.#setting.world.call(person, 'POST', path, body);
    if (step.kind === 'leverage') {
      const isEngaged = this.#isEngaged(person, step.symbol);
      const must = step.leverage > LEVERAGE_MAX ? ['leverage_too_high'] : [];
      // With something standing, tiers and margin decide; the laws are checked on what comes of it.
      const may = isEngaged ? ['leverage_too_high', 'insufficient_balance'] : [];
      if (this.#setting.accepted(kind, answer, must, may)) this.terms(person, step.symbol).leverage = step.leverage;
    } else if (step.kind === 'margin-type') {
      const terms = this.terms(person, step.symbol);
      const isChange = terms.marginType !== step.marginType;
      const must = isChange && this.#isEngaged(person, step.symbol) ? ['illegal_transition'] : [];
      if (this.#setting.accepted(kind, answer, must)) terms.marginType = step.marginType;
    } else {
      const isChange = (this.#modes.get(person) ?? 'one-way') !== step.mode;
      const must = isChange && this.#isEngaged(person) ? ['illegal_transition'] : [];
      if (this.#setting.accepted(kind, answer, must)) this.#modes.set(person, step.mode);
    }
  }

  #isEngaged(person: Person, symbol?: string): boolean {
    const isMeant = (each: { readonly symbol: string }): boolean => symbol === undefined || each.symbol === symbol;
    return (
      this.slots.some((slot) => slot.person === person && isMeant(slot) && slot.position.quantity !== 0n) ||
      this.#orders.some((order) => order.owner === person && isMeant(order) && isActive(order))
    );
  }

  /** Reads what is locked, holds it to the law, and lets the model go on from it. */
  sync(spot: SpotModel): void {
    for (const person of this.#setting.world.people) {
      if (!this.slots.some((slot) => slot.person === person)) continue;
      const { available, locked } = this.#setting.purse.adopt(person, this.#setting.world);
      const isolated = this.#readMargins(person);
      const law = spot.lockedOf(person, 'USDT') + this.#need(person) + isolated;
      const isShort = available === 0n && locked < law;
      if (!isShort) agree(`locked USDT of ${person.login}`, amountText(locked), amountText(law));
      this.#checkStanding(person, available + locked - spot.lockedOf(person, 'USDT') - isolated);
    }
  }

  /** Sum of the margins of isolated positions; the others say what their cost needs. */
  #readMargins(person: Person): Amount {
    const rows = this.#setting.world.read(person, `${ROOT}/client/positions/list`) as readonly PositionRow[];
    let sum = 0n;
    for (const slot of this.slots) {
      if (slot.person !== person) continue;
      const row = rows.find((each) => each.symbol === slot.symbol && each.positionSide === slot.side);
      slot.margin = row === undefined ? 0n : amount(row.margin);
      slot.isTouched = false;
      if (this.#isIsolated(slot)) sum += slot.margin;
    }
    return sum;
  }

  #isIsolated({ person, symbol }: Slot): boolean {
    return this.terms(person, symbol).marginType === 'isolated';
  }

  #need(person: Person): Amount {
    let need = 0n;
    for (const slot of this.slots) {
      if (slot.person !== person) continue;
      const { leverage, marginType } = this.terms(person, slot.symbol);
      const { cost, quantity } = slot.position;
      if (marginType === 'cross' && quantity !== 0n) need += dividedUp(cost, leverage);
      need += dividedUp(this.openingValue(slot), leverage);
    }
    return need;
  }

  /** What the worse side of the standing orders would open; those that trade first close first. */
  openingValue(slot: Slot): Amount {
    const values = (['buy', 'sell'] as const).map((side) => {
      const orders = this.#orders.filter(
        (order) => order.slot === slot && order.side === side && isActive(order) && !onlyCloses(order),
      );
      orders.sort((left, right) => (side === 'buy' ? -1 : 1) * Number((left.price ?? 0n) - (right.price ?? 0n)));
      let closable = slot.position.closable(side);
      let value = 0n;
      for (const { price, quantity, filled } of orders) {
        const left = quantity - filled;
        const closes = left < closable ? left : closable;
        closable -= closes;
        value += product(left - closes, price ?? 0n);
      }
      return value;
    });
    return values.reduce((most, value) => (value > most ? value : most), 0n);
  }

  /** At most what standing orders of a side would open more, were what they close closed by another order. */
  displacedValue(slot: Slot, side: 'buy' | 'sell'): Amount {
    const own = this.#orders.filter((order) => order.slot === slot && order.side === side && isActive(order));
    const highest = own.reduce((most, { price }) => (price !== null && price > most ? price : most), 0n);
    return product(slot.position.closable(side), highest);
  }

  /** Both kinds of positions are above their maintenance margin. `backing`: what backs the cross positions. */
  #checkStanding(person: Person, backing: Amount): void {
    const open = this.slots.filter((slot) => slot.person === person && slot.position.quantity !== 0n);
    for (const slot of open.filter((each) => this.#isIsolated(each))) {
      const { equity, maintenance } = this.#state([slot], slot.margin);
      if (equity <= maintenance) throw new Mismatch(standing(person, `isolated ${slot.symbol}`, equity, maintenance));
    }
    const cross = open.filter((each) => !this.#isIsolated(each));
    const { equity, maintenance } = this.#state(cross, backing);
    if (cross.length > 0 && equity <= maintenance) throw new Mismatch(standing(person, 'cross', equity, maintenance));
  }

  #state(slots: readonly Slot[], collateral: Amount): { readonly equity: Amount; readonly maintenance: Amount } {
    let equity = collateral;
    let maintenance = 0n;
    for (const { symbol, position } of slots) {
      const mark = this.mark(symbol);
      equity += position.unrealized(mark);
      maintenance += this.#maintenance(symbol, product(position.size, mark));
    }
    return { equity, maintenance };
  }

  /** Each tier's rate applies to the part of the notional inside it. */
  #maintenance(symbol: string, notional: Amount): Amount {
    let sum = 0n;
    let floor = 0n;
    for (const { maxNotional, maintenanceMarginRate } of this.#tiers.get(symbol) ?? []) {
      const ceiling = amount(maxNotional);
      const inside = (notional < ceiling ? notional : ceiling) - floor;
      if (inside > 0n) sum += product(inside, amount(maintenanceMarginRate));
      floor = ceiling;
    }
    return sum;
  }

  /** Opening orders were canceled for want of margin: there was too little indeed. Called before the model follows. */
  checkShort(person: Person, spot: SpotModel): void {
    const isolated = this.slots.filter((slot) => slot.person === person && this.#isIsolated(slot));
    // The margin of an isolated position that changed in the same command is not known from before.
    if (isolated.some((slot) => slot.isTouched)) return;
    const margins = isolated.reduce((sum, slot) => sum + slot.margin, 0n);
    const { available, locked } = this.#setting.purse.pocket(person, 'unified-trading', 'USDT');
    const law = spot.lockedOf(person, 'USDT') + this.#need(person) + margins;
    if (law > available + locked) return;
    throw new Mismatch(`${person.login}'s orders lost their margin, though ${amountText(law)} was there`);
  }

  /** What was closed had to be: it stood at or below its maintenance margin. Called before the model follows. */
  checkLiquidation(person: Person, rows: readonly Readonly<Record<string, unknown>>[], spot: SpotModel): void {
    const closed = rows
      .filter((row) => row['status'] === 'filled')
      .map((row) => this.slot(person, String(row['symbol']), row['positionSide'] as PositionSide));
    for (const slot of closed) {
      // The margin of a position that changed in the same command is not known from before.
      if (!this.#isIsolated(slot) || slot.isTouched) continue;
      const { equity, maintenance } = this.#state([slot], slot.margin);
      if (equity > maintenance)
        throw new Mismatch(`liquidated without need: ${standing(person, slot.symbol, equity, maintenance)}`);
    }
    const cross = this.slots.filter(
      (slot) => slot.person === person && slot.position.quantity !== 0n && !this.#isIsolated(slot),
    );
    if (!closed.some((slot) => !this.#isIsolated(slot))) return;
    if (this.slots.some((slot) => slot.person === person && this.#isIsolated(slot) && slot.isTouched)) return;
    const isolated = this.slots.filter((slot) => slot.person === person && this.#isIsolated(slot));
    const margins = isolated.reduce((sum, slot) => sum + slot.margin, 0n);
    const { available, locked } = this.#setting.purse.pocket(person, 'unified-trading', 'USDT');
    // Spot orders may have been canceled first: they count as free.
    const { equity, maintenance } = this.#state(cross, available + locked - margins);
    if (equity > maintenance + spot.lockedOf(person, 'USDT')) {
      throw new Mismatch(`liquidated without need: ${standing(person, 'cross', equity, maintenance)}`);
    }
    const left = cross.filter((slot) => !closed.includes(slot));
    if (left.length > 0) throw new Mismatch(`a cross position of ${person.login} outlived a liquidation`);
  }

  notionalMax(symbol: string, leverage: number): Amount {
    const bounds = (this.#tiers.get(symbol) ?? []).filter((tier) => tier.maxLeverage >= leverage);
    return bounds.reduce((most, tier) => (amount(tier.maxNotional) > most ? amount(tier.maxNotional) : most), 0n);
  }

  /** Losses of cross positions so far, zero or below. */
  openLosses(person: Person): Amount {
    const cross = this.slots.filter(
      (slot) => slot.person === person && slot.position.quantity !== 0n && !this.#isIsolated(slot),
    );
    const sum = cross.reduce((total, slot) => total + slot.position.unrealized(this.mark(slot.symbol)), 0n);
    return sum < 0n ? sum : 0n;
  }

  available(person: Person): Amount {
    return this.#setting.purse.available(person, 'unified-trading', 'USDT');
  }

  isIdle(slot: Slot): boolean {
    return slot.position.quantity === 0n && !this.#orders.some((order) => order.slot === slot && isActive(order));
  }
}

function standing({ login }: Person, what: string, equity: Amount, maintenance: Amount): string {
  return `${login}'s ${what} has equity ${amountText(equity)} at a maintenance margin of ${amountText(maintenance)}`;
}
