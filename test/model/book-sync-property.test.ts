/**
 * The law of book sync: whatever is dropped, repeated or reordered on the way, a live book is exactly the server's book
 * at the id it claims, is never crossed, and stands again after a snapshot and quiet delivery. Where data may be missing, the
 * first snapshot or the next update brings it back, also when the server has started again.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BookSync } from '../../src/model/book/book-sync.ts';
import { createLadder } from '../../src/model/book/ladder.ts';
import type { DepthEvent, SequenceRule } from '../../src/model/market/market-event.ts';
import { btcusdt, contents, snapshot, update, type Row } from './depth-events.ts';

const MIDDLE = 1000;

/** The server: a naive book in a Map, never crossed since bids stay below and asks above the middle. */
class Server {
  readonly levels = new Map<string, Row>();
  /** The book at each id, for comparison. */
  readonly history = new Map<number, Record<string, number>>();
  readonly rule: SequenceRule;
  id = 100;

  constructor(rule: SequenceRule) {
    this.rule = rule;
    this.history.set(this.id, {});
  }

  change(rows: readonly Row[], span: number): DepthEvent {
    const previousId = this.id;
    // `pu` leaves holes between the updates of a stream; the others count every id.
    const firstId = this.rule === 'pu' ? previousId + 3 : previousId + 1;
    this.id = this.rule === 'seq' ? firstId : firstId + span;
    for (const row of rows) {
      const key = `${row[0]}:${row[1]}`;
      if (row[2] === 0) this.levels.delete(key);
      else this.levels.set(key, row);
    }
    this.history.set(this.id, Object.fromEntries([...this.levels].map(([key, row]) => [key, row[2]])));
    return update({ firstId: this.rule === 'seq' ? this.id : firstId, lastId: this.id, previousId }, rows);
  }

  snapshot(): DepthEvent {
    return snapshot({ lastId: this.id }, [...this.levels.values()]);
  }
}

const row: fc.Arbitrary<Row> = fc.oneof(
  fc.tuple(fc.constant(0 as const), fc.integer({ min: MIDDLE - 20, max: MIDDLE - 1 }), fc.integer({ min: 0, max: 5 })),
  fc.tuple(fc.constant(1 as const), fc.integer({ min: MIDDLE, max: MIDDLE + 20 }), fc.integer({ min: 0, max: 5 })),
);

const fault = fc.constantFrom('none', 'none', 'none', 'drop', 'repeat', 'swap', 'late', 'snapshot', 'replay');

const step = fc.record({ rows: fc.array(row, { maxLength: 5 }), span: fc.nat(4), fault });

/** What a bad line makes of the server's messages; snapshots come on the line or are kept back and come late. */
function deliver(server: Server, steps: readonly { rows: Row[]; span: number; fault: string }[]): DepthEvent[] {
  const line: DepthEvent[] = [server.snapshot()];
  let late: DepthEvent | undefined;
  for (const { rows, span, fault: kind } of steps) {
    const event = server.change(rows, span);
    if (kind !== 'drop') line.push(event);
    if (kind === 'repeat') line.push(event);
    if (kind === 'swap' && line.length > 1) line.splice(-2, 2, line.at(-1)!, line.at(-2)!);
    if (kind === 'late') late ??= server.snapshot();
    else if (late !== undefined) {
      line.push(late);
      late = undefined;
    }
    if (kind === 'snapshot') line.push(server.snapshot());
    if (kind === 'replay' && line.length > 3) line.push(line.at(-3)!);
  }
  return line;
}

describe.each(['seq', 'U/u', 'pu'] as const)('book sync law, rule %s', (rule) => {
  it('a live book is the server’s book at its id, and is never crossed', () => {
    let wasLive = 0;
    let wasLost = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const server = new Server(rule);
        const sync = new BookSync(createLadder(btcusdt), { rule, bufferedMax: 16 });
        for (const event of deliver(server, steps)) {
          sync.onDepth(event);
          const { book } = sync;
          if (!sync.live) {
            wasLost++;
            expect(contents(book)).toEqual({});
            continue;
          }
          wasLive++;
          expect(contents(book)).toEqual(server.history.get(sync.lastId));
          expect(book.bidLots === 0 || book.askLots === 0 || book.bidTicks < book.askTicks).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    // The faults are frequent enough to matter, and not so frequent that nothing was tested.
    expect(wasLive).toBeGreaterThan(500);
    expect(wasLost).toBeGreaterThan(500);
  });

  it('after faults, one snapshot and quiet delivery bring the book back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(step, { minLength: 1, maxLength: 10 }), (bad, good) => {
        const server = new Server(rule);
        const sync = new BookSync(createLadder(btcusdt), { rule });
        for (const event of deliver(server, bad)) sync.onDepth(event);
        sync.onDepth(server.snapshot());
        for (const { rows, span } of good) sync.onDepth(server.change(rows, span));
        if (!sync.live) {
          // The line ended in a restart that the server never had; the resubscription that follows ends it.
          sync.discard('resubscribed');
          sync.onDepth(server.snapshot());
        }
        expect(sync.live).toBe(true);
        expect(sync.lastId).toBe(server.id);
        expect(contents(sync.book)).toEqual(server.history.get(server.id));
      }),
      { numRuns: 300 },
    );
  });
});

