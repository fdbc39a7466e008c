/** What a session of weeks must not pay for: everything that it has ever done. */
import { describe, expect, it } from 'vitest';
import { place } from '../../src/strategy/actions.ts';
import { liveOrders, ordersIn } from '../../src/reconciler/local-order.ts';
import { BTC, makeRig } from '../execution/rig.ts';

const CLOSED = 300;

describe('a reconciler run', () => {
  it('looks at what is open and what was read, not at every closed order that is remembered', () => {
    const rig = makeRig();
    const terms = { symbol: BTC.symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.001' } as const;
    for (let count = 0; count < CLOSED; count++) {
      rig.executor.submit('maker', place(terms));
      const { orderId } = rig.venue.resting()[0]!;
      rig.venue.end(orderId, 'canceled');
      rig.venue.tell(orderId);
      rig.clock.advance(100);
    }
    rig.executor.submit('maker', place(terms));
    const { state } = rig.executor.reconcilerPort;
    expect(liveOrders(state)).toHaveLength(1);
    const closed = [...rig.venue.orders.values()].slice(0, 2);
    expect(ordersIn(state, closed, []).map(({ orderId }) => orderId)).toEqual(
      expect.arrayContaining(closed.map(({ orderId }) => orderId)),
    );
    expect(ordersIn(state, closed, [])).toHaveLength(3);
    expect(ordersIn(state, [], [])).toHaveLength(1);
    expect([...state.orders.symbols()]).toEqual([BTC.symbol]);
  });
});
