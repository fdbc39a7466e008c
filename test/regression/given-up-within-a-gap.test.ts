/**
 * A gap that lies open for long (a refused ticker, silent trades) while the book goes on and proves itself: an exchange that
 * then went away and came back within five seconds, counting from below, told no new gap. The strategies of the session had
 * given the book up and saw the new one; the simulated venue of paper, and both sides of a backtest of the recording, took its
 * snapshot for a late one and were blind for the rest of the time.
 */
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import type { VenueEvent } from '../../src/model/venue.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { paperVenue } from '../../src/session/paper.ts';
import type { VenueContext } from '../../src/session/venue-parts.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { HandClock } from '../execution/rig.ts';
import { publicRow } from '../recording/fixtures.ts';
import { depth as change, gap, instruments, snapshot } from '../simulation/market.ts';
import { played } from './looker.ts';

const T0 = 1_700_000_000_000;
const LOST = 'closed with 1006';

function depth(seq: number, ms: number, bid: number, ask: number, type = 'update'): FrameRow {
  const [bids, asks] = [[[`${bid}`, '5']], [[`${ask}`, '5']]];
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@depth', seq, ts: T0 + ms, data: { type, bids, asks } });
}

function note(ms: number, message: object): FrameRow {
  const text = JSON.stringify({ symbol: 'BTCUSDT', at: [0, 0], ...message });
  return { receiveUs: (T0 + ms) * 1000, kind: 'note', generation: 1, text };
}

it('is known to a backtest of the recording', async () => {
  const seen = await played([
    note(-10, { note: 'session', format: 1, seed: 1, account: false, strategies: [] }),
    depth(500, 0, 100, 104, 'snapshot'),
    note(100, { note: 'gap', reason: 'BTCUSDT@ticker refused', fromUs: T0 * 1000, open: true }),
    depth(501, 500, 101, 104),
    note(1000, { note: 'discarded', reason: LOST }),
    note(1000, { note: 'discarded', reason: LOST }),
    depth(3, 2100, 102, 103, 'snapshot'),
    depth(4, 3000, 102.5, 103),
    depth(5, 5000, 102.5, 103),
  ]);
  expect(seen).toEqual({ mids: [102, 102.5, 102.5, 102.75], fills: ['1@103'] });
});

it('is known to the simulated venue of paper', async () => {
  const real = new HandClock();
  const clock = new PacedClock(new VirtualClock(real.nowUs()), real);
  const config = configSchema.parse({
    account: { start: { AAA: '1000', BBB: '1000000' }, reporting: 'BBB' },
    simulation: { latency: { entryMs: 5, responseMs: 5 } },
  });
  const context = {
    connection: { instruments },
    journal: createMemoryJournal(),
    clock,
    startedAt: clock.now(),
    recorder: new RunRecorder(instruments, 'BBB'),
    symbols: ['AAABBB'],
    logger: silentLogger,
  };
  // Of the connection paper uses the instruments alone.
  const parts = paperVenue(context as unknown as VenueContext, config, seededRandom(1));
  const told: VenueEvent[] = [];
  parts.venue.listen((events) => told.push(...events));
  parts.venue.start();
  const deliver = (run: () => void): void => clock.deliver(real.nowUs(), run);
  const at = (id: number) => ({ exchangeUs: real.nowUs(), receiveUs: real.nowUs(), firstId: id, lastId: id });
  const see = (event: Parameters<(typeof parts.sinks)[0]>[0]): void =>
    deliver(() => parts.sinks.forEach((sink) => sink(event)));
  see(snapshot({ 99: 20 }, { 101: 20 }, at(500)));
  await real.advanceAsync(500, 50);
  const us = real.nowUs();
  see(gap(true, { exchangeUs: us, receiveUs: us, fromUs: us }));
  see(change({ 98: 5 }, {}, at(501)));
  await real.advanceAsync(500, 50);
  deliver(() => parts.discarded?.('AAABBB', LOST));
  await real.advanceAsync(500, 50);
  see(snapshot({ 104: 20 }, { 106: 20 }, at(3)));
  await real.advanceAsync(500, 50);
  see(change({ 103: 5 }, {}, at(4)));
  deliver(() =>
    parts.venue.send(
      {
        kind: 'create',
        intentId: 'i1',
        lane: 'create',
        order: {
          market: 'spot',
          symbol: 'AAABBB',
          side: 'buy',
          type: 'market',
          timeInForce: 'ioc',
          price: null,
          quantity: '1',
          clientOrderId: 'c1',
        },
      },
      () => 'go',
    ),
  );
  await real.advanceAsync(500, 50);
  clock.stop();
  expect(told.flatMap((event) => (event.kind === 'fill' ? [event.fill.price] : []))).toEqual(['106']);
});
