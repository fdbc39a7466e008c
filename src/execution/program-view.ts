/** A program as its rule sees it, and as everybody else does. */
import type { Instrument, Instruments } from '../model/instrument.ts';
import { decimalText, ZERO } from '../model/money.ts';
import type { Side } from '../model/order.ts';
import type { ProgramUpdate } from '../model/program.ts';
import type { AnyRule } from '../programs/rules.ts';
import { ruleOf } from '../programs/rules.ts';
import type { LegView, Prices, ProgramView, Step, Terms } from '../programs/rule.ts';
import { minLotsAt } from '../risk/normalise.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { LegSum, ProgramState } from '../spine/programs/programs.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Core } from './core.ts';
import { sharedOf } from './program-terms.ts';
import type { ProgramPrices } from './program-prices.ts';

/** What programs stand in: an executor, or a state that was replayed. */
export interface ProgramWorld {
  readonly state: Pick<StateView, 'orders'>;
  readonly instruments: Pick<Instruments, 'find'>;
  /** Unix ms. */
  now(): number;
  /** Its prices are too old to act on. */
  isStale(symbol: string): boolean;
  /** One that ended by itself is over beyond doubt. */
  isProvedOver(order: OwnOrder): boolean;
}

export interface Child {
  readonly order: OwnOrder;
  readonly leg: string;
}

export function worldOf(core: Core): ProgramWorld {
  return {
    get state() {
      return core.state;
    },
    instruments: core.deps.instruments,
    now: () => core.now(),
    isStale: (symbol) => core.gates.staleBecause(symbol) !== null,
    isProvedOver: (order) => core.isProvedOver(order),
  };
}

export function childrenOf({ state }: Pick<ProgramWorld, 'state'>, { strategy, ref }: ProgramState): readonly Child[] {
  const children: Child[] = [];
  for (const order of state.orders.allLive())
    if (order.parent === ref && order.strategy === strategy && order.leg !== undefined)
      children.push({ order, leg: order.leg });
  return children;
}

class Leg implements LegView {
  readonly #sum: LegSum | undefined;
  readonly #live: readonly OwnOrder[];
  readonly #lot: Instrument;
  readonly #last: () => OwnOrder | undefined;
  readonly #isProvedOver: (order: OwnOrder) => boolean;
  readonly isGivenUp: boolean;

  constructor(
    sum: LegSum | undefined,
    live: readonly OwnOrder[],
    instrument: Instrument,
    isGivenUp: boolean,
    last: () => OwnOrder | undefined,
    isProvedOver: (order: OwnOrder) => boolean,
  ) {
    this.#isProvedOver = isProvedOver;
    this.#sum = sum;
    this.#live = live;
    this.#lot = instrument;
    this.isGivenUp = isGivenUp;
    this.#last = last;
  }

  get orders(): number {
    return this.#sum?.orders ?? 0;
  }

  get filled(): number {
    return this.#sum?.lots ?? 0;
  }

  get working(): number {
    return this.#live.reduce((sum, { progress }) => sum + reservedLots(progress), 0);
  }

