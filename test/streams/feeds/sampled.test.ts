/** Sampling at the source is `throttleTime` with both edges, at the same times and with the same prices. */
import * as fc from 'fast-check';
import { throttleTime } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { installVirtualTime } from '../../../src/strategy/running/virtual-time.ts';
import { isTidewireError } from '../../../src/model/errors.ts';
import type { Top } from '../../../src/model/market/views.ts';
import { World } from '../../strategy/world.ts';

const EVERY_MS = 250;

/** Changes of the bid, so many cents up, after so many ms. */
const steps = fc.array(
  fc.record({ waitMs: fc.constantFrom(0, 1, 60, 125, 249, 250, 251, 900), cents: fc.integer({ min: 0, max: 5 }) }),
  { maxLength: 40 },
);

interface Seen {
  readonly at: number;
  readonly bid: number;
}

function inWorld<T>(run: (world: World) => T): T {
  const world = new World();
  const remove = installVirtualTime(world.clock, { unhandled: () => {} });
  try {
    return run(world);
  } finally {
    remove();
  }
}

describe('market/sampled', () => {
  it('is throttleTime with leading and trailing edge', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (changes, hasBook) =>
        inWorld((world) => {
          if (hasBook) world.book(60_000, 60_010);
          const sampled: Seen[] = [];
          const throttled: Seen[] = [];
          const into = (seen: Seen[]) => (top: Top) => void seen.push({ at: world.elapsed, bid: top.bid });
          const both = { leading: true, trailing: true };
          world.market
            .top('BTCUSDT')
            .pipe(throttleTime(EVERY_MS, undefined, both))
            .subscribe(into(throttled));
          world.market.top('BTCUSDT', { every: `${EVERY_MS}ms` }).subscribe(into(sampled));
          let now = 0;
          for (const { waitMs, cents } of changes) {
            world.to((now += waitMs));
            world.book(60_000 + cents / 100, 60_010);
          }
          world.to(now + 10 * EVERY_MS);
          expect(sampled).toEqual(throttled);
        }),
      ),
    );
  });

  it('gives the live book once a window', () => {
    inWorld((world) => {
      const seen: Seen[] = [];
      world.market
        .book('BTCUSDT', { every: '100ms' })
        .subscribe((book) => void seen.push({ at: world.elapsed, bid: book.bids(1)[0]?.price ?? Number.NaN }));
      for (let ms = 0; ms < 500; ms += 10) {
        world.to(ms);
        world.book(60_000 + ms / 10, 60_100);
      }
      world.to(2000);
      expect(seen.map(({ at }) => at)).toEqual([0, 100, 200, 300, 400, 500]);
      expect(seen.map(({ bid }) => bid)).toEqual([60_000, 60_009, 60_019, 60_029, 60_039, 60_049]);
    });
  });

  it('ends with its subscription, also from within a value', () => {
    inWorld((world) => {
      let count = 0;
      const subscription = world.market.top('BTCUSDT', { every: '100ms' }).subscribe(() => {
        if (++count === 2) subscription.unsubscribe();
      });
      for (let ms = 0; ms < 1000; ms += 50) {
        world.to(ms);
        world.book(60_000 + ms, 70_000);
      }
      world.to(3000);
      expect(count).toBe(2);
    });
  });

  it.each(['', '0s', '-1s', 'soon', '5'])('refuses the window "%s"', (every) => {
    const world = new World();
    try {
      world.market.top('BTCUSDT', { every });
      expect.unreachable();
    } catch (thrown) {
      expect(isTidewireError(thrown) && thrown.code).toBe('bad_interval');
    }
  });
});
