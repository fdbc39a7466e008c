/**
 * Found by reading: a leg of a pair that the exchange refused five times ended the pair within `within`, and what the other leg had
 * filled stayed unhedged, without a word. It goes back at once; where it cannot, the alarm names it, in whichever symbol.
 */
import { beforeEach, expect, it } from 'vitest';
import { pair, type Action } from '../../src/index.ts';
import type { Side } from '../../src/model/trading/order.ts';
import { alarms, BTC, HandClock, makeRig, TestVenue, trading, type Rig } from '../execution/rig.ts';
import { fills, programOf, resting, submit } from '../programs/program-rig.ts';

const legs = [
  { symbol: 'BTCUSDT', ratio: 1 },
  { symbol: 'ETHUSDT', ratio: -10 },
];
const action: Action = pair({ legs, quantity: '0.01', maxUnhedged: '0.001', within: '1h' });

let refused: readonly string[] = [];

class Refusing extends TestVenue {
  /** Each command by itself, as each has its own answer. */
  override together(run: () => void): void {
    run();
  }
  override send(...[command, onDispatch]: Parameters<TestVenue['send']>): void {
    if (command.kind === 'create') this.createMode = refused.includes(keyOf(command.order)) ? 'refuse' : 'accept';
    super.send(command, onDispatch);
  }
}

function keyOf({ side, symbol }: { readonly side: Side; readonly symbol: string }): string {
  return `${side} ${symbol}`;
}

let rig: Rig;
beforeEach(() => {
  const clock = new HandClock();
  const specs = [BTC, { ...BTC, symbol: 'ETHUSDT', base: 'ETH' }];
  rig = makeRig({ specs, clock, venue: new Refusing(clock), risk: { priceCollar: 0.5 } });
  rig.venue.emit({ kind: 'balances', balances: [trading('ETH', '10')], whole: false });
});

/** Past the minute for which a strategy with three refusals in a row is left alone. */
function waits(): void {
  for (let minute = 0; minute < 4; minute++) rig.clock.advance(61_000);
}

function sentOf(key: string): number {
  return rig.venue.creates().filter((order) => keyOf(order) === key).length;
}

it('programs/pair: what is ahead goes back once the other leg is given up', () => {
  refused = ['sell ETHUSDT'];
  submit(rig, action);
  fills(rig, 'buy', '60000');
  waits();
  expect(sentOf('sell ETHUSDT')).toBe(5);
  expect(alarms(rig)).toEqual(expect.arrayContaining(['program_stuck']));
  expect(resting(rig)).toEqual(['sell 0.01 @ market']);
  fills(rig, 'sell', '60000');
  expect(programOf(rig)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('the legs that were ahead are undone'),
  });
  expect(rig.executor.account('maker').position('BTCUSDT').isFlat).toBe(true);
});

it.each([
  ['sell ETHUSDT', 'buy', 'sell BTCUSDT', { symbol: 'BTCUSDT', quantity: '0.01' }],
  ['buy BTCUSDT', 'sell', 'buy ETHUSDT', { symbol: 'ETHUSDT', quantity: '0.1' }],
] as const)('programs/pair: names what cannot go back: without %s', (leg, side, back, left) => {
  refused = [leg, back];
  submit(rig, action);
  fills(rig, side, '60000');
  waits();
  waits();
  expect(sentOf(back)).toBe(5);
  expect(programOf(rig).state).toBe('failed');
  const rung = [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'alarm' && entry.code === 'program_failed' ? [entry.about] : [],
  );
  expect(rung).toEqual([expect.objectContaining(left)]);
});

it('programs/pair: ends at once where no leg has filled', () => {
  refused = ['sell ETHUSDT', 'buy BTCUSDT'];
  submit(rig, action);
  waits();
  expect(programOf(rig).state).toBe('failed');
  expect(alarms(rig)).toContain('program_failed');
});
