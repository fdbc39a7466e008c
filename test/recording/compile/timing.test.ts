import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { importRecording } from '../../../src/recording/importers/import.ts';
import { IndexSort } from '../../../src/recording/compile/index-sort.ts';
import { eventsOf, freshDir, writeFixture } from '../fixtures.ts';
import { join } from 'node:path';

const T0 = 1_700_000_000_000;

function line(receiveMs: number, data: object): string {
  return `${T0 + receiveMs}000000 ${JSON.stringify({ stream: 's', data })}`;
}

function depth(receiveMs: number, eventMs: number, first: number, last: number): string {
  return line(receiveMs, {
    e: 'depthUpdate',
    E: T0 + eventMs,
    s: 'BTCUSDT',
    U: first,
    u: last,
    b: [['100.1', '1']],
    a: [],
  });
}

function quote(receiveMs: number, id: number): string {
  return line(receiveMs, { u: id, s: 'BTCUSDT', b: '100.1', B: '1', a: '100.2', A: '2' });
}

async function tapeOf(lines: readonly string[]): Promise<Record<string, unknown>[]> {
  const out = join(freshDir(), 'out');
  const file = writeFixture('frames.txt', `${lines.join('\n')}\n`);
  await importRecording({ format: 'binance-collector', files: [file], symbols: ['BTCUSDT'], out, now: 0 });
  const tape = await openTape([out]);
  const events = eventsOf(tape, 'exchange');
  tape.close();
  return events;
}

describe('exchange time (T1)', () => {
  it('is the frame’s T, else E, else receive − base latency', async () => {
    const events = await tapeOf([
      line(5, { e: 'trade', E: T0 + 3, T: T0 + 2, s: 'BTCUSDT', t: 1, p: '100.1', q: '1', m: false }),
      depth(6, 4, 1, 2),
      quote(10, 3),
    ]);
    expect(events.map((event) => Number(event['exchangeUs']) / 1000 - T0)).toEqual([2, 4, 9]);
  });

  it('is never before an earlier update id of the symbol, even when that came later', async () => {
    const events = await tapeOf([quote(20, 5), depth(21, 10, 6, 8), depth(40, 11, 9, 12), quote(41, 7)]);
    const byId = [...events].sort((a, b) => idOf(a) - idOf(b)).map((event) => Number(event['exchangeUs']));
    expect(byId).toEqual([...byId].sort((a, b) => a - b));
    // The quote has no time of its own: it moves, not the message behind it.
    expect(byId.slice(0, 2).map((us) => Math.round(us / 1000) - T0)).toEqual([10, 10]);
  });

  it('of what has one is never moved by a guessed one', async () => {
    const kinds = fc.array(fc.boolean(), { minLength: 2, maxLength: 40 });
    const lag = fc.integer({ min: 0, max: 300 });
    await fc.assert(
      fc.asyncProperty(kinds, lag, lag, async (isDepth, depthLag, quoteLag) => {
        const lines = isDepth.map((is, index) => {
          const [ms, id] = [1000 + index * 5, index + 1];
          return is ? depth(ms + depthLag, ms, id, id) : quote(ms + quoteLag, id);
        });
        const received = (text: string): number => Number(text.split(' ')[0]?.slice(0, -6));
        const events = await tapeOf(lines.toSorted((a, b) => received(a) - received(b)));
        const known = events.filter(({ kind }) => kind === 'depth');
        expect(known.map((event) => Number(event['exchangeUs']) / 1000 - T0)).toEqual(
          known.map((event) => 1000 + (idOf(event) - 1) * 5),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('holds for any mixture of depth and quotes', async () => {
    const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 30 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 40 }), async (steps) => {
        let id = 10;
        const lines = steps.map(([isDepth, jitter, lag], index) => {
          id += 3;
          return isDepth
            ? depth(100 + index * 5, 100 + index * 5 - lag - jitter, id - 1, id)
            : quote(100 + index * 5, id);
        });
        const events = await tapeOf(lines);
        expect(events.length).toBe(steps.length);
        const byId = [...events].sort((a, b) => idOf(a) - idOf(b)).map((event) => Number(event['exchangeUs']));
        expect(byId).toEqual([...byId].sort((a, b) => a - b));
      }),
      { numRuns: 25 },
    );
  });

  it('does not hold the market up at a snapshot without time', async () => {
    const events = await tapeOf([
      depth(10, 8, 1, 5),
      depth(20, 18, 6, 9),
      `${T0 + 90}000000 ${JSON.stringify({ lastUpdateId: 4, bids: [['100', '1']], asks: [['101', '1']] })}`,
      depth(95, 93, 10, 12),
    ]);
    const updates = events.filter((event) => event['snapshot'] === false);
    expect(updates.map((event) => Number(event['exchangeUs']) / 1000 - T0)).toEqual([8, 18, 93]);
    // Received at 90, but its id proves that it is not younger than the update of 8.
    expect(events.find((event) => event['snapshot'] === true)?.['exchangeUs']).toBe((T0 + 8) * 1000);
  });
});

function idOf(event: Record<string, unknown>): number {
  return Number(event['lastId'] ?? event['updateId']);
}

describe('IndexSort', () => {
  it('is a stable sort by two keys', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(pairs, (keys) => {
        const indexes = Int32Array.from(keys, (_, index) => index);
        new IndexSort().sort(
          indexes,
          keys.length,
          keys.map(([major]) => major),
          keys.map(([, minor]) => minor),
        );
        const expected = keys
          .map((_, index) => index)
          .sort((a, b) => {
            const [majorA = 0, minorA = 0] = keys[a] ?? [];
            const [majorB = 0, minorB = 0] = keys[b] ?? [];
            return majorA - majorB || minorA - minorB || a - b;
          });
        expect([...indexes]).toEqual(expected);
      }),
    );
  });
});
