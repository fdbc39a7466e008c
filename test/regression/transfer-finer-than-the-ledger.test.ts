/**
 * A transfer of 10^-80 credited the target and took nothing from the source: beside a large balance the ledger rounds.
 * Found by `npm run model-check` (area money).
 */
import { expect, it } from 'vitest';
import { World } from '../model-check/world.ts';

it('refuses amounts finer than the ledger holds, so that no money comes out of nothing', () => {
  const world = new World();
  const alice = world.people[0]!;
  const transfer = (from: string, to: string, amount: string): string | null =>
    world.call(alice, 'POST', '/api/v1/accounting/client/transfer/account', { from, to, currency: 'ETH', amount }).code;
  expect(transfer('p2p', 'funding', '10')).toBeNull();
  expect(transfer('funding', 'p2p', `0.${'0'.repeat(79)}1`)).toBe('bad_request');
  expect(transfer('funding', 'p2p', '0.000000000000000001')).toBeNull();
  for (const total of world.sandbox.exchange.accounts.totals().values()) expect(total.toFixed()).toBe('0');
  world.close();
});
