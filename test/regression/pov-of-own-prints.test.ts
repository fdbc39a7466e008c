/**
 * Found by a stranger: on an exchange, which prints own trades with those of others, a `pov` took its share of its own orders as
 * well, and of those of other programs: at a share of a half twice as much as on paper, near one without end.
 */
import { describe, expect, it } from 'vitest';
import { pov } from '../../src/index.ts';
import { HandClock, TestVenue, type Rig } from '../execution/rig.ts';
import { programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

class PrintingVenue extends TestVenue {
  override readonly printsOwn = true;

  /** All of what rests, as one that crossed. */
  takes(): void {
    for (const { orderId, quantity } of this.resting()) {
      this.emit({ kind: 'fill', fill: { ...this.fill(orderId, quantity, '60001'), liquidity: 'taker' } });
      this.tell(orderId);
    }
  }
}

const order = { symbol: SYMBOL, side: 'buy', quantity: '0.1', participation: 0.5, over: '1m' } as const;

function rigOf(): { readonly rig: Rig; readonly venue: PrintingVenue } {
  const clock = new HandClock();
  const venue = new PrintingVenue(clock);
  return { rig: programRig({ clock, venue }), venue };
}

function sent(venue: TestVenue): readonly string[] {
  return venue.creates().map(({ quantity }) => quantity);
}

describe('a pov takes no share of own trades', () => {
  it('that are printed before or after they are known', () => {
    const { rig, venue } = rigOf();
    submit(rig, pov(order));
    rig.market.print(60_000, 0.02);
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
    rig.market.print(60_001, 0.01);
    venue.takes();
    expect(sent(venue)).toEqual(['0.01']);
    rig.market.print(60_000, 0.02);
    venue.takes();
    rig.market.print(60_001, 0.01);
    expect(sent(venue)).toEqual(['0.01', '0.01']);
    rig.market.print(60_000, 0.04);
    expect(sent(venue)).toEqual(['0.01', '0.01', '0.02']);
  });

  it('that another program made', () => {
    const { rig, venue } = rigOf();
    submit(rig, pov({ ...order, ref: 'slow', participation: 0.1 }));
    submit(rig, { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.05' });
    venue.takes();
    rig.market.print(60_001, 0.05);
    expect(sent(venue)).toEqual(['0.05']);
    rig.market.print(60_000, 0.1);
    expect(sent(venue)).toEqual(['0.05', '0.01']);
  });
});
