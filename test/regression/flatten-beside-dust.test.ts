/**
 * Found by the simulated world (seed 995138): what two strategies held was closed by one order in the name of one of them, since an
 * ended session had left less than an order the other way, and that strategy held the opposite afterwards.
 */
import { expect, it } from 'vitest';
import { writePanicLine } from '../../src/session/emergency/panic-ledger.ts';
import { holding, type Setting } from '../e2e/panic-setting.ts';

/** As if an earlier panic had bought so much for each. */
function alsoHeld({ root, world }: Setting, quantities: Readonly<Record<string, string>>): void {
  for (const [strategy, quantity] of Object.entries(quantities)) {
    const owner = { account: 'alice', exchange: world.sandbox.restUrl };
    const moving = { symbol: 'BTCUSDT', quantity, session: '', strategy, at: Date.now() };
    writePanicLine(root, { kind: 'sending', id: strategy, ...owner, ...moving });
    writePanicLine(root, { kind: 'done', id: strategy, quantity });
  }
}

it('gives each strategy an order of its own, and the largest what is too little for one', () =>
  holding(async (setting) => {
    alsoHeld(setting, { other: '0.02', dust: '-0.000007', 'more-dust': '-0.000008' });
    expect(await setting.flatten()).toEqual(['sell 0.04996 accepted', 'sell 0.02 accepted']);
  }));

it('closes the sum by one order where strategies hold against each other', () =>
  holding(async (setting) => {
    alsoHeld(setting, { other: '-0.02' });
    expect(await setting.flatten()).toEqual(['sell 0.02997 accepted']);
  }));

it('takes nobody past zero where a third one holds against two', () =>
  holding(async (setting) => {
    alsoHeld(setting, { other: '0.02', third: '-0.03' });
    expect(await setting.flatten()).toEqual(['sell 0.01997 accepted', 'sell 0.02 accepted']);
  }));

it('sells no more in all than is held in all', () =>
  holding(async (setting) => {
    alsoHeld(setting, { other: '0.02', third: '-0.06' });
    expect(await setting.flatten()).toEqual(['sell 0.00997 accepted']);
  }));
