/** Infers symbols, market, tick and lot, sequence rule, clock skew. Pure. */
import type { InstrumentSpec, Market } from '../../model/market/instrument.ts';
import type { SequenceRule } from '../../model/market/market-event.ts';
import { BarPrices, GridProbe } from './grid.ts';
import { KnownTrades } from './known-trades.ts';
import { isBar } from './market-events.ts';
import type { RawLevel, RawMessage } from './raw-message.ts';
import { splitSymbol } from './symbol-name.ts';

/** Normal reordering of streams is below this. */
const BACK_US = 60_000_000;
/** Streams of one exchange differ by less. */
const MOVED_US = 1_000_000;
/** No market rests as long. */
const LEAP_US = 366 * 86_400_000_000;

interface SymbolSurvey {
  readonly price: GridProbe;
  readonly quantity: GridProbe;
  readonly bars: BarPrices;
  rule: SequenceRule;
  /** By kind, µs. */
  readonly latestUs: Map<RawMessage['kind'] | 'snapshot', number>;
}

export class ImportSurvey {
  readonly #wanted: readonly string[];
  readonly #found = new Map<string, SymbolSurvey>();
  readonly #others = new Map<string, number>();
  readonly trades = new KnownTrades();
  #messages = 0;
  #back = 0;
  #moved = 0;
  #movedUs = 0;
  #barsBack = 0;
  #named = false;
  readonly #leaps: [number, number][] = [];

  constructor(wanted: readonly string[]) {
    this.#wanted = wanted;
  }

  /** Of wanted symbols. */
  get messages(): number {
    return this.#messages;
  }

  /** Less than `BACK_US` before, but at least `MOVED_US`; the most in s. */
  get moved(): { readonly messages: number; readonly seconds: number } {
    return { messages: this.#moved, seconds: this.#movedUs / 1_000_000 };
  }

  /** At least `BACK_US` before an earlier one of kind and symbol. */
  get back(): number {
    return this.#back;
  }

  /** A tape leaves them out. */
  get barsBack(): number {
    return this.#barsBack;
  }

  /** Of more than a year, from and to, µs. */
  get leaps(): readonly (readonly [number, number])[] {
    return this.#leaps;
  }

  /** A message named a wanted symbol; snapshots fit any. */
  get named(): boolean {
    return this.#named;
  }

  /** Unwanted symbols and their message counts. */
  get others(): ReadonlyMap<string, number> {
    return this.#others;
  }

  get symbols(): readonly string[] {
    return [...this.#found.keys()];
  }

  /** Its own, else the only wanted one; else empty. */
  symbolOf(message: RawMessage): string {
    if (message.symbol !== '') return message.symbol;
    return this.#wanted.length === 1 ? (this.#wanted[0] ?? '') : '';
  }

  /** False when the symbol is not wanted. */
  add(message: RawMessage): boolean {
    const symbol = this.symbolOf(message);
    if (symbol === '' || (this.#wanted.length > 0 && !this.#wanted.includes(symbol))) {
      this.#others.set(symbol, (this.#others.get(symbol) ?? 0) + 1);
      return false;
    }
    this.#messages++;
    if (message.symbol !== '') this.#named = true;
    if (message.kind === 'trade') this.trades.admits(symbol, message);
    let survey = this.#found.get(symbol);
    if (survey === undefined) {
      survey = {
        price: new GridProbe(),
        quantity: new GridProbe(),
        bars: new BarPrices(),
        rule: 'none',
        latestUs: new Map(),
      };
      this.#found.set(symbol, survey);
    }
    measure(survey, message);
    if (message.kind !== 'candle' || isBar(message)) this.#order(survey, message);
    return true;
  }

  #order({ latestUs }: SymbolSurvey, message: RawMessage): void {
    const { exchangeUs } = message;
    // Its time may be the last change's.
    const kind = message.kind === 'depth' && message.snapshot ? 'snapshot' : message.kind;
    const latest = latestUs.get(kind) ?? -Infinity;
    if (exchangeUs - latest > LEAP_US && latest > -Infinity) this.#leaps.push([latest, exchangeUs]);
    if (exchangeUs > latest) latestUs.set(kind, exchangeUs);
    else if (latest - exchangeUs >= BACK_US) {
      this.#back++;
      if (kind === 'candle') this.#barsBack++;
    } else if (latest - exchangeUs >= MOVED_US && kind !== 'candle') {
      this.#moved++;
      this.#movedUs = Math.max(this.#movedUs, latest - exchangeUs);
    }
  }

  rules(): Record<string, SequenceRule> {
    return Object.fromEntries([...this.#found].map(([symbol, survey]) => [symbol, survey.rule]));
  }

  /** Inferred tick of a symbol of bars alone, in basis points of its least price; else 0. */
  coarseness({ symbol, tickSize, inferred }: InstrumentSpec): number {
    const survey = this.#found.get(symbol);
    return survey !== undefined && inferred === true && hasBarsAlone(survey) ? survey.bars.basisPoints(tickSize) : 0;
  }

  /** The inferred instrument. */
  instrument(symbol: string, market: Market | undefined): InstrumentSpec {
    const survey = this.#found.get(symbol);
    const { base, quote } = splitSymbol(symbol);
    const kind = market ?? (survey?.rule === 'pu' ? 'derivative' : 'spot');
    const found = survey?.price.step('0.01') ?? '0.01';
    // Sums show no lot.
    const lotSize = survey?.quantity.step('0.00000001') ?? '0.00000001';
    const common = {
      symbol,
      market: kind,
      base,
      quote,
      tickSize: survey !== undefined && hasBarsAlone(survey) ? survey.bars.step(found) : found,
      lotSize: Number(lotSize) < 1e-8 ? '0.00000001' : lotSize,
      minQuantity: Number(lotSize) < 1e-8 ? '0.00000001' : lotSize,
      maxQuantity: '1000000000',
      minNotional: '0',
      status: 'trading',
      inferred: true,
    } as const;
    if (kind === 'spot') return common;
    return {
      ...common,
      settle: quote,
      contractSize: '1',
      maxLeverage: 100,
      fundingIntervalHours: 8,
      maintenanceMarginRate: '0.005',
    };
  }
}

/** Bars have no quantities that show a lot. */
function hasBarsAlone({ quantity }: SymbolSurvey): boolean {
  return !quantity.seen;
}

function measure(survey: SymbolSurvey, message: RawMessage): void {
  switch (message.kind) {
    case 'depth':
      // Shows no rule for updates.
      if (!message.snapshot && message.rule !== 'none' && survey.rule !== 'pu') survey.rule = message.rule;
      measureLevels(survey, message.bids);
      measureLevels(survey, message.asks);
      return;
    case 'trade':
      survey.price.add(message.price);
      survey.quantity.add(message.quantity);
      return;
    case 'quote':
      survey.price.add(message.bid);
      survey.price.add(message.ask);
      survey.quantity.add(message.bidQuantity);
      survey.quantity.add(message.askQuantity);
      return;
    case 'candle':
      if (!isBar(message)) return;
      for (const price of [message.open, message.high, message.low, message.close]) {
        survey.price.add(price);
        survey.bars.add(price);
      }
      return;
    default:
  }
}

function measureLevels(survey: SymbolSurvey, levels: readonly RawLevel[]): void {
  for (const level of levels) {
    survey.price.add(level[0]);
    survey.quantity.add(level[1]);
  }
}
