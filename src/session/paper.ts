/**
 * The paper session: live public streams, a simulated account, no key. The simulated venue lives on the session's paced
 * clock and is rebuilt from the journal after a crash (rule T6).
 */
import type { SimulatedVenueDeps } from '../simulation/venue.ts';
import { SimulatedVenue } from '../simulation/venue.ts';
import type { Random } from '../model/ports.ts';
import type { Config } from './config/schema.ts';
import type { VenueContext, VenueParts } from './realtime.ts';
import { GRANT_RECORD, venueStateOf } from './venue-restore.ts';
import { VenueWatch } from './watch-venue.ts';

export function paperVenue(context: VenueContext, config: Config, random: Random): VenueParts {
  const { connection, journal, clock, recorder, symbols } = context;
  const { instruments } = connection;
  const restored = venueStateOf(journal.read(), (symbol) => {
    const instrument = instruments.find(symbol);
    return instrument === undefined
      ? { base: symbol, quote: symbol }
      : { base: instrument.base, quote: instrument.market === 'spot' ? instrument.quote : instrument.settle };
  });
  const open = restored === null && Object.keys(config.account.start).length === 0;
  const watch: VenueWatch = new VenueWatch({
    recorder,
    fromMs: clock.now(),
    awaited: new Set(open ? symbols : []),
    account: () => venue.account(),
    onGrant: ({ currency, amount }) => {
      journal.append(clock.now(), [{ kind: 'record', name: GRANT_RECORD, data: { currency, amount } }]);
    },
  });
  const deps: SimulatedVenueDeps = {
    clock,
    instruments,
    options: config.simulation,
    random: random.fork('venue'),
    start: config.account.start,
    sync: () => ({ rule: 'seq', start: 'snapshot' }),
    live: { offsetUs: () => 0 },
    observer: watch,
  };
  const venue = new SimulatedVenue(deps);
  if (restored !== null) venue.restore(restored);
  return {
    venue,
    sinks: [
      (event) => {
        venue.onMarket(event);
        clock.settle();
      },
    ],
    gates: [],
    started: () => {},
    ended: (atMs) => watch.end(atMs),
    assumptions: { ...venue.assumptions(), reporting: config.account.reporting, risk: config.risk },
  };
}
