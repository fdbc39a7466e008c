/**
 * Money moved by a human's command (transfers, codes, withdrawals, fiat, overdraft, P2P, orders of perpetuals and their
 * closing), with the guarantees of a bot's order: the intent is durable before the first byte leaves, its outcome is written after, secrets are in neither, and
 * what is unknown is looked up and never doubled. One journal an account and exchange, under `money` beside the
 * sessions (`money-place.ts`); `journal verify` and `journal show` read it. Used by the money commands of the CLI: open, send, close.
 */
import type { Exchange } from '../exchange/exchange.ts';
import { createExchangeTreasury } from '../exchange/treasury.ts';
import { JournalWriter } from '../execution/journal-writer.ts';
import { openJournal } from '../execution/journal/sqlite-store.ts';
import { replayRows } from '../execution/replay.ts';
import { restoredText } from '../execution/restored-gate.ts';
import type { TradingState } from '../execution/trading-state.ts';
import { baselineOf, positionBaselineOf } from '../execution/treasury/content.ts';
import { MoneyDesk, type Resolution } from '../execution/treasury/desk.ts';
import type { MoneyRecord, MoneyState } from '../execution/treasury/state.ts';
import type { Config } from './config/schema.ts';
import { enterPlace, moneyPlaces, type MoneyIdentity } from './money-place.ts';
import { wallMs } from './system-clock.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { JournalStore, Json } from '../model/journal.ts';
import type { MoneyBaseline } from '../model/money-entries.ts';
import type { Clock, Lane, Logger } from '../model/ports.ts';
import type { MoneyOutcome } from '../model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets, Treasury } from '../model/treasury.ts';

