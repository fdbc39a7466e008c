/** What a plan names of that which keeps a restart from new risk. */
import { describe, expect, it } from 'vitest';
import { TradingState } from '../../../src/spine/trading-state.ts';
import { refusalsOf, type Refusal, type RefusalFacts } from '../../../src/operations/plan/refusals.ts';
import type { SessionRecord } from '../../../src/session/store/store.ts';

function planned(state: TradingState, killFile: string | null = null): readonly Refusal[] {
  const rest = { running: false, buildDoubt: null, instruments: [], account: [], limits: [], killFile };
  const facts: RefusalFacts = { ...rest, state, record: { id: 'live-1' } as SessionRecord };
  return refusalsOf(facts);
}

function refusals(...args: Parameters<typeof planned>): readonly (readonly [string, boolean])[] {
  return planned(...args).map(({ reason, needsHuman }) => [reason, needsHuman]);
}

describe('a plan', () => {
  it('names strategies that are latched and symbols that are halted, which a restart does not open', () => {
    const state = new TradingState();
    state.latches.set('maker', '3 executions within 1000 ms');
    state.halts.set('BTCUSDT', 'more was filled than ordered');
    expect(refusals(state)).toEqual([
      ['strategy_latched', true],
      ['overfilled', true],
    ]);
  });

  it('names a kill file that no start has heeded yet', () => {
    expect(refusals(new TradingState(), 'panic')).toEqual([['killed', true]]);
    expect(refusals(new TradingState())).toEqual([]);
  });

  it('shows the whole command that opens what only a human opens', () => {
    const state = new TradingState();
    state.latches.set('maker', '3 executions within 1000 ms');
    state.halts.set('BTCUSDT', 'more was filled than ordered');
    const shown = planned(state, 'panic').map(({ message }) => /`(.*)`/.exec(message)?.[1]);
    expect(shown).toEqual([
      'npx tidewire journal clear-kill live-1 --reason "…"',
      'npx tidewire limits enable live-1 maker --reason "…"',
      'npx tidewire limits resume live-1 BTCUSDT --reason "…"',
    ]);
  });
});
