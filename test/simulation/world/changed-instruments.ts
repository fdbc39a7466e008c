/**
 * Instruments that change, while the process runs and while it is down (reliability M02): the step of prices or of amounts becomes
 * coarser or finer, the least amount or the least notional is raised or lowered again, the symbol is halted, or taken off the
 * list and listed again. The core keeps a grid of its own, the finest there is; what is told is a multiple of it. Lists of
 * instruments are translated on their way out, orders that the told terms do not allow are refused before the core sees them, and the market
 * moves on the told grid. What rests off a new grid goes with the change; whatever rests goes when the symbol is taken off.
 *
 * The human of the world starts a session again whose instrument is another one than at its start: the product says so.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import { dec, type Decimal } from '../../../src/model/numbers/money.ts';
import type { PreparedRequest } from '../../../src/model/ports.ts';
import { refuse, type Refusal } from '../../../src/sandbox/core/refusal.ts';
import { refusalReply, type Reply } from '../../../src/sandbox/reply.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { FaultPlan } from './fault-plan.ts';
import { PERPETUAL } from './futures/terms.ts';
import type { RareStates } from './rare-states.ts';
import { SYMBOL } from './restless.ts';
import { CREATE_PATH, type Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const LISTS = /\/instrument\/(?:spot|derivative)\/list$/;

/** Of the core, by symbol, and which multiples of its steps are told. All that anybody orders by hand lies on them. */
const steps = {
  [SYMBOL]: {
    tick: '0.01',
    lot: '0.00001',
    minQuantity: '0.00001',
    ticks: [1, 2, 5, 10, 50, 100],
    lots: [1, 2, 5, 10, 50, 100],
  },
  [PERPETUAL]: { tick: '0.1', lot: '0.0001', minQuantity: '0.0001', ticks: [1, 2, 5, 10], lots: [1, 2, 5, 10, 20] },
} as const;

/** Base and quote units; orders of the strategies lie on both sides of them. */
const LEAST_QUANTITIES = ['0.002', '0.02'] as const;
const LEAST_NOTIONALS = ['100', '900'] as const;
const MIN_NOTIONAL = '5';
const SHUT_MS_MIN = 5000;
const SHUT_MS_MAX = 400_000;
/** A human who was told that the next start counts anew takes so long. */
const HUMAN_MS_MIN = 5000;
const HUMAN_MS_MAX = 120_000;
const HUMAN_CALM_MS = 3000;

type Way = 'tick' | 'lot' | 'least quantity' | 'least notional' | 'halted' | 'delisted';

/** What is told of one symbol now. */
interface Terms {
  tickSteps: number;
  lotSteps: number;
  minQuantity: string;
  minNotional: string;
  /** True times, µs. */
  haltedUntilUs: number;
  delistedUntilUs: number;
}

export interface ChangedInstrumentsOptions {
  readonly clock: VirtualClock;
  readonly plan: FaultPlan;
  readonly rare: RareStates;
  readonly trace: Trace;
  readonly venue: VenueSide;
}

export class ChangedInstruments {
  readonly #options: ChangedInstrumentsOptions;
  readonly #terms = new Map<string, Terms>();
  #restartAtUs: number | null = null;

  constructor(options: ChangedInstrumentsOptions) {
    const { plan, venue } = options;
    this.#options = options;
    const symbols = venue.futures === null ? ([SYMBOL] as const) : ([SYMBOL, PERPETUAL] as const);
    for (const symbol of symbols) {
      // What begins coarse can become finer.
      const terms: Terms = {
        tickSteps: this.isInUse ? plan.pick([1, 10]) : 1,
        lotSteps: this.isInUse ? plan.pick([1, 10]) : 1,
        minQuantity: steps[symbol].minQuantity,
        minNotional: MIN_NOTIONAL,
        haltedUntilUs: 0,
        delistedUntilUs: 0,
      };
      this.#terms.set(symbol, terms);
      if (this.isInUse) venue.setGrid(symbol, terms.tickSteps, terms.lotSteps);
    }
  }

