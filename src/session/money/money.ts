/** Money moved by a human's command: a durable intent first, nothing of unknown outcome repeated. */
import type { Exchange } from '../../exchange/exchange.ts';
import { JournalWriter } from '../../journal/journal-writer.ts';
import { openJournal } from '../../journal/sqlite-store.ts';
import { resumed } from '../../journal/resume.ts';
import { restoredText } from '../../risk/gates.ts';
import type { StateView } from '../../spine/trading-state.ts';
import {
  baselineOf,
  canonicalRequest,
  fingerprintOf,
  positionBaselineOf,
  secretHashOf,
} from '../../spine/money/content.ts';
import { Departures } from '../../spine/departures.ts';
import { Spine } from '../../spine/spine.ts';
import { isReduction } from '../../spine/money/kinds.ts';
import type { MoneyView } from '../../spine/money/state.ts';
import { MoneyIntents, type Movement, type Resolution } from '../../treasury/money-intents.ts';
import type { Config } from '../config/schema.ts';
import { enterPlace, moneyPlaces, type MoneyIdentity } from './money-place.ts';
import { wallMs } from '../clock/system-clock.ts';
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { JournalStore } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import type { MoneyBaseline } from '../../model/entries/money-entries.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/funds/money-commands.ts';
import type { VenueQueries } from '../../model/venue.ts';

export interface MoneyOptions extends MoneyIdentity {
  readonly exchange: Exchange;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MoneyAccess
  extends Pick<MoneyIntents, 'resolve' | 'decide' | 'disprove'>, Pick<MoneyView, 'records' | 'unresolved'> {
  readonly folder: string;
  /**
   * At most once. `denied` with `unresolved_money` while an equal one may have happened, unless `again` and
   * `isHarmlessTwice`.
   */
  send<K extends MoneyKind>(
    request: MoneyRequest & { readonly kind: K },
    secrets?: MoneySecrets,
    again?: boolean,
  ): Promise<MoneyOutcome<MoneyAnswers[K]>>;
  /** `inOrder`: what happened has been shown to the human. */
  close(inOrder?: boolean): void;
}

export interface OpenMoney extends MoneyAccess {
  /** What was looked up of what an earlier process left unknown. */
  readonly learnt: readonly Resolution[];
}

/** Throws `journal_locked` and journal errors. */
export async function openMoney(options: MoneyOptions): Promise<OpenMoney> {
  const { config, account, exchangeName } = options;
  const [folder = ''] = moneyPlaces(options);
  const journal = openJournal(folder, { durability: config.journal.durability });
  enterPlace(options, folder);
  const access = moneyAccess(folder, journal, options, { account, exchange: exchangeName });
  return { ...access, learnt: await access.resolve() };
}

export type MoneyParts = Pick<MoneyOptions, 'exchange' | 'config' | 'clock' | 'logger'>;

/** `close` closes the journal. `facts` are of the start row. */
export function moneyAccess(
  folder: string,
  journal: JournalStore,
  { exchange, config, clock, logger }: MoneyParts,
  facts: Readonly<Record<string, Json>> = { mode: 'reconcile' },
): MoneyAccess {
  const replay = resumed(journal);
  const boot = replay.state.boot + 1;
  // Order ids stay unique after lost journal rows.
  const bootId = `b${boot}_${Math.floor(clock.now() / 1000).toString(36)}`;
  const start = { kind: 'session', event: 'start', boot, bootId, facts } as const;
  replay.row({ seq: journal.lastSeq + 1, ts: clock.now(), entry: start });
  const writer = new JournalWriter(journal, clock, (error) => logger.error({ code: error.code }, error.message));
  const spine = new Spine(writer, clock, replay.instruments);
  spine.adopt(replay.state);
  writer.put(start);
  const venue = exchange.venue([], { socket: null });
  const departures = new Departures(writer, clock, wallMs);
  const turn = (work: () => void): void => {
    work();
    departures.leave(venue);
    writer.flush();
  };
  const { clientOrderIds } = config.exchange;
  const deps = { venue: { query: venue.query, clientOrderIds }, bootId, options: config };
  const intents = new MoneyIntents(
    { deps, spine, departures, turn: { run: turn } },
    { gate: ({ request }) => amnesiaOf(spine.state, request) },
  );
  venue.listen((events) =>
    turn(() => {
      for (const event of events) {
        if (event.kind === 'money-outcome') intents.outcome(event.intentId, event.outcome);
        if (event.kind === 'outcome') intents.ordered(event.intentId, event.outcome);
      }
    }),
  );
  const { money } = spine.state;
  return {
    folder,
    send: async (request, secrets = {}, again = false) => {
      const before = await readBaseline(venue.query, request);
      const outcome = await sendOnce(turn, intents, { request, secrets, again, strategy: '', before });
      if (outcome.kind === 'unknown') await intents.resolve();
      if (outcome.kind !== 'refused') return outcome;
      const doubt = await intents.disprove(fingerprintOf(canonicalRequest(request), secretHashOf(secrets)));
      if (doubt === null) return outcome;
      const { code, message } = outcome;
      if (doubt.kind === 'happened' || doubt.seen === true)
        return { kind: 'unknown', reason: `it was refused with ${code}: ${message}; but ${doubt.why}` };
      return { ...outcome, message: `${message}; that is not proved yet: ${doubt.why}` };
    },
    records: () => money.records(),
    unresolved: () => money.unresolved(),
    resolve: () => intents.resolve(),
    disprove: (fingerprint) => intents.disprove(fingerprint),
    decide: (intentId, verdict, reason) => intents.decide(intentId, verdict, reason),
    close: (inOrder = true) => {
      if (inOrder) writer.put({ kind: 'session', event: 'stop', boot, bootId });
      writer.flush();
      journal.close();
    },
  };
}

/** What was sent by lost rows could be sent again: nothing new until the loss is acknowledged. */
function amnesiaOf({ restored }: StateView, request: MoneyRequest): Denied | null {
  if (restored === undefined || isReduction(request)) return null;
  return denied('restored', `${restoredText(restored)}; check the exchange's history, then acknowledge it`);
}

function sendOnce<K extends MoneyKind>(
  turn: (work: () => void) => void,
  intents: MoneyIntents,
  movement: Movement<K>,
): Promise<MoneyOutcome<MoneyAnswers[K]>> {
  return new Promise((resolve) => {
    turn(() => {
      const denial = intents.send(movement, resolve);
      if (denial !== null) resolve({ kind: 'denied', denied: denial });
    });
  });
}

/** Null: then an absence cannot be shown. */
async function readBaseline(query: VenueQueries, request: MoneyRequest): Promise<MoneyBaseline | null> {
  if (request.kind === 'futuresOrder' || request.kind === 'futuresClose') {
    const positions = await query.positions();
    return positions.kind === 'complete' ? positionBaselineOf(request, positions.items, positions.asOf) : null;
  }
  const reading = await query.balances();
  return reading.kind === 'complete' ? baselineOf(request, reading.items, reading.asOf) : null;
}
