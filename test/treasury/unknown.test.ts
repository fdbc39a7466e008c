/** A transfer of unknown outcome rings, counts as unresolved, and blocks its like until it is proved. */
import { expect, it } from 'vitest';
import { transfer } from '../../src/strategy/actions.ts';
import { p2pRig, type P2pRig } from './rig.ts';

function move(rig: P2pRig): void {
  rig.executor.submit('maker', transfer({ from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' }));
  rig.clock.advance(10);
}

it('treasury/unknown/rings-and-blocks-its-like', () => {
  const rig = p2pRig();
  rig.venue.losing = 'transfer';
  move(rig);
  expect(rig.events).toContainEqual(expect.objectContaining({ kind: 'alarm', code: 'money_unknown' }));
  expect(rig.executor.unresolvedCount()).toBe(1);
  rig.venue.losing = null;
  move(rig);
  expect(rig.venue.kinds).toEqual(['transfer']);
  const denials = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
  expect(denials).toEqual(['unresolved_money']);
});