const cut = fc.record({
  rows: fc.array(row, { maxLength: 5 }),
  span: fc.nat(4),
  /** What happens behind the open gap: nothing at all, messages are lost, or the server starts again below its ids. */
  kind: fc.constantFrom('none', 'none', 'nothing lost', 'lost', 'restart'),
  /** How many updates follow before the snapshot of the new connection; it comes first where there are none. */
  before: fc.nat(2),
});

describe.each(['seq', 'U/u', 'pu'] as const)('book sync law of gaps, rule %s', (rule) => {
  it('whatever a gap hides, the first snapshot after it or an update that joins brings back the server’s book', () => {
    const seen = { kept: 0, restarted: 0, late: 0 };
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 40 }), (cuts) => {
        let server = new Server(rule);
        server.id = 100_000;
        server.change([], 0);
        let us = 0;
        const sync = new BookSync(createLadder(btcusdt), { rule });
        // Dates rise by a millisecond: by them no snapshot of a restart could be told from a late one.
        const deliver = (event: DepthEvent): string => sync.onDepth({ ...event, exchangeUs: (us += 1000) });
        const isRight = (): void => {
          expect(sync.live).toBe(true);
          expect(sync.lastId).toBe(server.id);
          expect(contents(sync.book)).toEqual(server.history.get(server.id));
        };
        deliver(server.snapshot());
        for (const { rows, span, kind, before } of cuts) {
          const late = server.snapshot();
          if (kind !== 'none') sync.doubt('the connection was lost');
          if (kind === 'lost') server.change(rows, span);
          if (kind === 'restart') {
            const { id } = server;
            server = new Server(rule);
            // Far enough that none of its updates seems to join what was before: no id could tell that.
            server.id = id - 1000;
            server.change(rows, span);
          }
          if (kind === 'none' || kind === 'nothing lost') {
            expect(deliver(server.change(rows, span))).toBe('applied');
            isRight();
            seen.kept++;
            // The update has proved the book: a snapshot from before it is late.
            expect(deliver(late)).toBe('old');
            seen.late++;
          } else {
            for (let count = 0; count < before; count++) deliver(server.change(rows, span));
            deliver(server.snapshot());
            if (kind === 'restart') seen.restarted++;
          }
          isRight();
          deliver(server.change(rows, span));
          isRight();
        }
      }),
      { numRuns: 200 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(200);
  });
});

describe('book sync with a producer that reuses one event and its columns', () => {
  it('gives the same book as with fresh events', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(30), (steps, snapshotAt) => {
        const server = new Server('seq');
        const fresh = new BookSync(createLadder(btcusdt), { rule: 'seq' });
        const reusing = new BookSync(createLadder(btcusdt), { rule: 'seq' });
        const shared = update({ lastId: 0 }, []);
        const columns = { sides: new Uint8Array(64), ticks: new Float64Array(64), lots: new Float64Array(64) };
        const feed = (event: DepthEvent): void => {
          columns.sides.set(event.levels.sides);
          columns.ticks.set(event.levels.ticks);
          columns.lots.set(event.levels.lots);
          Object.assign(shared, event, { levels: { ...columns, from: 0, to: event.levels.to } });
          expect(reusing.onDepth(shared)).toBe(fresh.onDepth(event));
        };
        for (const [index, { rows, span }] of steps.entries()) {
          const event = server.change(rows, span);
          feed(event);
          if (index === snapshotAt) feed(server.snapshot());
        }
        expect(contents(reusing.book)).toEqual(contents(fresh.book));
      }),
    );
  });
});

describe.each(['U/u', 'pu'] as const)('book sync law of two connections, rule %s', (rule) => {
  it('a stream received twice, each copy in its order, is one stream', () => {
    const message = fc.record({ rows: fc.array(row, { maxLength: 5 }), span: fc.nat(4) });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 40 }),
        fc.array(fc.boolean(), { maxLength: 120 }),
        (messages, picks) => {
          const server = new Server(rule);
          const sync = new BookSync(createLadder(btcusdt), { rule });
          sync.onDepth(server.snapshot());
          const line = messages.map(({ rows, span }) => server.change(rows, span));
          const at = [0, 0];
          const turns = [...picks.map(Number), ...line.map(() => 0), ...line.map(() => 1)];
          for (const copy of turns) {
            const event = line[at[copy]!];
            if (event === undefined) continue;
            at[copy]!++;
            expect(sync.onDepth(event)).not.toBe('gap');
            expect(contents(sync.book)).toEqual(server.history.get(sync.lastId));
          }
          expect(sync.lastId).toBe(server.id);
        },
      ),
      { numRuns: 200 },
    );
  });
});
