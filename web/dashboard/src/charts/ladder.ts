/**
 * The order book as a ladder on a canvas: asks above, bids below, sums as bars, own orders marked. Only rows that are seen are
 * drawn, so that 200 levels a side cost no more than what fits.
 */
import { decimalsIn, decimalText, grouped, padded } from '../ui/number.ts';
import type { Book, OrderRow } from '../wire/types.ts';
import { FONT, palette, type Palette } from './palette.ts';

const ROW_PX = 18;
const HEAD_PX = 24;
const SPREAD_PX = 26;

export interface LadderInput {
  readonly book: Book;
  readonly orders: readonly OrderRow[];
  readonly tickSize: string;
}

export class Ladder {
  readonly #canvas: HTMLCanvasElement;
  readonly #observer: ResizeObserver;
  #colours: Palette = palette();
  #input: LadderInput | null = null;
  #frame = 0;
  /** Rows away from the middle; 0 follows the touch. */
  #offset = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#observer = new ResizeObserver(() => this.#ask());
    this.#observer.observe(canvas);
    canvas.addEventListener('wheel', this.#onWheel, { passive: false });
    canvas.addEventListener('dblclick', this.centre);
  }

  show(input: LadderInput): void {
    this.#input = input;
    this.#ask();
  }

  recolour(): void {
    this.#colours = palette();
    this.#ask();
  }

  readonly centre = (): void => {
    this.#offset = 0;
    this.#ask();
  };

  scroll(rows: number): void {
    const { bids, asks } = this.#input?.book ?? { bids: [], asks: [] };
    this.#offset = Math.max(-bids.length, Math.min(asks.length, this.#offset + rows));
    this.#ask();
  }

  remove(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
    this.#canvas.removeEventListener('wheel', this.#onWheel);
  }

  readonly #onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.scroll(-Math.sign(event.deltaY) * 3);
  };

  /** At most once a frame. */
  #ask(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint(): void {
    const context = this.#canvas.getContext('2d');
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (context === null || width === 0) return;
    const ratio = devicePixelRatio;
    if (this.#canvas.width !== Math.round(width * ratio)) this.#canvas.width = Math.round(width * ratio);
    if (this.#canvas.height !== Math.round(height * ratio)) this.#canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = FONT;
    context.textBaseline = 'middle';
    if (this.#input !== null) this.#rows(context, this.#input, width, height);
  }

  #rows(context: CanvasRenderingContext2D, input: LadderInput, width: number, height: number): void {
    const { book, orders, tickSize } = input;
    const middle = Math.round((HEAD_PX + height) / 2) + this.#offset * ROW_PX;
    const shown = Math.ceil(height / ROW_PX) + Math.abs(this.#offset);
    const [asks, bids] = [summed(book.asks, shown), summed(book.bids, shown)];
    const most = Math.max(asks.at(-1)?.sum ?? 0, bids.at(-1)?.sum ?? 0, Number.MIN_VALUE);
    const own = ownBy(orders);
    const places = {
      price: decimalsIn(tickSize),
      quantity: Math.max(0, ...[...asks, ...bids].map(({ quantity }) => decimalsIn(quantity))),
    };
    for (const [index, level] of asks.entries())
      this.#row(context, level, {
        y: middle - SPREAD_PX / 2 - ROW_PX * (index + 1),
        width,
        most,
        own,
        places,
        side: 'sell',
      });
    for (const [index, level] of bids.entries())
      this.#row(context, level, { y: middle + SPREAD_PX / 2 + ROW_PX * index, width, most, own, places, side: 'buy' });
    this.#spread(context, book, width, middle - SPREAD_PX / 2);
    this.#head(context, width);
  }

  #row(
    context: CanvasRenderingContext2D,
    { price, quantity, sum }: Level,
    at: {
      readonly y: number;
      readonly width: number;
      readonly most: number;
      readonly own: ReadonlyMap<string, number>;
      readonly places: Readonly<Record<'price' | 'quantity', number>>;
      readonly side: 'buy' | 'sell';
    },
  ): void {
    const { y, width, most, own, places, side } = at;
    if (y < HEAD_PX - ROW_PX || y > this.#canvas.clientHeight) return;
    const colour = side === 'buy' ? this.#colours.accent : this.#colours.sell;
    context.fillStyle = colour;
    context.globalAlpha = 0.14;
    context.fillRect(width - (sum / most) * width, y + 1, (sum / most) * width, ROW_PX - 2);
    context.globalAlpha = 1;
    const centre = y + ROW_PX / 2 + 0.5;
    const mine = own.get(`${side} ${Number(price)}`);
    context.textAlign = 'left';
    context.fillStyle = colour;
    context.fillText(padded(price, places.price), 22, centre);
    context.textAlign = 'right';
    context.fillStyle = this.#colours.ink;
    context.fillText(padded(quantity, places.quantity), width * 0.68, centre);
    context.fillStyle = this.#colours.muted;
    context.fillText(grouped(sum, sum >= 1_000 ? 0 : 3), width - 10, centre);
    if (mine === undefined) return;
    context.fillStyle = colour;
    context.fillRect(0, y + 1, 3, ROW_PX - 2);
    context.textAlign = 'left';
    context.fillText(side === 'buy' ? '▲' : '▼', 7, centre);
  }

  #spread(context: CanvasRenderingContext2D, { bids, asks, synced }: Book, width: number, y: number): void {
    const [bid, ask] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])];
    context.fillStyle = this.#colours.card;
    context.fillRect(0, y, width, SPREAD_PX);
    context.fillStyle = this.#colours.line;
    context.fillRect(0, y + 1, width, 1);
    context.fillRect(0, y + SPREAD_PX - 2, width, 1);
    context.textAlign = 'left';
    context.fillStyle = synced ? this.#colours.ink : this.#colours.amber;
    const isWhole = Number.isFinite(bid) && Number.isFinite(ask);
    const mid = (bid + ask) / 2;
    const text = isWhole
      ? `spread ${decimalText(trimmed(ask - bid))} · ${grouped(((ask - bid) / mid) * 10_000, 2)} bps`
      : 'one side is empty';
    context.fillText(synced ? text : 'the book is being rebuilt', 22, y + SPREAD_PX / 2 + 0.5);
  }

  #head(context: CanvasRenderingContext2D, width: number): void {
    context.fillStyle = this.#colours.card;
    context.fillRect(0, 0, width, HEAD_PX);
    context.fillStyle = this.#colours.muted;
    context.textAlign = 'left';
    context.fillText('price', 22, HEAD_PX / 2);
    context.textAlign = 'right';
    context.fillText('quantity', width * 0.68, HEAD_PX / 2);
    context.fillText('sum', width - 10, HEAD_PX / 2);
    context.fillStyle = this.#colours.line;
    context.fillRect(0, HEAD_PX - 1, width, 1);
  }
}

interface Level {
  readonly price: string;
  readonly quantity: string;
  readonly sum: number;
}

function summed(levels: Book['bids'], most: number): readonly Level[] {
  let sum = 0;
  return levels.slice(0, most).map(([price, quantity]) => ({ price, quantity, sum: (sum += Number(quantity)) }));
}

function ownBy(orders: readonly OrderRow[]): ReadonlyMap<string, number> {
  const own = new Map<string, number>();
  for (const { side, price, quantity } of orders) {
    if (price === null) continue;
    const key = `${side} ${Number(price)}`;
    own.set(key, (own.get(key) ?? 0) + Number(quantity));
  }
  return own;
}

const trimmed = (value: number): string => String(Number(value.toPrecision(8)));
