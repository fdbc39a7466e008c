/** A command that is durable has done what it says: a death between the row and its effect would answer 202 to nothing. */
import { expect, it } from 'vitest';
import { remoteRig } from './remote-rig.ts';

it.each([
  ['pause', { command: 'pause', strategy: 'maker' }, 'pause'],
  ['stop', { command: 'stop', strategy: 'maker' }, 'pause'],
  ['cancel-all', { command: 'cancel-all' }, 'intent'],
  ['flatten', { command: 'flatten', strategy: 'maker' }, 'flatten'],
  ['limits/override', { command: 'limits/override', limit: 'risk.maxOpenOrders', value: '3' }, 'limit-override'],
] as const)('remote/%s-and-its-effect-are-one-commit', async (_name, order, effect) => {
  const rig = remoteRig();
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '60000',
    quantity: '0.01',
  });
  rig.commits.length = 0;
  expect(await rig.order(order)).toMatchObject({ kind: 'done' });
  const commit = rig.commits.find((kinds) => kinds.includes(effect));
  expect(commit?.slice(0, commit.indexOf(effect))).toContain('record');
});
