/** Found by a stranger: `panic` said 534 cancelled where six orders rested, since each cancel that had no effect counted them again. */
import { expect, it } from 'vitest';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { cancelEverything, Problems } from '../../src/session/emergency/panic.ts';
import { HandClock } from '../execution/rig.ts';

const terms = {
  symbol: 'BTCUSDT',
  market: 'spot',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '1',
} as const;
const rest = {
  quantity: '1',
  filledQuantity: '0',
  averagePrice: null,
  status: 'new',
  createdAt: 1,
  updatedAt: 1,
} as const;
const order = (orderId: string): OrderReport => ({ orderId, ...terms, ...rest });

type Exchange = Parameters<typeof cancelEverything>[0];

/** Names all that rest in each answer; `left` says which of them rest after so many cancels. */
function exchangeOf(left: (cancels: number) => readonly string[]): Exchange {
  let cancels = 0;
  return {
    http: { keyRefused: null },
    orders: {
      cancelAll: (_: null, __: object, done: (outcome: object) => void) =>
        done({ kind: 'accepted', canceled: left(cancels++) }),
      active: async () => ({ kind: 'complete', items: left(cancels).map(order) }),
    },
  } as unknown as Exchange;
}

async function panicked(left: (cancels: number) => readonly string[]): Promise<object> {
  const clock = new HandClock();
  const done = cancelEverything(exchangeOf(left), clock, new Problems(), { patienceMs: 20_000 });
  await clock.advanceAsync(30_000, 500);
  return await done;
}

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];

it('panic/counts-no-order-that-rests-after-all-its-cancels', async () => {
  expect(await panicked(() => SIX)).toMatchObject({ canceled: 0, openAfter: 6 });
});

it('panic/counts-an-order-once-that-took-several-cancels', async () => {
  expect(await panicked((cancels) => (cancels < 5 ? SIX : cancels < 9 ? ['f'] : []))).toMatchObject({
    canceled: 6,
    openAfter: 0,
  });
});
