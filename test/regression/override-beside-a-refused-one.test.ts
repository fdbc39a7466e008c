/**
 * Found by a human: an override that was refused just after one that was accepted read the new limits first, so that the
 * limits kept for each strategy were never made anew. The accepted one was journalled, shown as in force, and held for nobody.
 */
import { expect, it } from 'vitest';
import { denials, makeRig, type Rig } from '../execution/rig.ts';

const MINUTE = 60_000;

function buy(rig: Rig, quantity: string): void {
  const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity } as const;
  rig.executor.submit('maker', order);
}

function override(rig: Rig, limit: string, value: string | null): void {
  rig.executor.human.overrideLimit({ id: limit, limit, value, until: rig.clock.now() + MINUTE, reason: 'a test' });
}

const refused = [
  ['of an unknown limit', 'risk.maxOrderValues', '5', /is not a limit/],
  ['of a wrong value', 'risk.maxOrderValue', 'much', /expected a decimal/],
  ['of an unknown symbol', 'risk.symbols.BTCUSD.maxPosition', '1', /no instrument/],
] as const;

it.each(refused)('one %s leaves the limit in force that was overridden before it', (_, limit, value, why) => {
  const rig = makeRig({ risk: { maxOrderValue: '10000' } });
  buy(rig, '0.01');
  expect(rig.venue.creates()).toHaveLength(1);
  override(rig, 'risk.maxOrderValue', '5');
  expect(() => override(rig, limit, value)).toThrow(why);
  buy(rig, '0.01');
  expect(rig.venue.creates()).toHaveLength(1);
  expect(denials(rig)).toEqual(['max_order_value']);
});

it('a preview of the next one does neither, nor hold the limit beyond the end of the override', () => {
  const rig = makeRig({ risk: { maxOrderValue: '10000' } });
  const preview = (): void =>
    void rig.executor.human.checkOverride({ id: 'p', limit: 'risk.maxOrderValue', value: null, until: 0, reason: '' });
  buy(rig, '0.01');
  override(rig, 'risk.maxOrderValue', '5');
  preview();
  buy(rig, '0.01');
  expect(denials(rig)).toEqual(['max_order_value']);
  rig.clock.advance(MINUTE);
  preview();
  buy(rig, '0.01');
  expect(rig.venue.creates()).toHaveLength(2);
});
