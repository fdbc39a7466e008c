/** Market events for programs: each event of the kinds that a trigger uses, in ticks. */
import type { Instrument } from '../../model/market/instrument.ts';
import type { Cancel, MarketReader } from '../../model/ports.ts';
import type { TriggerSource } from '../../model/trading/program.ts';
import type { Prices } from '../../programs/rule.ts';

type Kind = 'quote' | 'trade' | 'mark';

interface Heard {
  readonly instrument: Instrument;
  readonly kinds: Map<Kind, Cancel>;
  last: number;
  mark: number;
  /** In a backtest on bars: the current price along the bar; else NaN. */
  bar: number;
  /** The open of a bar, while that is the price; else NaN. */
  open: number;
  /** Lots. */
  printed: number;
  /** Of these, lots of own orders that crossed. */
  own: number;
}

interface Told {
  readonly price: number;
  readonly quantity: number;
  readonly isOpen: true | undefined;
}

const KIND_OF: Readonly<Record<TriggerSource | 'printed', Kind>> = {
  'bid-ask': 'quote',
  mid: 'quote',
  last: 'trade',
  printed: 'trade',
  mark: 'mark',
};

export class ProgramPrices {
  readonly #market: MarketReader;
  readonly #onEvent: (symbol: string) => void;
  readonly #heard = new Map<string, Heard>();

  constructor(market: MarketReader, onEvent: (symbol: string) => void) {
    this.#market = market;
    this.#onEvent = onEvent;
  }

  follow(instrument: Instrument, source: TriggerSource | 'printed'): void {
    const { symbol } = instrument;
    let heard = this.#heard.get(symbol);
    if (heard === undefined) {
      heard = {
        instrument,
        kinds: new Map(),
        last: Number.NaN,
        mark: Number.NaN,
        bar: Number.NaN,
        open: Number.NaN,
        printed: 0,
        own: 0,
      };
      this.#heard.set(symbol, heard);
    }
    const kind = KIND_OF[source];
    if (heard.kinds.has(kind)) return;
    const { kinds } = heard;
    // Set before the subscription, which may call at once.
    kinds.set(kind, () => {});
    const stop = this.#market.follow?.(symbol, kind, (price, quantity, isOpen) =>
      this.#hear(heard, kind, { price, quantity, isOpen }),
    );
    if (stop !== undefined) kinds.set(kind, stop);
  }

  /** No working program of the symbol is left. */
  unfollow(symbol: string): void {
    const heard = this.#heard.get(symbol);
    if (heard === undefined) return;
    this.#heard.delete(symbol);
    for (const stop of heard.kinds.values()) stop();
  }

  get followed(): readonly string[] {
    return [...this.#heard.keys()];
  }

  /** Ticks, while the price is the open of a bar; else NaN. */
  open(symbol: string): number {
    return this.#heard.get(symbol)?.open ?? Number.NaN;
  }

  printed(symbol: string): number {
    return this.#heard.get(symbol)?.printed ?? 0;
  }

  /** Lots that others printed. */
  volume(symbol: string): number {
    const { printed = 0, own = 0 } = this.#heard.get(symbol) ?? {};
    return printed - own;
  }

  /** Of own orders that crossed, and that the venue prints. */
  took(symbol: string, lots: number): void {
    const heard = this.#heard.get(symbol);
    if (heard?.kinds.has('trade') === true) heard.own += lots;
  }

  /** `printedBefore`: lots, `last` is of a later trade; default: it is unknown. */
  of(instrument: Instrument, printedBefore = Infinity): Prices {
    const heard = this.#heard.get(instrument.symbol);
    const last = heard === undefined || heard.printed <= printedBefore ? Number.NaN : heard.last;
    const mark = heard?.mark ?? Number.NaN;
    const best = this.#market.best(instrument.symbol);
    if (best !== undefined && best.bidLots > 0 && best.askLots > 0) {
      const { bidTicks: bid, askTicks: ask } = best;
      return { bid, ask, mid: (bid + ask) / 2, last, mark };
    }
    const bar = heard?.bar ?? Number.NaN;
    const mid = Number.isNaN(bar) ? ticksOf(instrument, this.#market.mid(instrument.symbol)) : bar;
    return { bid: mid, ask: mid, mid, last, mark };
  }

  #hear(heard: Heard, kind: Kind, { price, quantity, isOpen }: Told): void {
    const { instrument } = heard;
    const ticks = ticksOf(instrument, price);
    heard.open = isOpen === true ? ticks : Number.NaN;
    if (kind === 'mark') heard.mark = ticks;
    else if (kind === 'trade') {
      heard.last = ticks;
      heard.printed += quantity / instrument.lot;
    } else heard.bar = ticks;
    this.#onEvent(instrument.symbol);
  }
}

/** A price within 1e-6 of a tick is that tick. */
function ticksOf({ tick }: Instrument, price: number | undefined): number {
  if (price === undefined || Number.isNaN(price)) return Number.NaN;
  const ticks = price / tick;
  const near = Math.round(ticks);
  return Math.abs(ticks - near) < 1e-6 ? near : ticks;
}