  get net(): number {
    const sum = this.#sum;
    if (sum === undefined) return 0;
    return sum.fees.isZero() ? sum.lots : sum.lots - sum.fees.div(this.#lot.exactQuantity(1)).toNumber();
  }

  get average(): number {
    const sum = this.#sum;
    if (sum === undefined || sum.quantity.isZero()) return Number.NaN;
    return sum.cost.div(sum.quantity).div(this.#lot.exactPrice(1)).toNumber();
  }

  get ticks(): number {
    return this.#live.find(({ cancelWanted }) => !cancelWanted)?.ticks ?? Number.NaN;
  }

  get isOpen(): boolean {
    return this.#live.length > 0;
  }

  get isLost(): boolean {
    const last = this.#last();
    if (last === undefined || this.isOpen) return false;
    const endedByItself = isClosed(last.progress) && last.progress.state !== 'filled' && !last.cancelWanted;
    return endedByItself && this.#isProvedOver(last);
  }
}

export interface ViewSources {
  readonly world: ProgramWorld;
  readonly prices: Pick<ProgramPrices, 'of' | 'printed'>;
  readonly isGivenUp: (program: ProgramState, leg: string) => boolean;
}

/** `isBlind`: without any price, as while they are stale. */
export function viewOf(
  { world, prices, isGivenUp }: ViewSources,
  program: ProgramState,
  isBlind = false,
): ProgramView<unknown, unknown> {
  const { strategy, symbol, legs } = program;
  const children = childrenOf(world, program);
  const instrument = (name: string = symbol): Instrument => {
    const found = world.instruments.find(name);
    if (found === undefined) throw new RangeError(`${program.ref}: ${name} is no instrument any more`);
    return found;
  };
  return {
    spec: sharedOf(program).terms,
    data: program.data,
    now: world.now(),
    startedAt: program.startedAt,
    isStale: isBlind || world.isStale(symbol),
    prices: (name = symbol): Prices => prices.of(instrument(name)),
    quantity: (lots) => instrument().quantityText(lots),
    printed: () => prices.printed(symbol),
    least: (ticks, name = symbol) => minLotsAt(instrument(name).limits, Number.isNaN(ticks) ? 0 : ticks),
    leg: (name) => {
      const live = children.filter(({ leg }) => leg === name).map(({ order }) => order);
      const of = live[0]?.instrument ?? instrument();
      const last = (): OwnOrder | undefined => {
        for (let index = program.children.length - 1; index >= 0; index--) {
          const order = world.state.orders.byRef(strategy, program.children[index]!);
          if (order?.leg === name) return order;
        }
        return undefined;
      };
      return new Leg(legs.get(name), live, of, isGivenUp(program, name), last, (order) => world.isProvedOver(order));
    },
  };
}

/** Lots of a position, closed on this side, that the program protects. */
export function coverOf({ covers = 0, closes }: Step<unknown>, side: Side): number {
  return closes === undefined || closes === side ? covers : 0;
}

/** An order whose fate must be proved first, else what the rule waits for. */
function waitsFor(world: Pick<ProgramWorld, 'state'>, program: ProgramState, step: Step<unknown> | undefined): string {
  const doubtful = childrenOf(world, program).find(({ order }) => order.progress.state === 'unknown');
  if (doubtful !== undefined) return `proof of what became of ${doubtful.order.ref} (${doubtful.leg})`;
  return step?.waitsFor ?? 'the start of its strategy';
}

/** `step`: of now, for a working one. */
export function updateOf(
  world: Pick<ProgramWorld, 'instruments' | 'state'>,
  program: ProgramState,
  step: Step<unknown> | undefined,
): ProgramUpdate {
  const { ref, kind, strategy, tag, symbol, state, reason, startedAt, endedAt, children } = program;
  const instrument = world.instruments.find(symbol);
  const rule: AnyRule = ruleOf(kind);
  const { terms } = sharedOf(program);
  let quantity = ZERO;
  let cost = ZERO;
  for (const [leg, sum] of program.legs) {
    if (!rule.isParent(leg, terms)) continue;
    quantity = quantity.plus(sum.quantity);
    cost = cost.plus(sum.cost);
  }
  const lots = rule.quantity(terms);
  const places = (instrument?.pricePrecision ?? 8) + 8;
  const trigger =
    step?.trigger === undefined || instrument === undefined
      ? {}
      : { trigger: instrument.priceText(Math.round(step.trigger)) };
  const at = step?.wakeAt === undefined ? {} : { at: step.wakeAt };
  return Object.freeze({
    ref,
    kind,
    strategy,
    tag,
    symbol,
    state,
    reason,
    quantity: lots === null || instrument === undefined ? null : decimalText(instrument.exactQuantity(lots)),
    filled: decimalText(quantity),
    averagePrice: quantity.isZero() ? null : decimalText(cost.div(quantity).toDecimalPlaces(places)),
    startedAt,
    endedAt,
    children: Object.freeze([...children]),
    waitsFor: state === 'working' ? waitsFor(world, program, step) : null,
    next: Object.freeze({ ...trigger, ...at }),
  });
}

/** What a rule may ask when it reads an action. */
export function termsOf(core: Core, prices: ProgramPrices, strategy: string): Terms {
  const { instruments, reporting } = core.deps;
  return {
    reporting,
    instrument: (symbol) => core.instrument(symbol),
    prices: (symbol) => {
      const instrument = instruments.find(symbol);
      const none = Number.NaN;
      return instrument === undefined
        ? { bid: none, ask: none, mid: none, last: none, mark: none }
        : prices.of(instrument);
    },
    free: (currency) => Number(core.balances.of(currency)?.balance.available ?? 0),
    held: (symbol) => core.state.positions.lots(strategy, symbol, 'both'),
    symbols: () => instruments.symbols(),
  };
}
