/** Programs of a paused strategy said that they wait for a fill or their next slice, and not for the end of the pause. */
import { expect, it } from 'vitest';
import { bracket, chase, dca, grid, place, stop, twap, type Action } from '../../src/index.ts';
import { replayedPrograms } from '../../src/execution/programs/replayed-programs.ts';
import { replayRows } from '../../src/spine/replay.ts';
import type { Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, submit, SYMBOL } from '../programs/program-rig.ts';

const PAUSED = 'paused: resume maker';
const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 59_000, quantity: '0.02' } as const;
const levels = [
  { bps: 10, quantity: '0.01' },
  { bps: 0, quantity: '0.02' },
];
const actions: readonly Action[] = [
  bracket({ entry, takeProfit: { bps: 100 } }),
  dca({ symbol: SYMBOL, levels, takeProfit: { bps: 50 } }),
  grid({ symbol: SYMBOL, low: 59_000, high: 59_600, levels: 3, quantity: '0.01', side: 'long' }),
  twap({ symbol: SYMBOL, side: 'buy', quantity: '0.06', over: '60s', slices: 6 }),
  chase({ symbol: SYMBOL, side: 'buy', quantity: '0.06' }),
];

/** Live, and as another process reads it from the journal. */
function shown(rig: Rig): readonly (readonly [waitsFor: string | null, at: number | undefined])[] {
  rig.executor.record({ kind: 'note', strategy: 'maker', text: 'now' });
  const read = replayedPrograms(replayRows(rig.journal.read())).at(-1);
  return [programOf(rig), read].map((program) => [program?.waitsFor ?? null, program?.next.at] as const);
}

it.each(actions.map((action) => [action.kind, action] as const))(
  'programs/%s: waits for the resume of its strategy',
  (_, action) => {
    const rig = programRig();
    submit(rig, action);
    rig.clock.advance(2_000);
    expect(programOf(rig).waitsFor).not.toContain('paused');
    rig.executor.human.pause('maker', true, 'news');
    rig.clock.advance(2_000);
    expect(shown(rig)).toEqual([
      [PAUSED, undefined],
      [PAUSED, undefined],
    ]);
    rig.executor.human.pause('maker', false, 'over');
    rig.clock.advance(2_000);
    expect(programOf(rig).waitsFor).not.toContain('paused');
  },
);

it('programs/twap: between two slices too', () => {
  const rig = programRig();
  submit(rig, twap({ symbol: SYMBOL, side: 'buy', quantity: '0.06', over: '60s', slices: 6 }));
  fills(rig, 'buy');
  expect(programOf(rig)).toMatchObject({ waitsFor: 'its next slice', next: { at: expect.any(Number) } });
  rig.executor.human.pause('maker', true, 'news');
  expect(shown(rig)[0]).toEqual([PAUSED, undefined]);
});

it('programs/dca: its exit and the levels that the pause holds back, until it expires', () => {
  const rig = programRig();
  submit(rig, dca({ symbol: SYMBOL, levels, takeProfit: { bps: 50 }, expire: '60s' }));
  fills(rig, 'buy');
  rig.executor.human.pause('maker', true, 'news');
  expect(shown(rig).map(([text]) => text)).toEqual([`its exit; ${PAUSED}`, `its exit; ${PAUSED}`]);
  rig.clock.advance(60_000);
  expect(shown(rig).map(([text]) => text)).toEqual(['its exit', 'its exit']);
});

it('programs/stop: what only reduces waits for its trigger', () => {
  const rig = programRig();
  submit(rig, place({ ...entry, type: 'limit', price: 60_001 }));
  fills(rig, 'buy');
  submit(rig, stop({ symbol: SYMBOL, side: 'sell', quantity: '0.02', trigger: 59_000 }));
  rig.executor.human.pause('maker', true, 'news');
  expect(shown(rig).map(([text]) => text)).toEqual(['its trigger', 'its trigger']);
});
