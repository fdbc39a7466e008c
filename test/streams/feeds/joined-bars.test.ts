/** Bars of several symbols, joined by their open times. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { Candle } from '../../../src/model/market/views.ts';
import { joinedBars } from '../../../src/streams/feeds/joined-bars.ts';

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

function candle(symbol: string, minute: number): Candle {
  const price = minute + 1;
  const ohlc = { open: price, high: price, low: price, close: price };
  return { symbol, openTime: minute * 60_000, intervalMs: 60_000, ...ohlc, volume: 1, closed: true };
}

test('a bar comes once, when the last symbol has closed it, and is left out where one lacks it', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 12 });
  const sorted = minutes.map((all) => all.toSorted((left, right) => left - right));
  fc.assert(
    fc.property(fc.tuple(sorted, sorted, sorted), fc.infiniteStream(fc.nat(2)), (all, picks) => {
      const feeds = { a: new Subject<Candle>(), b: new Subject<Candle>(), c: new Subject<Candle>() };
      const seen: { readonly minute: number; readonly after: readonly number[] }[] = [];
      const sent = [0, 0, 0];
      joinedBars(feeds).subscribe((bars) => {
        const times = new Set(NAMES.map((name) => bars[name].openTime));
        expect(times.size).toBe(1);
        expect(NAMES.map((name) => bars[name].symbol)).toEqual([...NAMES]);
        seen.push({ minute: bars.a.openTime / 60_000, after: [...sent] });
      });
      for (let left = all.flat().length; left > 0;) {
        const at = picks.next().value ?? 0;
        const minute = all[at]![sent[at]!];
        const next = minute === undefined ? all.findIndex((own, each) => sent[each]! < own.length) : at;
        const name: Name = NAMES[next]!;
        feeds[name].next(candle(name, all[next]![sent[next]!++]!));
        left--;
      }
      const common = all[0].filter((minute) => all[1].includes(minute) && all[2].includes(minute));
      expect(seen.map(({ minute }) => minute)).toEqual(common);
      // At once: the candle just sent is the one that was missing.
      for (const { minute, after } of seen) {
        const last = all.map((own, each) => own[after[each]! - 1]);
        expect(last).toContain(minute);
      }
    }),
  );
});

test('it completes with the last of its symbols', () => {
  const [a, b] = [new Subject<Candle>(), new Subject<Candle>()];
  const ends: string[] = [];
  joinedBars({ a, b }).subscribe({ complete: () => ends.push('complete') });
  a.complete();
  expect(ends).toEqual([]);
  b.complete();
  expect(ends).toEqual(['complete']);
});

test('an error of one symbol is its own', () => {
  const [a, b] = [new Subject<Candle>(), new Subject<Candle>()];
  const ends: unknown[] = [];
  joinedBars({ a, b }).subscribe({ error: (thrown) => ends.push(thrown) });
  b.error('lost');
  expect(ends).toEqual(['lost']);
});
