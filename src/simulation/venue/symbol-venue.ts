/** One symbol of the simulated exchange: matching engine, handler, mark price. */
import type { RiskTiers } from '../../clearing/margin/risk-tiers.ts';
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { ArmedStop, Closing } from '../../model/trading/program.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { US_PER_MS } from '../../model/time.ts';
import { CandleMatching, halfTicksOf } from '../matching/candle-matching.ts';
import type { FeeRates } from '../../clearing/fees.ts';
import type { PerpetualMarket } from '../../clearing/perpetual/margin-book.ts';
import type { MarginAccount } from '../../clearing/perpetual/margin-account.ts';
import type { Walk } from '../../clearing/perpetual/order-margin.ts';
import type { MarketHandler } from '../money/market-handler.ts';
import { FundingSchedule } from '../money/funding-schedule.ts';
import { BookMatching } from '../matching/matching.ts';
import type { OrderRecord } from './order-record.ts';
import type { SimulationOptions } from '../options.ts';
import { PerpetualHandler } from '../money/perpetual-handler.ts';
import { marksInBars, type MarkPorts } from '../money/marks-in-bars.ts';
import { perpetualTerms, perpetualTiers } from '../money/perpetual-options.ts';
import type { Purse } from '../money/purse.ts';
import { createQueueModel } from '../matching/queue.ts';
import { SpotHandler } from '../money/spot-handler.ts';
import type { Happening, MarksInBars, MatchingEngine, MatchListener } from '../matching/working-order.ts';

const HALF = dec('0.5');
const NO_WALK: Walk = { cost: ZERO, lots: 0 };

export interface SymbolDeps {
  readonly options: SimulationOptions;
  readonly purse: Purse;
  readonly margin: MarginAccount<OrderRecord>;
  readonly rates: FeeRates;
  readonly listener: MatchListener;
  readonly sync: BookSyncOptions;
  readonly stops: (symbol: string) => readonly ArmedStop[];
  readonly marks: Omit<MarkPorts, 'stops'>;
}

export class SymbolVenue implements PerpetualMarket {
  readonly instrument: Instrument;
  readonly engine: MatchingEngine;
  readonly #marks: MarksInBars | null;
  readonly tiers: RiskTiers;
  readonly handler: MarketHandler;
  readonly perpetual: PerpetualHandler | null;
  /** Or needs no grant. */
  granted = false;
  /** Half ticks. */
  lookedHalfTicks = Number.NaN;
  /** Half ticks. */
  observedHalfTicks = 0;
  observedMark = Number.NaN;
  readonly #funding: FundingSchedule | null;
  #markPrice: Decimal | null = null;
  #recordedMark = Number.NaN;
  #recordedUs = Number.NaN;
  #longestUs = 0;
  #mid: Decimal | null = null;
  #midHalfTicks = 0;

  constructor(instrument: Instrument, deps: SymbolDeps) {
    const { purse, margin, rates, options } = deps;
    const { perpetuals } = options;
    const isPerpetual = instrument.market === 'derivative';
    this.instrument = instrument;
    this.#marks = isPerpetual ? marksInBars(this, { ...deps.marks, stops: deps.stops }) : null;
    this.engine = createEngine(instrument, deps, this.#marks);
    this.#funding = isPerpetual ? new FundingSchedule(instrument, perpetuals.fundingRate) : null;
    this.tiers = perpetualTiers(perpetuals, instrument);
    this.perpetual = isPerpetual
      ? new PerpetualHandler(margin, this, perpetualTerms(perpetuals, instrument.symbol), rates)
      : null;
    this.handler = this.perpetual ?? new SpotHandler(instrument, purse, rates);
  }

  /** The recorded mark, else the mid, else null. */
  get mark(): Decimal | null {
    return this.#markPrice ?? this.mid;
  }

  get mid(): Decimal | null {
    const halves = this.engine.midHalfTicks;
    if (halves !== this.#midHalfTicks) {
      this.#midHalfTicks = halves;
      this.#mid = halves === 0 ? null : this.instrument.exactPrice(halves).times(HALF);
    }
    return this.#mid;
  }

  get leaving(): readonly Closing[] {
    return this.engine instanceof CandleMatching ? this.engine.leaving : [];
  }

  /** A perpetual without a recorded mark. */
  get marksByMid(): boolean {
    return this.perpetual !== null && Number.isNaN(this.#recordedMark);
  }

  /** The longest time without a new recorded mark, µs; 0 where none is recorded. `us`: until then. */
  markStoodUs(us: number): number {
    return Number.isNaN(this.#recordedUs) ? 0 : Math.max(this.#longestUs, us - this.#recordedUs);
  }

  /** No event before it settles funding; exchange time, µs. */
  get fundsFromUs(): number {
    return this.#funding === null ? Infinity : this.#funding.dueFromUs;
  }

  /** Quick check. */
  mayFund(us: number): boolean {
    return this.#funding !== null && this.#funding.isDue(us);
  }

  /** Null without a mark; on bars the mark is known only at the close. */
  fundingDue(us: number): string | null {
    const { closesUs = Infinity } = this.engine;
    const knownUs = us < closesUs ? us : closesUs - 1;
    if (this.#funding === null || !this.#funding.isDue(knownUs) || Number.isNaN(this.markNumber)) return null;
    return this.#funding.due(knownUs);
  }

  onMarket(event: Happening): void {
    if (event.kind === 'funding') this.#funding?.told(event);
    else if (event.kind === 'mark') {
      this.#markPrice = dec(event.markPrice);
      this.#recordedMark = event.markPrice;
      this.#longestUs = this.markStoodUs(event.exchangeUs);
      this.#recordedUs = event.exchangeUs;
    } else this.engine.onMarket(event);
  }

  /** The mark comes to a price inside its bar, or to where stops close the position before. */
  suppose(open: number, price: number): void {
    if (this.#marks !== null && this.marksByMid)
      this.settle(halfTicksOf(this.instrument, this.#marks.stoppedAt(open, price)));
  }

  /** The mid of its bar, half ticks. */
  settle(halfTicks: number): void {
    if (this.engine instanceof CandleMatching) this.engine.midHalfTicks = halfTicks;
  }

  /** Only if the limit does not bound the value: market orders, perpetual sells. */
  walkOf({ working, instrument, request }: OrderRecord): Walk {
    if (request.type === 'limit' && (request.side === 'buy' || this.perpetual === null)) return NO_WALK;
    const walk = { cost: ZERO, lots: 0 };
    this.engine.plan(working.side, working.ticks, working.lots, (ticks, lots) => {
      walk.cost = walk.cost.plus(instrument.exactNotional(ticks, lots));
      walk.lots += lots;
    });
    return walk;
  }

  /** NaN before the first. */
  get markNumber(): number {
    if (!Number.isNaN(this.#recordedMark)) return this.#recordedMark;
    const halves = this.engine.midHalfTicks;
    return halves === 0 ? Number.NaN : (halves * this.instrument.tick) / 2;
  }
}

function createEngine(instrument: Instrument, deps: SymbolDeps, marks: MarksInBars | null): MatchingEngine {
  const { mode, exchange, queue, nettingWindowMs, participation, slippageBps } = deps.options;
  if (exchange === 'candles')
    return new CandleMatching(instrument, { participation, slippageBps }, deps.listener, marks, () =>
      deps.stops(instrument.symbol),
    );
  return new BookMatching(
    instrument,
    { sync: deps.sync, mode, exchange, queue: createQueueModel(queue), nettingUs: nettingWindowMs * US_PER_MS },
    deps.listener,
  );
}
