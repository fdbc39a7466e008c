/**
 * A movement of money that waited in a queue while the machine slept left when it woke: the session's clock, which aged it,
 * had stood still. The wall clock counts too, as it does for orders.
 */
import { expect, it } from 'vitest';
import { JournalWriter } from '../../src/journal/journal-writer.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { verdictOf, type OnDispatch, type Venue, type Verdict } from '../../src/model/venue.ts';
import { Departures } from '../../src/spine/departures.ts';
import { Spine } from '../../src/spine/spine.ts';
import { MoneyIntents, type MoneyPort } from '../../src/treasury/money-intents.ts';
import { HandClock } from '../execution/rig.ts';

const TTL_MS = 10_000;

function release(sleptMs: number, writingMs = 0): Verdict {
  const clock = new HandClock();
  let wall = 1_000_000;
  const held: OnDispatch[] = [];
  const venue: Pick<Venue, 'send' | 'together'> = {
    send: (_command, onDispatch) => held.push(onDispatch),
    together: (run) => run(),
  };
  const journal = createMemoryJournal();
  const append: typeof journal.append = (ts, entries) => {
    wall += writingMs;
    return journal.append(ts, entries);
  };
  const writer = new JournalWriter({ ...journal, append }, clock, (error) => expect.fail(error.message));
  const departures = new Departures(writer, clock, () => wall);
  const reconcile = { signatureWindowMs: 30_000, fenceMarginMs: 1000, historyLagMs: 1000 };
  const port: MoneyPort = {
    deps: {
      // Nothing is read here.
      venue: { query: {} as Venue['query'], clientOrderIds: true },
      bootId: 'b1',
      options: { risk: { intentTtlMs: TTL_MS }, reconcile },
    },
    spine: new Spine(writer, clock, new Instruments()),
    departures,
    turn: { run: (work) => work() },
  };
  const intents = new MoneyIntents(port, { gate: () => null });
  const request = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' } as const;
  intents.send({ request, strategy: 'maker', before: null });
  departures.leave(venue);
  clock.advance(100);
  wall += 100 + sleptMs;
  const [onDispatch] = held;
  if (onDispatch === undefined) throw new Error('nothing was handed over');
  return verdictOf(onDispatch);
}

it('drops money that waited through a sleep, and lets go what did not', () => {
  expect(release(0)).toBe('go');
  expect(release(TTL_MS)).toMatchObject({ reason: 'expired' });
});

it('does not make an intent younger when the wall clock is set back', () => {
  expect(release(-3_600_000)).toBe('go');
});

it('drops money whose SENDING row took too long to write', () => {
  expect(release(0, TTL_MS)).toMatchObject({ reason: 'expired' });
});
