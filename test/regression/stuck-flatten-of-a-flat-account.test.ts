/**
 * Found by a stranger: two strategies held against each other, and one that was paused could not be flattened. The alarm asked a
 * human to close its position on the exchange's pages, though the account was flat: the order would have opened one.
 */
import { expect, it } from 'vitest';
import { alarmActions } from '../../src/session/alerts/actions.ts';
import { makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

function market(rig: Rig, tag: string, side: 'buy' | 'sell', quantity: string): void {
  rig.executor.submit(tag, { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
}

/** What the alarm says of a flatten of the maker, at +0.05, beside a taker that holds so much against it. */
function stuck(against: string | null, { paused = true } = {}): string {
  const rig = makeRig({ specs: [PERP] });
  market(rig, 'maker', 'buy', '0.05');
  if (against !== null) market(rig, 'taker', 'sell', against);
  if (paused) rig.executor.human.pause('maker', true, 'a test');
  else rig.venue.createMode = 'refuse';
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  rig.clock.advance(20_000);
  const said = rig.events.flatMap((event) =>
    event.kind === 'alarm' && event.code === 'flatten_stuck' ? [event.message] : [],
  );
  expect(said).toHaveLength(1);
  return said[0]!;
}

it('asks for no order where the account holds nothing of it', () => {
  expect(stuck('0.05')).toMatch(
    /0\.05 is left to sell, but sell nothing on the exchange’s pages: more would open a position of the account/,
  );
  expect(alarmActions.flatten_stuck).toBe('Close on the exchange’s pages what the message says, and no more.');
});

it('names the part that the account holds, and the whole where it holds it', () => {
  const refused = { paused: false };
  expect(stuck('0.04', refused)).toContain('0.05 is left to sell, but sell at most 0.01 on the exchange’s pages');
  expect(stuck(null, refused)).toMatch(/0\.05 is left to sell, which the exchange’s pages can do$/);
});
