/** A full queue dropped the alert that was being sent: it was delivered, and counted as dropped. */
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { SinkQueue } from '../../src/session/alerts/sink-queue.ts';
import type { AlertMessage } from '../../src/session/alerts/sinks.ts';
import { HandClock } from '../execution/rig.ts';

const BOUND = 100;

function message(topic: AlertMessage['topic'], text: string): AlertMessage {
  return { topic, ts: 0, session: 's', mode: 'live', code: topic, text, action: null };
}

/** A queue that is full while its first alert is being sent; the answers are given by the test. */
function fullQueue(first: AlertMessage['topic'], rest: AlertMessage['topic']) {
  const sent: string[] = [];
  const answers: ((failure: string | null) => void)[] = [];
  const clock = new HandClock();
  const queue = new SinkQueue({
    name: 'sink',
    clock,
    logger: silentLogger,
    deliver: ({ text }) => {
      sent.push(text);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  queue.add(message(first, 'first'));
  for (let number = 1; number < BOUND; number++) queue.add(message(rest, `${number}`));
  const answer = async (failure: string | null): Promise<void> => {
    answers.shift()?.(failure);
    await new Promise(setImmediate);
  };
  return { queue, sent, clock, answer };
}

it.each([
  ['a digest before pages', 'digest', 'page', 'page'],
  ['a page before pages', 'page', 'page', 'page'],
  ['a digest before digests', 'digest', 'digest', 'page'],
] as const)('alerts/queue/full-while-sending: drops another one: %s', async (_, first, rest, next) => {
  const { queue, sent, answer } = fullQueue(first, rest);
  queue.add(message(next, 'newest'));
  await answer(null);
  expect(queue.waiting).toBe(BOUND - 1);
  for (let number = 2; number <= BOUND; number++) await answer(null);
  const numbers = Array.from({ length: BOUND - 3 }, (_, index) => `${index + 3}`);
  expect(sent).toEqual(['first', '2 (1 earlier alerts dropped)', ...numbers, 'newest']);
});

it('alerts/queue/full-between-attempts: drops the digest whose delivery failed before a page', async () => {
  const { queue, sent, clock, answer } = fullQueue('digest', 'page');
  await answer('refused');
  queue.add(message('page', 'newest'));
  clock.advance(1_000);
  expect(sent).toEqual(['first', '1 (1 earlier alerts dropped)']);
});
