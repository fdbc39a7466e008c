/**
 * Found by the fault simulator (futures, seed 20): a limit order of a target waited for an own order in its way, and a quote
 * of another strategy had to wait for it. The quote withdrew it, the target made it anew, thousands of times in one turn,
 * until the desks were stopped; the rows in between pushed others out of the journal's queue, a fill among them.
 */
import { expect, it } from 'vitest';
import { BTC, makeRig } from '../execution/rig.ts';

it('lets a target end whose order has to make room for a quote', () => {
  const rig = makeRig({ specs: [BTC] });
  const sell = {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'limit',
    price: '60002',
    quantity: '0.02',
  } as const;
  rig.executor.submit('taker', sell);
  rig.venue.cancelMode = 'hold';
  const via = { limit: { price: '60005' } } as const;
  rig.executor.submit('maker', { kind: 'target', symbol: 'BTCUSDT', quantity: '0.02', via });
  rig.executor.submit('taker', {
    kind: 'quote',
    symbol: 'BTCUSDT',
    bids: [],
    asks: [{ price: '60004', quantity: '0.02' }],
  });
  const intents = [...rig.journal.read()].filter(({ entry }) => entry.kind === 'intent' && entry.command === 'create');
  // What was to be sold, what was to be bought, and the quote.
  expect(intents.length).toBeLessThanOrEqual(3);
  rig.executor.submit('maker', {
    kind: 'target',
    symbol: 'BTCUSDT',
    quantity: '0.01',
    via: { limit: { price: '60000' } },
  });
  expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'buy', quantity: '0.01', price: '60000' });
});
