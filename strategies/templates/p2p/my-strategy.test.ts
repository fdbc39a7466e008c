// npx vitest run strategies/my-strategy.test.ts
import { scenario, type Scenario } from 'tidewire/testing';
import { test } from 'vitest';
import strategy from './my-strategy.ts';

/** The bounds of the pair are 85.50 and 104.50: 10 % around 95. */
function begun(ask: number): Scenario {
  return scenario({
    strategy,
    params: { marginBps: 100 },
    limits: { p2p: true },
    config: { account: { accounts: { p2p: { USDT: '1000' } } } },
  }).book({ bid: ask - 0.02, ask });
}

test('offers one per cent above the best ask', async () => {
  await begun(95).expect([{ kind: 'advertise', side: 'sell', price: '95.9500', active: true }]);
});

test('follows the price once it has moved enough', async () => {
  await begun(95)
    .expect([{ kind: 'advertise' }])
    .advance('10s')
    .book({ bid: 95.03, ask: 95.05 })
    .advance('10s')
    .expect([])
    .book({ bid: 95.98, ask: 96 })
    .advance('10s')
    .expect([{ kind: 'advertise', price: '96.9600', active: true }]);
});

test('hides the offer while the bounds would cost the margin', async () => {
  await begun(95)
    .expect([{ kind: 'advertise' }])
    .advance('10s')
    .book({ bid: 103.98, ask: 104 })
    .advance('10s')
    .expect([{ kind: 'advertise', active: false }]);
});