export interface MoneyOptions extends MoneyIdentity {
  readonly exchange: Exchange;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MoneyAccess {
  /** Folder of the journal. */
  readonly folder: string;
  /**
   * One request, sent at most once. `denied` with `unresolved_money` while one with the same content may have happened;
   * `unknown` is looked up at once and stays on record until `resolve` proves it or a human decides. `again`: also then,
   * where both together do no more than one (`isHarmlessTwice`).
   */
  send<K extends MoneyKind>(
    request: MoneyRequest & { readonly kind: K },
    secrets?: MoneySecrets,
    again?: boolean,
  ): Promise<MoneyOutcome<MoneyAnswers[K]>>;
  /** Oldest first; the last is the newest. */
  records(): readonly MoneyRecord[];
  /** Movements whose fate is not proved. */
  unresolved(): readonly MoneyRecord[];
  /** Looks at the exchange and writes down what it proves; what it cannot prove stays, with the reason. */
  resolve(): Promise<readonly Resolution[]>;
  /** A human looked and decides. False when there is no such unknown movement. */
  decide(intentId: string, verdict: 'happened' | 'absent', reason: string): boolean;
  close(): void;
}

/** How far the exchange's clock may lie before ours in its own records. */
const CLOCK_SLACK_MS = 1_000;

/**
 * Throws `journal_locked` while another process moves money of this account, and the other errors of a journal. What an
 * earlier process left unknown is looked up before it resolves.
 */
export async function openMoney(options: MoneyOptions): Promise<MoneyAccess> {
  const { exchange, clock, logger } = options;
  const treasury = createExchangeTreasury({ exchange, p2pSocket: null, clock });
  const access = openMoneyJournal({ ...options, treasury });
  if (access.unresolved().length > 0) {
    for (const { record, verdict } of await access.resolve())
      logger.info({ intent: record.intentId, kind: record.request.kind }, `${verdict.kind}: ${verdict.why}`);
  }
  return access;
}

type JournalOptions = Omit<MoneyOptions, 'exchange'> & { readonly treasury: Treasury };

/** The same on any treasury; looks nothing up. */
export function openMoneyJournal(options: JournalOptions): MoneyAccess {
  const { treasury, config, account, exchangeName, clock, logger } = options;
  const [folder = ''] = moneyPlaces(options);
  const journal = openJournal(folder, { durability: config.journal.durability });
  enterPlace(options, folder);
  return moneyAccess({ folder, journal, facts: { account, exchange: exchangeName }, treasury, config, clock, logger });
}

export interface MoneyAccessParts extends Pick<MoneyOptions, 'config' | 'clock' | 'logger'> {
  readonly folder: string;
  /** Closed with the access. */
  readonly journal: JournalStore;
  /** Of the start row. */
  readonly facts: Readonly<Record<string, Json>>;
  readonly treasury: Treasury;
}

/** The movements of money of any journal, that of an account or of a session that does not run. */
export function moneyAccess({
  folder,
  journal,
  facts,
  treasury,
  config,
  clock,
  logger,
}: MoneyAccessParts): MoneyAccess {
  const replay = replayRows(journal.read());
  const boot = replay.state.boot + 1;
  // The time too: in a journal that lost its rows the count comes again, and ids of orders must not.
  const bootId = `b${boot}_${Math.floor(clock.now() / 1000).toString(36)}`;
  const start = { kind: 'session', event: 'start', boot, bootId, facts } as const;
  replay.row({ seq: journal.lastSeq + 1, ts: clock.now(), entry: start });
  const state: MoneyState = replay.state.money;
  const writer = new JournalWriter(journal, clock, (error) => logger.error({ code: error.code }, error.message));
  writer.put(start);
  const { signatureWindowMs, fenceMarginMs, historyLagMs } = config.reconcile;
  const desk = new MoneyDesk({
    treasury,
    writer,
    state: () => state,
    clock,
    wall: wallMs,
    bootId,
    gate: ({ request }) => amnesiaOf(replay.state, request),
    intentTtlMs: config.risk.intentTtlMs,
    fenceMs: signatureWindowMs + fenceMarginMs,
    clockSlackMs: CLOCK_SLACK_MS,
    historyLagMs,
    clientOrderIds: config.exchange.clientOrderIds,
    turn: (work) => {
      work();
      writer.flush();
    },
  });
  treasury.listen((event) => {
    if (event.kind !== 'outcome') return;
    desk.outcome(event.intentId, event.outcome);
    writer.flush();
  });
  return {
    folder,
    send: async (request, secrets = {}, again = false) => {
      const before = await readBaseline(treasury, request);
      const outcome = await sendOnce(desk, { request, secrets, again, before });
      if (outcome.kind === 'unknown') await desk.resolve();
      return outcome;
    },
    records: () => state.records(),
    unresolved: () => state.unresolved(),
    resolve: () => desk.resolve(),
    decide: (intentId, verdict, reason) => desk.decide(intentId, verdict, reason),
    close: () => {
      writer.put({ kind: 'session', event: 'stop', boot, bootId });
      writer.flush();
      journal.close();
    },
  };
}

/** What takes back, or closes. */
const REDUCING: ReadonlySet<MoneyKind> = new Set([
  'cancelWithdrawal',
  'fiatDelete',
  'deactivateAdvertisement',
  'deleteAdvertisement',
  'cancelTrade',
  'futuresClose',
]);

/** What was sent by rows that are gone could be sent again: nothing new until somebody has acknowledged the loss. */
function amnesiaOf({ restored }: TradingState, { kind }: MoneyRequest): Denied | null {
  if (restored === undefined || REDUCING.has(kind)) return null;
  return denied('restored', `${restoredText(restored)}; look at the exchange's history, then acknowledge it`);
}

interface Asked<K extends MoneyKind> {
  readonly request: MoneyRequest & { readonly kind: K };
  readonly secrets: MoneySecrets;
  readonly again: boolean;
  readonly before: MoneyBaseline | null;
}

function sendOnce<K extends MoneyKind>(desk: MoneyDesk, asked: Asked<K>): Promise<MoneyOutcome<MoneyAnswers[K]>> {
  return new Promise((resolve) => {
    const begun = desk.send({ ...asked, strategy: '', lane: laneOf(asked.request) }, resolve);
    if (begun.kind === 'denied') resolve(begun);
  });
}

function laneOf(request: MoneyRequest): Lane {
  const isReduction =
    request.kind === 'futuresClose' || (request.kind === 'futuresOrder' && request.reduceOnly === true);
  return isReduction ? 'reduce' : 'create';
}

/** Without it an absence can never be proved, which is no reason not to move: the outcome is known nearly always. */
async function readBaseline(treasury: Treasury, request: MoneyRequest): Promise<MoneyBaseline | null> {
  if (request.kind === 'futuresOrder' || request.kind === 'futuresClose') {
    const positions = await treasury.query.positions();
    return positions.kind === 'complete' ? positionBaselineOf(request, positions.items, positions.asOf) : null;
  }
  const reading = await treasury.query.balances();
  return reading.kind === 'complete' ? baselineOf(request, reading.items, reading.asOf) : null;
}
