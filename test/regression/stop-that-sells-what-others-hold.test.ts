/**
 * On spot a stop, a trailing stop or an oco sold coins of the user where the strategy held none: an entry that a limit denied
 * left its trailing stop behind, which fired later. They only reduce what the strategy holds, unless `reduceOnly` is false.
 */
import { expect, it } from 'vitest';
import { oco, place, stop, trailingStop, type Action } from '../../src/index.ts';
import { denials } from '../execution/rig.ts';
import { fills, programOf, programRig, size, submit, SYMBOL } from '../programs/program-rig.ts';

const sale = { symbol: SYMBOL, side: 'sell', quantity: '0.02' } as const;
const open = { reduceOnly: false } as const;

const EXITS: readonly [string, (terms?: typeof open) => Action][] = [
  ['stop', (terms) => stop({ ...sale, ...terms, trigger: 59_500 })],
  ['trailingStop', (terms) => trailingStop({ ...sale, ...terms, distance: 500 })],
  [
    'oco',
    (terms) =>
      oco({
        symbol: SYMBOL,
        legs: [
          place({ ...sale, ...terms, type: 'limit', price: 61_000 }),
          stop({ ...sale, ...terms, trigger: 59_500 }),
        ],
      }),
  ],
];

it.each(EXITS)('a %s of what the strategy does not hold is denied, unless it may open', (_, exit) => {
  const rig = programRig();
  submit(rig, exit());
  rig.market.move(59_000);
  expect(denials(rig)).toEqual(['reduce_only']);
  expect(rig.venue.creates()).toEqual([]);
  rig.market.move(60_000);
  submit(rig, exit(open));
  rig.market.move(59_000);
  rig.clock.advance(1_000);
  expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.02' });
});

it('the exit of an entry that a limit denies is denied, too', () => {
  const rig = programRig({ limits: { maxOrderQuantity: '0.5' } });
  submit(rig, [
    place({ symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.6' }),
    trailingStop({ ...sale, distance: 5 }),
  ]);
  rig.market.move(59_000);
  expect(denials(rig)).toEqual(['max_order_size', 'reduce_only']);
  expect(rig.venue.creates()).toEqual([]);
});

it('sells what the strategy holds and no more, also where other strategies hold some', () => {
  const rig = programRig();
  const buy = { symbol: SYMBOL, side: 'buy', type: 'market' } as const;
  rig.executor.submit('taker', place({ ...buy, quantity: '0.1' }));
  fills(rig, 'buy', '60001');
  submit(rig, [place({ ...buy, quantity: '0.005' }), stop({ ...sale, trigger: 59_500 })]);
  fills(rig, 'buy', '60001');
  rig.market.move(59_000);
  fills(rig, 'sell', '59000');
  rig.clock.advance(5_000);
  expect(rig.venue.creates().filter(({ side }) => side === 'sell')).toMatchObject([{ quantity: '0.005' }]);
  expect(size(rig)).toBe(0);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'its strategy holds nothing that it could close' });
});

it('a purchase of what the strategy has not sold opens', () => {
  const rig = programRig();
  submit(rig, stop({ ...sale, side: 'buy', trigger: 60_500 }));
  rig.market.move(60_600);
  expect(rig.venue.creates()).toMatchObject([{ side: 'buy', type: 'market', quantity: '0.02' }]);
});
