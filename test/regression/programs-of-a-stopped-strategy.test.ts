/**
 * Found by a stranger: a strategy threw, its stop policy was `leave`, and the session ran on with another one: nobody watched its
 * stops any more, a resting entry filled without an exit, and every view called the position protected.
 */
import { describe, expect, it } from 'vitest';
import { bracket, stop } from '../../src/index.ts';
import { denials } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

const terms = {
  entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' },
  stopLoss: 59_400,
} as const;

describe('a strategy that stopped with `leave` while the session runs', () => {
  it('has its stops fired', () => {
    const rig = programRig();
    submit(rig, bracket(terms));
    fills(rig, 'buy');
    rig.executor.stop('maker', 'leave');
    rig.market.move(59_300);
    expect(resting(rig)).toEqual(['sell 0.02 @ market']);
    fills(rig, 'sell', '59300');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss' });
  });

  it('has what its entries fill protected', () => {
    const rig = programRig();
    submit(rig, bracket({ ...terms, takeProfit: 60_600 }));
    rig.executor.stop('maker', 'leave');
    fills(rig, 'buy');
    expect(resting(rig)).toEqual(['sell 0.02 @ 60600']);
    expect(programOf(rig).next.trigger).toBe('59400');
  });

  it('begins nothing', () => {
    const rig = programRig();
    rig.executor.stop('maker', 'leave');
    submit(rig, stop({ symbol: SYMBOL, side: 'buy', quantity: '0.01', trigger: 61_000 }));
    expect(denials(rig)).toEqual(['stopping']);
  });

  it('has its programs at rest once the session ends', () => {
    const rig = programRig();
    submit(rig, bracket(terms));
    fills(rig, 'buy');
    rig.executor.stop('maker', 'leave', { keepsPrograms: false });
    rig.market.move(59_300);
    expect([resting(rig), programOf(rig).state]).toEqual([[], 'working']);
  });
});
