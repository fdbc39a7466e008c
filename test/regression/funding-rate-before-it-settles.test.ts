/**
 * Found by a stranger: a paper session settled funding at a rate that was up to a minute old, and the exchange at another one:
 * +0.31 USDT stood for +0.43.
 */
import { expect, it } from 'vitest';
import type { FundingEvent } from '../../src/model/market/market-event.ts';
import { FeedPolls } from '../../src/streams/feed-polls.ts';
import { perpetual } from '../simulation/market.ts';
import { FakeClock } from '../streams/fake-clock.ts';

const SETTLES_MS = 1_700_000_000_000 + 8 * 3_600_000;
const MINUTE_MS = 60_000;

it('is read once more two seconds before, and after the end no more', async () => {
  const clock = new FakeClock(SETTLES_MS - 90_500);
  const readAt: number[] = [];
  const polls = new FeedPolls(
    clock,
    async (instrument, _, hand) => {
      readAt.push(clock.now() - SETTLES_MS);
      const next = clock.now() < SETTLES_MS ? SETTLES_MS : SETTLES_MS + 8 * 3_600_000;
      const us = clock.nowUs();
      hand({
        kind: 'funding',
        instrument,
        exchangeUs: us,
        receiveUs: us,
        rate: '0.0001',
        nextFundingTime: next,
      } satisfies FundingEvent);
      return Promise.resolve();
    },
    () => {},
  );
  polls.add(perpetual, 'funding');
  for (let second = 0; second < 150; second++) {
    clock.advance(1000);
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(readAt).toEqual([-90_500, -30_500, -2000, 29_500]);
  polls.stop();
  clock.advance(10 * MINUTE_MS);
  expect(readAt).toHaveLength(4);
  expect(clock.pending).toBe(0);
});
