/** A signal whose receipt is durable is heard: a death between the two would lose it, since nobody sends it again. */
import { expect, test } from 'vitest';
import { createMemoryJournal } from '../../../src/journal/memory-store.ts';
import { observedJournal } from '../../../src/session/upkeep/observed-journal.ts';
import { receiptsOf, SignalInbox } from '../../../src/session/signals/inbox.ts';
import { HandClock, makeRig, START } from '../../execution/rig.ts';

test('signals/a-receipt-and-what-strategies-answer-are-one-commit', () => {
  const commits: (readonly string[])[] = [];
  const clock = new HandClock();
  const journal = observedJournal(createMemoryJournal(), clock, {
    committed: ({ entries }) => commits.push(entries.map(({ kind }) => kind)),
  });
  const { executor, venue } = makeRig({ clock, journal });
  const inbox = new SignalInbox(receiptsOf(executor, 'maker'));
  const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01' } as const;
  for (const price of ['60000', '59990'])
    inbox.listen(() =>
      executor.submit('maker', [
        { kind: 'note', text: 'heard' },
        { ...order, price },
      ]),
    );
  commits.length = 0;
  expect(inbox.accept({ name: 'trend', id: '1', ts: START, data: {} }, 'network')).toBe(true);
  expect(venue.creates()).toHaveLength(2);
  const [first = []] = commits;
  expect(first[0]).toBe('state');
  expect(first.filter((kind) => kind === 'sending')).toHaveLength(2);
  expect(first.filter((kind) => kind === 'intent')).toHaveLength(2);
  expect(inbox.accept({ name: 'trend', id: '1', ts: START, data: {} }, 'network')).toBe(false);
});
