/**
 * Found by a stranger: a first partial fill of a dca that was worth less than the smallest order cancelled all levels, ended the
 * program `failed` and left the fill unprotected. Beside it: a take-profit was cancelled once less than the smallest
 * order was left of it.
 */
import { expect, it } from 'vitest';
import { bracket, dca } from '../../src/index.ts';
import { alarms } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from '../programs/program-rig.ts';

/** The smallest order is worth 5 USDT: 0.00009 BTC. */
const levels = [
  { bps: 0, quantity: '0.01' },
  { bps: 100, quantity: '0.01' },
];
const terms = { symbol: SYMBOL, side: 'buy', levels, takeProfit: { bps: 100 } } as const;
const REST = ['buy 0.01 @ 60001', 'buy 0.01 @ 59400.99'];

it('programs/dca: a fill that is too small for an exit waits for more', () => {
  const rig = programRig();
  submit(rig, dca(terms));
  const [{ orderId } = rests(rig, 'buy')] = rig.venue.resting();
  rig.venue.tellFill(orderId, '0.00005');
  expect(resting(rig)).toEqual(REST);
  expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: 'enough for an exit' });
  rig.venue.tellFill(orderId, '0.00005');
  expect(resting(rig)).toEqual([...REST, 'sell 0.0001 @ 60601.01']);
  fills(rig, 'sell');
  expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'takeProfit' });
  expect([resting(rig), size(rig), alarms(rig)]).toEqual([[], 0, []]);
});

it('programs/dca: of a sale too', () => {
  const rig = programRig();
  submit(rig, dca({ ...terms, side: 'sell' }));
  const [{ orderId } = rests(rig, 'sell')] = rig.venue.resting();
  rig.venue.tellFill(orderId, '0.00005');
  expect(rig.venue.resting()).toHaveLength(2);
  rig.venue.tellFill(orderId, '0.00995');
  expect(rests(rig, 'buy')).toMatchObject({ quantity: '0.01' });
});

it.each([
  ['its levels have ended', {}],
  ['it has expired', { expire: '20s' }],
  ['it has expired, with a stop', { expire: '20s', stopLoss: { bps: 200 } }],
] as const)('programs/dca: names what is too small for an exit once %s', (_, more) => {
  const rig = programRig();
  submit(rig, dca({ ...terms, ...more }));
  rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00005');
  if ('expire' in more) rig.clock.advance(20_000);
  for (const { orderId } of rig.venue.resting()) {
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
  }
  rig.clock.advance(5_000);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig).state).not.toBe('working');
  expect(rig.executor.unprotected).toMatchObject([{ quantity: '0.00005' }]);
});

it('programs/dca: its stop covers what is too small for a take-profit', () => {
  const rig = programRig();
  submit(rig, dca({ ...terms, stopLoss: { bps: 200 } }));
  rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00005');
  expect(programOf(rig)).toMatchObject({ state: 'working', next: { trigger: '58212.97' } });
});

it.each([
  ['dca', dca({ ...terms, levels: levels.slice(0, 1) })],
  [
    'bracket',
    bracket({
      entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.01' },
      takeProfit: { bps: 100 },
    }),
  ],
] as const)('programs/%s: a take-profit stays when a partial fill leaves less than the smallest order', (_, action) => {
  const rig = programRig();
  submit(rig, action);
  fills(rig, 'buy');
  const { orderId } = rests(rig, 'sell');
  rig.venue.tellFill(orderId, '0.00995');
  expect(rests(rig, 'sell').orderId).toBe(orderId);
  fills(rig, 'sell');
  expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'takeProfit' });
  expect([size(rig), alarms(rig)]).toEqual([0, []]);
});