  /** Whether this seed brings the fault at all. */
  get isInUse(): boolean {
    const { rates } = this.#options.plan;
    return rates.has('instrument-changes') || rates.has('instrument-changes-while-down');
  }

  /** `isDown`: no process runs. */
  everySecond(isDown: boolean): void {
    if (!this.isInUse) return;
    const { plan, rare } = this.#options;
    if (plan.strikes('instrument-changes')) this.#change();
    if (isDown && plan.strikes('instrument-changes-while-down')) {
      rare.mark('instrument changed while down');
      this.#change();
    }
    for (const [symbol, terms] of this.#terms) this.#settle(symbol, terms);
  }

  /** Whatever was halted or taken off trades again. */
  calm(): void {
    for (const [symbol, terms] of this.#terms) {
      terms.haltedUntilUs = 0;
      terms.delistedUntilUs = 0;
      this.#settle(symbol, terms);
    }
  }

  /** Whether it is time that the human starts a process again that says that it counts in other steps. */
  wantsRestart(hasOtherSteps: boolean): boolean {
    const { clock, plan, rare } = this.#options;
    if (!hasOtherSteps) {
      this.#restartAtUs = null;
      return false;
    }
    const ms = plan.isOn ? plan.between(HUMAN_MS_MIN, HUMAN_MS_MAX) : HUMAN_CALM_MS;
    this.#restartAtUs ??= clock.nowUs() + Math.round(ms * 1000);
    if (clock.nowUs() < this.#restartAtUs) return false;
    this.#restartAtUs = null;
    rare.mark('started again on another grid');
    return true;
  }

  /** What stands for the answer of the core; null when the told terms allow the request. */
  refusal({ method, url, body }: PreparedRequest): Reply | null {
    if (!this.isInUse || method !== 'POST' || !CREATE_PATH.test(url)) return null;
    const order: unknown = JSON.parse(body);
    if (!isRecord(order)) return null;
    const symbol = String(order['symbol']);
    const terms = this.#terms.get(symbol);
    if (terms === undefined) return null;
    const refused = this.#refused(symbol, terms, order);
    if (refused === null) return null;
    this.#options.rare.mark('refused by another instrument');
    return refusalReply(refused);
  }

  /** A list of instruments as it is told now. */
  answer(target: string, body: string): string {
    if (!this.isInUse || !LISTS.test(target)) return body;
    const list: unknown = JSON.parse(body);
    if (!Array.isArray(list)) return body;
    const told = list.filter(isRecord).flatMap((spec) => {
      const terms = this.#terms.get(String(spec['symbol']));
      if (terms === undefined) return [spec];
      return this.#isPast(terms.delistedUntilUs) ? [toldSpec(spec, terms)] : [];
    });
    return JSON.stringify(told);
  }

  #refused(symbol: string, terms: Terms, order: Readonly<Record<string, unknown>>): Refusal | null {
    if (!this.#isPast(terms.delistedUntilUs)) return refuse('unknown_symbol', `there is no ${symbol}`, 'symbol');
    if (!this.#isPast(terms.haltedUntilUs)) return refuse('symbol_halted', `${symbol} is halted`, 'symbol');
    const { tick, lot } = stepsOf(symbol, terms);
    const quantity = dec(String(order['quantity']));
    if (quantity.lt(terms.minQuantity)) return refuse('below_minimum', 'the quantity is below the minimum', 'quantity');
    if (!quantity.div(lot).isInteger()) return refuse('off_lot', `no multiple of ${lot.toFixed()}`, 'quantity');
    const price = typeof order['price'] === 'string' ? dec(order['price']) : null;
    if (price !== null && !price.div(tick).isInteger())
      return refuse('off_tick', `no multiple of ${tick.toFixed()}`, 'price');
    if (order['reduceOnly'] === true || quantity.times(price ?? this.#mid(symbol)).gte(terms.minNotional)) return null;
    return refuse('below_minimum', `worth less than ${terms.minNotional}`, 'quantity');
  }

  #mid(symbol: string): Decimal {
    const { venue } = this.#options;
    const top = symbol === SYMBOL ? venue.top : venue.futures?.top;
    const ticks = Math.max(top?.bidTicks ?? 0, top?.askTicks ?? 0);
    return stepsOf(symbol, { tickSteps: 1, lotSteps: 1 }).tick.times(ticks);
  }

  #change(): void {
    const { plan, clock, trace, venue, rare } = this.#options;
    const symbol = venue.futures === null || plan.between(0, 1) < 0.4 ? SYMBOL : PERPETUAL;
    const terms = this.#terms.get(symbol);
    if (terms === undefined) return;
    const way = plan.pick<Way>(['tick', 'lot', 'least quantity', 'least notional', 'halted', 'delisted']);
    const untilUs = clock.nowUs() + Math.round(plan.between(SHUT_MS_MIN, SHUT_MS_MAX) * 1000);
    if (way === 'tick' || way === 'lot') this.#regrid(symbol, terms, way);
    else if (way === 'least quantity') {
      const { minQuantity } = steps[symbol];
      terms.minQuantity = terms.minQuantity === minQuantity ? plan.pick(LEAST_QUANTITIES) : minQuantity;
    } else if (way === 'least notional')
      terms.minNotional = terms.minNotional === MIN_NOTIONAL ? plan.pick(LEAST_NOTIONALS) : MIN_NOTIONAL;
    else if (way === 'halted') terms.haltedUntilUs = untilUs;
    else {
      terms.delistedUntilUs = untilUs;
      venue.cancelAllOf(symbol);
    }
    rare.mark(`instrument changed: ${way}`);
    this.#settle(symbol, terms);
    trace.add(clock.nowUs(), `instrument ${symbol} ${way} ${JSON.stringify(terms)}`);
  }

  #regrid(symbol: keyof typeof steps, terms: Terms, way: 'tick' | 'lot'): void {
    const { plan, venue, rare } = this.#options;
    const before = way === 'tick' ? terms.tickSteps : terms.lotSteps;
    const others: readonly number[] = steps[symbol][way === 'tick' ? 'ticks' : 'lots'];
    const after = others.filter((one) => one !== before)[Math.floor(plan.between(0, others.length - 1))] ?? 1;
    rare.mark(after > before ? 'step made coarser' : 'step made finer');
    if (way === 'tick') terms.tickSteps = after;
    else terms.lotSteps = after;
    venue.setGrid(symbol, terms.tickSteps, terms.lotSteps);
  }

  /** The core stops the market of a symbol that is halted or off the list; the halts of other faults are their own. */
  #settle(symbol: string, terms: Terms): void {
    const isShut = !this.#isPast(terms.haltedUntilUs) || !this.#isPast(terms.delistedUntilUs);
    this.#options.venue.setShut(symbol, isShut);
  }

  #isPast(us: number): boolean {
    return this.#options.clock.nowUs() >= us;
  }
}

function stepsOf(symbol: string, terms: Pick<Terms, 'tickSteps' | 'lotSteps'>): { tick: Decimal; lot: Decimal } {
  const own = symbol === PERPETUAL ? steps[PERPETUAL] : steps[SYMBOL];
  return { tick: dec(own.tick).times(terms.tickSteps), lot: dec(own.lot).times(terms.lotSteps) };
}

function toldSpec(spec: Readonly<Record<string, unknown>>, terms: Terms): object {
  const { tick, lot } = stepsOf(String(spec['symbol']), terms);
  const least = dec(terms.minQuantity);
  return {
    ...spec,
    tickSize: tick.toFixed(),
    lotSize: lot.toFixed(),
    pricePrecision: tick.decimalPlaces(),
    quantityPrecision: lot.decimalPlaces(),
    minQuantity: (least.lt(lot) ? lot : least).toFixed(),
    minNotional: terms.minNotional,
  };
}
