/** Terms that can not be right: denied when they are emitted, before any order. */
import { describe, expect, it } from 'vitest';
import { bracket, chase, dca, grid, iceberg, oco, place, pov, stop, trailingStop, twap } from '../../src/index.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { BTC, denials, PERP } from '../execution/rig.ts';
import { held } from '../execution/perpetual-rig.ts';
import { programOf, programRig, submit, SYMBOL } from './program-rig.ts';

const sell = { symbol: SYMBOL, side: 'sell', quantity: '0.02' } as const;
const small = { symbol: SYMBOL, quantity: '0.00008' } as const;
const entry = { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.02' } as const;

describe('terms that can not be right', () => {
  it.each<[string, string, Action]>([
    ['below_minimum', 'a stop', stop({ ...small, side: 'sell', trigger: 59_000 })],
    ['below_minimum', 'a trailing stop', trailingStop({ ...small, side: 'sell', distance: 40 })],
    ['below_minimum', 'a pov', pov({ ...small, side: 'buy', participation: 0.1, over: '1m' })],
    ['below_minimum', 'an entry at market', bracket({ entry: { ...entry, ...small }, stopLoss: 59_000 })],
    ['not_positive', 'a trail as long as its price', trailingStop({ ...sell, distance: 60_000 })],
    ['not_positive', 'one of a bracket', bracket({ entry, trailing: { distance: 70_000 } })],
    ['not_positive', 'a limit beyond zero', stop({ ...sell, trigger: 59_000, limit: 59_000 })],
    ['price_collar', 'a limit beyond the collar', stop({ ...sell, trigger: 59_000, limit: 30_000 })],
    ['unsupported', 'half a round', bracket({ entry, stopLoss: 59_000, reentry: { times: 1.5 } })],
  ])('%s: %s', (reason, _, action) => {
    const rig = programRig();
    submit(rig, action);
    expect(denials(rig)).toEqual([reason]);
    expect(rig.venue.creates()).toEqual([]);
  });
});

describe('a perpetual', () => {
  const base = { symbol: PERP.symbol, quantity: '0.02' } as const;
  const perpetuals = (): ReturnType<typeof programRig> => programRig({ specs: [PERP, BTC] });

  it.each<[string, Action]>([
    ['stop', stop({ ...base, side: 'buy', trigger: 61_000 })],
    ['trailingStop', trailingStop({ ...base, side: 'buy', distance: 100 })],
  ])('a %s of a flat one has nothing to reduce, unless it may open', (_, action) => {
    const rig = perpetuals();
    submit(rig, action);
    expect(denials(rig)).toEqual(['reduce_only']);
    submit(rig, { ...action, reduceOnly: false } as Action);
    expect(programOf(rig)).toMatchObject({ state: 'working' });
    expect(denials(rig)).toHaveLength(1);
  });

  it('a stop may come with what it is to close', () => {
    const rig = perpetuals();
    const guard = stop({ ...base, side: 'sell', trigger: 59_000 });
    submit(rig, [place({ ...base, side: 'buy', type: 'limit', price: 59_900 }), guard]);
    submit(rig, [twap({ ...base, side: 'buy', over: '1h', slices: 2 }), guard]);
    expect(denials(rig)).toEqual([]);
  });

  it.each<[string, Action, boolean]>([
    ['stop', stop({ ...base, side: 'sell', trigger: 59_000 }), true],
    ['twap', twap({ ...base, side: 'buy', over: '1m' }), true],
    ['iceberg', iceberg({ ...base, side: 'buy', price: 59_000, show: '0.01' }), true],
    ['chase', chase({ ...base, side: 'buy' }), true],
    ['bracket', bracket({ entry: { ...base, side: 'buy', type: 'market' }, stopLoss: 59_000 }), true],
    [
      'oco',
      oco({
        symbol: base.symbol,
        legs: [
          place({ ...base, side: 'sell', type: 'limit', price: 61_000 }),
          { ...base, kind: 'stop', side: 'sell', trigger: 59_000 },
        ],
      }),
      true,
    ],
    ['grid', grid({ ...base, low: 59_000, high: 61_000, levels: 3 }), false],
    ['dca', dca({ symbol: base.symbol, levels: [{ bps: 0, quantity: '0.02' }], takeProfit: { bps: 50 } }), false],
  ])('in hedge mode a %s has to name its position side', (_, action, names) => {
    const rig = perpetuals();
    rig.venue.emit({ kind: 'positions', positions: [{ ...held('0.02'), positionSide: 'long' }], whole: true });
    submit(rig, action);
    const denial = rig.events.find((event) => event.kind === 'denied');
    const message = expect.stringContaining(names ? "give positionSide: 'long' or 'short'" : 'one-way mode') as string;
    expect(denial).toMatchObject({ denied: { reason: 'unsupported', field: 'positionSide', message } });
    expect(rig.venue.creates()).toEqual([]);
  });
});
