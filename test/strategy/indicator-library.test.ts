/** The indicators of trading-signals in our form, and docs/indicators.md against all that `context.indicators` holds. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import * as lib from 'trading-signals';
import { expect, test } from 'vitest';
import { indicators } from '../../src/strategy/indicators/indicators.ts';
import { library } from '../../src/strategy/indicators/library/library.ts';

type Made = { next(input: unknown): unknown };
const all = Object.entries(indicators) as unknown as readonly (readonly [
  string,
  (...given: readonly number[]) => Made,
])[];

/** Classes that have a form of our own, and the bases of others. */
const OWN: Readonly<Record<string, string>> = {
  WSMA: 'rma',
  BollingerBands: 'bollinger',
  DonchianChannels: 'donchian',
  KeltnerChannels: 'keltner',
  StochasticOscillator: 'stochastic',
  StochasticRSI: 'stochasticRsi',
  PSAR: 'parabolicSar',
  SuperTrend: 'supertrend',
  IchimokuCloud: 'ichimoku',
  Aroon: 'aroon',
  ER: 'er',
  Period: 'highest',
};
/** Seeded with its first value, else as `rma`. */
const SAME_AS_RMA = 'RMA';

/** `AC` is `ac`, `TTMSqueeze` is `ttmSqueeze`, `ConnorsRSI` is `connorsRsi`. */
function camel(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*/g) ?? [];
  return words
    .map((word, i) => (i === 0 ? word.toLowerCase() : `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`))
    .join('');
}

test('indicators/library/every class of trading-signals that can be made has its call', () => {
  const missing: string[] = [];
  let found = 0;
  for (const [name, value] of Object.entries(lib)) {
    if (typeof value !== 'function' || !(value.prototype instanceof lib.TechnicalIndicator)) continue;
    if (!Object.hasOwn(value.prototype, 'update') || name === SAME_AS_RMA) continue;
    found++;
    const call = OWN[name] ?? camel(name);
    if (!(call in indicators)) missing.push(`${name} as ${call}`);
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(120);
});

/** What a candle, a trade, a top and a pair have, so that one input serves every call; numbers come by themselves. */
const input = fc
  .record({
    low: fc.integer({ min: 1, max: 30 }),
    up: fc.integer({ min: 0, max: 8 }),
    from: fc.integer({ min: 0, max: 8 }),
    to: fc.integer({ min: 0, max: 8 }),
    volume: fc.integer({ min: 0, max: 8 }),
  })
  .map(({ low, up, from, to, volume }) => ({
    low,
    high: low + up,
    open: low + (up * from) / 8,
    close: low + (up * to) / 8,
    volume,
  }));

function takesNumbers(name: string): boolean {
  return page.get(name)?.takes !== 'candle';
}

const source = await readFile('docs/indicators.md', 'utf8');
const page = new Map<string, { readonly given: string; readonly takes: string }>();
for (const line of source.split('\n')) {
  const [, calls, takes] = /^\| (`.*?`) \| (.*?) \| .* \|$/.exec(line) ?? [];
  for (const [, name, given] of (calls ?? '').matchAll(/`(\w+)\((.*?)\)`/g)) {
    expect(page.has(name ?? ''), `${name} once`).toBe(false);
    page.set(name ?? '', { given: given ?? '', takes: takes ?? '' });
  }
}

/** Default values as numbers: type stripping and the page may write them otherwise. */
function parameters(text: string): string {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name, value] = part.split('=').map((side) => side.trim());
      return value === undefined ? name : `${name}=${Number(value.replaceAll('_', ''))}`;
    })
    .join();
}

test('indicators/page/names every call with its parameters, and no other', () => {
  expect([...page.keys()].toSorted()).toEqual(all.map(([name]) => name).toSorted());
  for (const [name, call] of all) {
    const given = /\(([^)]*)\)/.exec(String(call))?.[1] ?? '';
    expect(`${name}(${parameters(page.get(name)?.given ?? '-')})`).toBe(`${name}(${parameters(given)})`);
  }
});

test('indicators/library/finite or undefined for any candles, a flat market among them, and the same twice', () => {
  const flat = Array.from({ length: 60 }, () => ({ low: 0.1, high: 0.1, open: 0.1, close: 0.1, volume: 0 }));
  const names = Object.keys(library);
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.array(input, { minLength: 1, maxLength: 80 }),
      fc.boolean(),
      (name, bars, still) => {
        const make = library[name as keyof typeof library] as unknown as () => Made;
        const [one, other] = [make(), make()];
        for (const candle of still ? [...flat, ...bars] : bars) {
          const given = takesNumbers(name) ? candle.close : candle;
          const value = one.next(given);
          expect(other.next(given)).toEqual(value);
          if (value === undefined) continue;
          const numbers = (typeof value === 'object' ? Object.values(value as object) : [value]).filter(
            (item) => typeof item === 'number',
          );
          expect(numbers.length, name).toBeGreaterThan(0);
          expect(numbers.every(Number.isFinite), name).toBe(true);
        }
      },
    ),
    { numRuns: 600 },
  );
});

test('indicators/library/each has a value once a market has moved, whatever it saw before', () => {
  const flat = Array.from({ length: 60 }, () => ({ low: 100, high: 100, open: 100, close: 100, volume: 0 }));
  const moving = Array.from({ length: 400 }, (_, i) => {
    const at = (k: number): number => 100 + 8 * Math.sin(k / 9) + 3 * Math.sin(k * 1.7);
    const [open, close] = [at(i - 1), at(i)];
    const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
    return { open, close, high: top + 0.3 + (i % 3) / 7, low: bottom - 0.2 - (i % 5) / 9, volume: 1 + (i % 7) };
  });
  for (const [name, make] of Object.entries(library)) {
    const indicator = (make as unknown as () => Made)();
    let last: unknown;
    for (const candle of [...flat, ...moving]) {
      const price = page.get(name)?.takes === 'volume' ? candle.volume : candle.close;
      last = indicator.next(takesNumbers(name) ? price : candle) ?? last;
    }
    expect(last, name).toBeDefined();
  }
});

test('indicators/library/a parameter out of its range is refused with the name', () => {
  for (const make of [
    () => indicators.hma(0),
    () => indicators.frama(7),
    () => indicators.alma(9, Number.NaN),
    () => indicators.laguerreRsi(1.5),
    () => indicators.kalman(0, 1),
    () => indicators.kalmanHedge(1, 1),
    () => indicators.hurst(15),
    () => indicators.vpin(-1),
    () => indicators.yangZhang(1),
  ]) {
    expect(make).toThrow(expect.objectContaining({ code: 'strategy_definition' }));
  }
});
