/** Found from outside: after a panic `plan` said that a start would continue programs which the kill switch ends. */
import { expect, it } from 'vitest';
import { planText } from '../../../src/operations/plan/plan-text.ts';
import type { SessionPlan } from '../../../src/operations/plan/plan.ts';

const program = {
  ref: 'tw1',
  kind: 'twap',
  strategy: 'a',
  tag: 'a',
  symbol: 'BTCUSDT',
  state: 'working',
  reason: null,
  quantity: '0.1',
  filled: '0.02',
  averagePrice: '60000',
  startedAt: 0,
  endedAt: null,
  children: [],
  waitsFor: 'its next slice',
  next: {},
};

function linesOf(refuse: SessionPlan['refuse']): readonly string[] {
  const lists = ['failures', 'doubts', 'adopt', 'changes', 'cancel', 'resolve', 'money', 'decisions', 'external'];
  const more = ['balances', 'positions', 'disagreements', 'limits', 'unprotected', 'foreign', 'trials'];
  const empty = Object.fromEntries([...lists, ...more].map((name) => [name, []]));
  const head = { session: 's', account: 'alice', exchange: 'http://127.0.0.1:1', running: false, clean: false };
  const rest = {
    complete: true,
    nothingToDo: false,
    requests: {},
    p2p: { advertisements: [], trades: [] },
    programs: [program],
    flattens: [],
    refuse,
  };
  return planText({ ...head, ...empty, ...rest } as unknown as SessionPlan).split('\n');
}

it('names the programs that a start ends, and those that it continues', () => {
  const [killed, alive] = [linesOf([{ reason: 'killed', message: 'panic', needsHuman: true }]), linesOf([])];
  const after = (lines: readonly string[], head: string): string | undefined => lines[lines.indexOf(head) + 1];
  expect(after(killed, '- ends, since the kill switch is on')).toContain('tw1');
  expect(killed).not.toContain('= continues with');
  expect(after(alive, '= continues with')).toContain('tw1');
});
