/**
 * A book of another symbol was lost for a second. Sums over symbols became NaN: orders in a symbol whose book was fine were
 * denied as `strategy_budget`, "could be worth NaN", although the last price counts.
 */
import { expect, it } from 'vitest';
import { BTC, makeRig, PERP, type Rig, type RigOptions } from '../execution/rig.ts';

const SUMS = { maxGrossValue: '100000', maxNetValue: '100000', maxOpenNotional: '100000' };

/** `lost`: a symbol whose book is lost. */
function rigWith(options: RigOptions): { readonly rig: Rig; lose: (symbol: string | null) => void } {
  const rig = makeRig({ specs: [BTC, PERP], ...options });
  const mid = rig.market.mid.bind(rig.market);
  let lost: string | null = null;
  rig.market.mid = (symbol: string = BTC.symbol) => (symbol === lost ? undefined : mid());
  return { rig, lose: (symbol) => (lost = symbol) };
}

function buy({ executor }: Rig, symbol: string): void {
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' });
}

function denied({ events }: Rig): readonly unknown[] {
  return events.flatMap((event) => (event.kind === 'denied' ? [[event.denied.reason, event.denied.message]] : []));
}

it.each<RigOptions>([{ limits: { share: 0.5 } }, { limits: SUMS }, { risk: SUMS }])(
  'counts with its last price: %j',
  (options) => {
    const { rig, lose } = rigWith(options);
    buy(rig, PERP.symbol);
    rig.venue.tellFill(rig.venue.resting()[0]!.orderId, '0.01');
    lose(PERP.symbol);
    buy(rig, BTC.symbol);
    expect(denied(rig)).toEqual([]);
  },
);

it.each<RigOptions>([{ limits: { share: 0.5 } }, { limits: SUMS }, { risk: SUMS }])(
  'is named where it never had a price: %j',
  (options) => {
    const before = makeRig({ specs: [BTC, PERP], ...options });
    buy(before, PERP.symbol);
    before.venue.tellFill(before.venue.resting()[0]!.orderId, '0.01');
    const { rig, lose } = rigWith({ ...options, journal: before.journal, venue: before.venue, clock: before.clock });
    lose(PERP.symbol);
    // For half a minute the loss of the day waits for the price.
    rig.executor.valueAccount();
    rig.clock.advance(31_000);
    buy(rig, BTC.symbol);
    expect(denied(rig)).toEqual([
      ['no_market', expect.stringMatching(/^BTCUSDT: BTCUSDTPERP has no price yet to value positions and orders of /)],
    ]);
  },
);
