/** The paper session: live public streams, an account rebuilt from the journal (rule T6). */
import type { Grant } from '../simulation/venue/observer.ts';
import { p2pMarketsOf } from '../simulation/money/p2p-markets.ts';
import type { SimulatedVenueDeps } from '../simulation/venue/venue.ts';
import { SimulatedVenue } from '../simulation/venue/venue.ts';
import type { MarketSink } from '../model/market/market-event.ts';
import { dec, decimalText } from '../model/numbers/money.ts';
import type { Random } from '../model/ports.ts';
import type { Config } from './config/schema.ts';
import { measuredSimulation } from './feed/measured-latency.ts';
import type { VenueContext, VenueParts } from './venue-parts.ts';
import type { RunningSession } from './store/running-session.ts';
import { RebuiltVenue } from './paper-venue/rebuilt-venue.ts';
import { symbolFacts } from './paper-venue/symbol-facts.ts';
import { FUNDING_RECORD, GRANT_RECORD, type SideFunding } from './paper-venue/venue-records.ts';
import { VenueWatch } from './recorder/watch-venue.ts';

export function paperVenue(context: VenueContext, config: Config, random: Random): VenueParts {
  const { connection, journal, clock, recorder, earlier } = context;
  const { instruments } = connection;
  const { start } = config.account;
  // Without an earlier result the journal is new, or its archive is needed: reading that says what is wrong.
  const rebuilt = earlier?.venue ?? RebuiltVenue.of(journal.read(), symbolFacts(instruments, config.simulation.fees));
  const restored = rebuilt.state();
  const keep = (name: string, flows: readonly (Grant | SideFunding)[]): void => {
    journal.append(
      clock.now(),
      flows.map((flow) => ({ kind: 'record', name, data: { ...flow } })),
    );
  };
  // At once, or a crash could lose one.
  const granted = restored === null ? startGrants(start) : [];
  if (granted.length > 0) keep(GRANT_RECORD, granted);
  let running: RunningSession | null = null;
  const watch: VenueWatch = new VenueWatch({
    recorder,
    fromMs: context.startedAt,
    account: () => venue.account(),
    insured: (currency) => venue.insured(currency),
    onGrant: (grant) => {
      if (granted.length === 0) keep(GRANT_RECORD, [grant]);
      running?.reconciler.granted(grant);
    },
    onFunding: (payment) => keep(FUNDING_RECORD, [payment]),
  });
  const deps: SimulatedVenueDeps = {
    clock,
    instruments,
    options: measuredSimulation(config),
    random: random.fork('venue'),
    start,
    traded: context.symbols.flatMap((symbol) => instruments.find(symbol) ?? []),
    sync: () => ({ rule: 'seq', start: 'snapshot' }),
    live: { offsetUs: () => 0 },
    observer: watch,
    money: { accounts: config.account.accounts, markets: p2pMarketsOf(config.simulation.p2p) },
    stops: (symbol) => running?.engine.executor.stops(symbol) ?? [],
  };
  const venue = new SimulatedVenue(deps);
  if (restored !== null) venue.restore(restored);
  const see: MarketSink = (event) => {
    venue.onMarket(event);
    clock.settle();
  };
  return {
    venue,
    isBelieved: true,
    sinks: [see],
    gates: [],
    discarded: (symbol, reason) => {
      const instrument = instruments.find(symbol);
      const us = clock.nowUs();
      if (instrument !== undefined)
        see({ kind: 'gap', instrument, exchangeUs: us, receiveUs: us, reason, fromUs: us, open: true });
    },
    started: (session) => {
      running = session;
      if (restored !== null) recorder.hold(earlier?.start ?? null);
    },
    ended: (atMs) => watch.end(atMs),
    assumptions: { ...venue.assumptions(), reporting: config.account.reporting, risk: config.risk },
  };
}

function startGrants(start: Readonly<Record<string, string>>): readonly Grant[] {
  return Object.entries(start).map(([currency, amount]) => ({ currency, amount: decimalText(dec(amount)) }));
}
