/**
 * Found by reading: once the exchange had told one client id of ours, an order without an id was never taken for one of
 * unknown fate. An exchange that forgets ids, for good or for a while, so made us conclude that an order had never arrived
 * which rested or had traded (INV-S4). Without an id an order in doubt stays so, unless the list that shows it proves it another's.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { othersIn } from '../../src/reconciler/match.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { place, startReconciler } from '../execution/limit-rig.ts';
import { alarms, BTC, makeRig, START, type Rig } from '../execution/rig.ts';

const LONG_MS = 180_000;
/** The exchange has told an id of ours: `maker-1` rests, and `maker-2` is of unknown outcome. */
async function inDoubt(fate: 'ack-lost' | 'never-arrives'): Promise<Rig> {
  const rig = makeRig({ specs: [BTC] });
  startReconciler(rig);
  await rig.clock.advanceAsync(1000);
  rig.executor.submit('maker', { ...place, price: '58000' });
  await rig.clock.advanceAsync(11_000);
  rig.venue.createMode = fate;
  rig.executor.submit('maker', place);
  return rig;
}

function stateOf(rig: Rig): string | undefined {
  return rig.executor.account('maker').orderByRef('maker-2')?.state;
}

describe('an exchange that forgets client order ids', () => {
  it('leaves an order that rests in doubt, and it is found when its id is told again', async () => {
    for (const forgotten of ['v1 v2', 'v2']) {
      const rig = await inDoubt('ack-lost');
      rig.venue.forgets = ({ orderId }) => forgotten.includes(orderId);
      await rig.clock.advanceAsync(LONG_MS, 1000);
      expect(stateOf(rig)).toBe('unknown');
      expect(alarms(rig)).toEqual(['ambiguous_match']);
      rig.venue.forgets = () => false;
      await rig.clock.advanceAsync(2000);
      expect(stateOf(rig)).toBe('open');
      expect(rig.venue.creates()).toHaveLength(2);
    }
  });

  it('leaves one in doubt that has traded, and books it once when its id is told again', async () => {
    const rig = await inDoubt('ack-lost');
    rig.venue.fill('v2', '0.01');
    rig.venue.forgets = () => true;
    await rig.clock.advanceAsync(LONG_MS, 1000);
    expect(stateOf(rig)).toBe('unknown');
    rig.venue.forgets = () => false;
    await rig.clock.advanceAsync(3000);
    expect(stateOf(rig)).toBe('filled');
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
  });

  it('still proves the absence of one that looks like an order of a human', async () => {
    const rig = await inDoubt('never-arrives');
    const [, request] = rig.venue.creates();
    rig.venue.arrive({ ...request!, clientOrderId: '' });
    await rig.clock.advanceAsync(LONG_MS, 1000);
    expect(stateOf(rig)).toBe('unknown');
    // The list tells the ids of orders on both sides of it: it forgets none.
    rig.venue.createMode = 'accept';
    rig.executor.submit('maker', { ...place, price: '58500' });
    await rig.clock.advanceAsync(LONG_MS, 1000);
    expect(stateOf(rig)).toBe('never_arrived');
    expect(rig.venue.resting()).toHaveLength(3);
  });

  it('proves an absence where it forgets and nothing looks like the order', async () => {
    const rig = await inDoubt('never-arrives');
    rig.venue.forgets = () => true;
    await rig.clock.advanceAsync(LONG_MS, 1000);
    expect(stateOf(rig)).toBe('never_arrived');
  });
});

it('takes no order of ours for another by a list that forgets the ids before or from some moment', () => {
  const moment = fc.integer({ min: START, max: START + 20 });
  const order = fc.record({ isOurs: fc.boolean(), createdAt: moment });
  fc.assert(
    fc.property(fc.array(order), moment, fc.boolean(), (orders, at, isBefore) => {
      const list = orders.map(({ isOurs, createdAt }, index): OrderReport => {
        const id = isOurs && isBefore === createdAt > at ? { clientOrderId: `tw-${index}` } : {};
        return { ...terms, ...id, orderId: `${index}`, createdAt, updatedAt: createdAt };
      });
      for (const orderId of othersIn(list, [])) expect(orders[Number(orderId)]?.isOurs).toBe(false);
    }),
  );
});

const terms = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '59000',
  quantity: '0.01',
  filledQuantity: '0',
  averagePrice: null,
  status: 'new',
} as const;
