/**
 * A made-up market as recorded frames, for parity where the real files are absent: few levels of few units, so that
 * queues run empty, prints sweep levels and best quotes cross the last depth all the time. A true book moves by adds,
 * cancels and trades; depth every 100 ms, best quotes and trades as they happen, each stream with a delay of its own.
 */
import { chance } from './script.ts';

export type SyntheticKind = 'spot' | 'derivative';

const START_MS = 1_800_000_000_000;
const LEVELS = 12;

interface Line {
  readonly ns: bigint;
  readonly text: string;
}

type Sides = Readonly<Record<'b' | 'a', Map<number, number>>>;

class TrueBook {
  readonly sides: Sides = { b: new Map(), a: new Map() };
  /** Levels changed since the last depth message. */
  readonly touched: Readonly<Record<'b' | 'a', Set<number>>> = { b: new Set(), a: new Set() };
  id = 1000;
  mid = 10_000;

  best(side: 'b' | 'a'): number {
    const prices = [...this.sides[side].keys()];
    return side === 'b' ? Math.max(...prices) : Math.min(...prices);
  }

  set(side: 'b' | 'a', price: number, quantity: number): void {
    if (quantity > 0) this.sides[side].set(price, quantity);
    else this.sides[side].delete(price);
    this.touched[side].add(price);
    this.id += 1;
  }

  /** Both sides keep some levels about the mid, and none beyond. */
  fill(random: () => number): void {
    for (const side of ['b', 'a'] as const) {
      const away = side === 'b' ? -1 : 1;
      for (const price of this.sides[side].keys()) {
        const distance = (price - this.mid) * away;
        if (distance < 1 || distance > 2 * LEVELS) this.set(side, price, 0);
      }
      for (let at = 1; this.sides[side].size < 4; at += 1) {
        const price = this.mid + away * at;
        if (!this.sides[side].has(price)) this.set(side, price, 1 + Math.floor(random() * 9));
      }
    }
  }
}

const priceText = (price: number): string => (price / 10).toFixed(1);
const quantityText = (quantity: number): string => (quantity / 1000).toFixed(3);

/** Lines as a collector writes them. */
export function syntheticLines(
  kind: SyntheticKind,
  seed: number,
  ticks: number,
  /** Time between two moves of the book; a depth message comes with each hundredth. */
  tickMs = 1,
): readonly string[] {
  const random = chance(seed);
  const book = new TrueBook();
  const lines: Line[] = [];
  const isDerivative = kind === 'derivative';
  const latest: Record<string, bigint> = {};
  let tradeId = 1;
  let depthId = book.id;
  const write = (stream: string, atMs: number, data: object): void => {
    const delayNs = BigInt(Math.floor((2 + random() * 12) * 1e6));
    let ns = BigInt(atMs) * 1_000_000n + delayNs;
    // One stream never overtakes itself.
    if (ns <= (latest[stream] ?? 0n)) ns = (latest[stream] ?? 0n) + 1000n;
    latest[stream] = ns;
    const text = JSON.stringify(stream === 'snapshot' ? data : { stream: `btcusdt@${stream}`, data });
    lines.push({ ns, text });
  };
  const rows = (side: 'b' | 'a', prices: Iterable<number>): [string, string][] =>
    [...prices].map((price) => [priceText(price), quantityText(book.sides[side].get(price) ?? 0)]);
  const depth = (ms: number): void => {
    const times = isDerivative ? { E: ms + 1, T: ms } : { E: ms };
    const ids = { U: depthId + 1, u: book.id, ...(isDerivative ? { pu: depthId } : {}) };
    const levels = { b: rows('b', book.touched.b), a: rows('a', book.touched.a) };
    write('depth', ms, { e: 'depthUpdate', ...times, s: 'BTCUSDT', ...ids, ...levels });
    depthId = book.id;
    book.touched.b.clear();
    book.touched.a.clear();
  };
  const quote = (ms: number): void => {
    const [bid, ask] = [book.best('b'), book.best('a')];
    const sides = {
      b: priceText(bid),
      B: quantityText(book.sides.b.get(bid) ?? 0),
      a: priceText(ask),
      A: quantityText(book.sides.a.get(ask) ?? 0),
    };
    const times = isDerivative ? { e: 'bookTicker', T: ms, E: ms } : {};
    write('bookTicker', ms, { ...times, u: book.id, s: 'BTCUSDT', ...sides });
  };
  const print = (ms: number): void => {
    const side = random() < 0.5 ? 'b' : 'a';
    let left = 1 + Math.floor(random() ** 2 * 25);
    while (left > 0 && book.sides[side].size > 1) {
      const price = book.best(side);
      const there = book.sides[side].get(price) ?? 0;
      const taken = Math.min(left, there);
      left -= taken;
      book.set(side, price, there - taken);
      const facts = { t: tradeId++, p: priceText(price), q: quantityText(taken), T: ms, m: side === 'b' };
      write('trade', ms, { e: 'trade', E: ms, s: 'BTCUSDT', ...facts });
    }
  };
  const move = (): void => {
    const side = random() < 0.5 ? 'b' : 'a';
    const price = book.mid + (side === 'b' ? -1 : 1) * (1 + Math.floor(random() ** 2 * LEVELS));
    book.set(side, price, Math.max(0, Math.floor(random() * 16) - 3));
  };
  book.fill(random);
  for (let tick = 0; tick < ticks; tick += 1) {
    const at = START_MS + tick * tickMs;
    if (random() < 0.01) book.mid += random() < 0.5 ? -1 : 1;
    const before = book.id;
    if (random() < 0.2) move();
    if (random() < 0.03) print(at);
    book.fill(random);
    if (book.id !== before && random() < 0.6) quote(at);
    if (tick === 350) {
      const times = isDerivative ? { E: at + 1, T: at } : {};
      const levels = { bids: rows('b', book.sides.b.keys()), asks: rows('a', book.sides.a.keys()) };
      write('snapshot', at, { lastUpdateId: book.id, ...times, ...levels });
    }
    if (tick % 100 === 99 && book.id > depthId) depth(at);
  }
  return lines.toSorted((a, b) => (a.ns < b.ns ? -1 : a.ns > b.ns ? 1 : 0)).map(({ ns, text }) => `${ns} ${text}`);
}
