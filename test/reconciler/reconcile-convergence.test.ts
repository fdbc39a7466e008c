/**
 * The law of the reconciler: whatever the venue and the journal differ in, one pass takes it over and the second finds
 * nothing to do (P10). Random lives of orders, seen or unseen by the process, with and without a restore from a backup.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { BTC, HandClock, makeRig, TestVenue } from '../execution/rig.ts';

interface Life {
  /** Whether the process learned what became of it before it died. */
  readonly seen: boolean;
  /** Part that was filled, in tenths. */
  readonly filled: number;
  readonly canceled: boolean;
}

const life = fc.record({ seen: fc.boolean(), filled: fc.integer({ min: 0, max: 10 }), canceled: fc.boolean() });

const STATES: ReadonlySet<JournalEntry['kind']> = new Set<JournalEntry['kind']>([
  'intent',
  'sending',
  'outcome',
  'order',
  'fill',
  'closed',
  'correction',
]);

it('one pass of the reconciler converges, and the second is a no-op', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 6 }), fc.boolean(), async (lives, forgets) => {
      const clock = new HandClock();
      const venue = new TestVenue(clock, true);
      const first = createMemoryJournal();
      const before = makeRig({ clock, venue, journal: first, specs: [BTC], bootId: 'b1' });
      for (const [index, one] of lives.entries()) live(before, one, index);
      before.executor.close();

      // A backup knows the orders up to some moment alone; here none but the first.
      const journal = createMemoryJournal();
      const rows = [...first.read()];
      const cut = forgets ? rows.findIndex(({ entry }) => entry.kind === 'intent' && entry.intentId === 'b1-2') : -1;
      for (const { ts, entry } of cut < 0 ? rows : rows.slice(0, cut)) journal.append(ts, [entry]);
      if (cut >= 0) journal.append(clock.now(), [{ kind: 'restored', event: 'restored', reason: 'test' }]);

      const after = makeRig({ clock, venue, journal, specs: [BTC], bootId: 'b2' });
      const reconciler = createReconciler(after.executor);
      clock.advance(60_000);
      await reconciler.runNow({ full: true });
      expect(after.executor.unresolvedCount()).toBe(0);
      const orders = after.executor.account('maker');
      for (const report of venue.orders.values()) {
        const own = orders.openOrders().find(({ orderId }) => orderId === report.orderId);
        const stands = report.status === 'new' || report.status === 'partially_filled';
        expect([report.orderId, own !== undefined]).toEqual([report.orderId, stands]);
        if (own !== undefined) expect(Number(own.filledQuantity)).toBe(Number(report.filledQuantity));
      }
      const traded = venue.trades.reduce((sum, { quantity }) => sum + Math.round(Number(quantity) * 1e5), 0);
      expect(Math.round(Number(orders.position('BTCUSDT').quantity) * 1e5)).toBe(traded);

      const seq = journal.lastSeq;
      const hash = stateHash(after.executor.state);
      await reconciler.runNow({ full: true });
      expect(stateHash(after.executor.state)).toBe(hash);
      expect([...journal.read(seq + 1)].filter(({ entry }) => STATES.has(entry.kind))).toEqual([]);
      expect(stateHash(replayRows(journal.read()).state)).toBe(hash);
    }),
    { numRuns: 150 },
  );
});

function live(rig: ReturnType<typeof makeRig>, { seen, filled, canceled }: Life, index: number): void {
  const { venue, executor, clock } = rig;
  venue.createMode = seen ? 'accept' : 'ack-lost';
  const known = new Set(venue.orders.keys());
  const price = String(59_000 - index * 10);
  executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' });
  clock.advance(1_000);
  const orderId = [...venue.orders.keys()].find((id) => !known.has(id));
  if (orderId === undefined) return;
  if (filled > 0) venue.fill(orderId, (filled / 1_000).toFixed(3));
  if (canceled && filled < 10) venue.end(orderId, 'canceled');
}
