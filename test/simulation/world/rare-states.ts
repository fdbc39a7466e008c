/**
 * The states that a batch of seeds must reach to prove anything about them (`sometimes()` counters, reliability §3.3): a
 * table of names, marked by the world as it goes, or read from the journal afterwards.
 */
import type { JournalEntry, JournalRow } from '../../../src/model/entries/journal.ts';
import { futuresStates } from './futures/rare-states.ts';

export const rareStates = [
  // Fate of creates.
  'unknown resolved as filled',
  'unknown resolved as open',
  'unknown resolved as ended unfilled',
  'unknown resolved as never arrived',
  'straggler arrived',
  'order matched by its terms',
  'refused by the exchange',
  'not sent',
  'withdrawn before it was sent',
  'to go before its id is known',
  'crash before its id is known, of one that is to go',
  'expired before it was sent',
  'fill before the answer',
  'fill while cancelling',
  'fill after the cancel was accepted',
  'partial fill',
  'late fill after cancel',
  'cancel of unknown outcome',
  'cancel refused',
  'cancel of many, some without effect',
  'cancelled by the exchange or a human',
  // Healing.
  'order healed from a reading',
  'fill healed from a reading',
  'trade of others booked',
  'money that came in booked',
  'opening taken over',
  'difference while down taken over',
  // Process, disk, clock.
  'crash between intent and sending',
  'crash between sending and answer',
  'crash with open orders',
  'death before the first comparison',
  'clean end',
  'session after a clean end',
  'end that leaves something',
  'journal failed',
  'journal failed and recovered',
  'files of the journal gone',
  'quote of an earlier process withdrawn',
  'journal with a day row',
  // Streams and gates.
  'denied: stale_data',
  'denied: stream_down',
  'denied: not_reconciled',
  'denied: message_rate',
  'denied: max_position',
  'denied: price_collar',
  'denied: reduce_only',
  'denied: not_finite',
  'denied: unknown_ref',
  'denied: max_open_orders',
  'denied: no_market',
  'denied: duplicate_order',
  'denied: insufficient_balance',
  'denied: killed',
  'reduction while a gate is closed',
  'reduction while killed',
  'reduction that is new risk',
  'first fills seen in the account',
  'side of own trades in doubt',
  'fill that contradicts its order',
  'halted symbol resumed',
  'strategy paused',
  'commanded by a human',
  'denied: overfilled',
  'kill',
  'kill during reconnect',
  'kill cleared',
  'killed over a restart',
  // A panic of another process.
  'panic',
  'panic that closes positions',
  'panic that was killed',
  'panic that closed everything',
  'order of a panic',
  'order of a panic taken over by a start',
  // The way.
  'hidden limit met',
  'banned',
  'denied: loop_lag',
  'denied: another_instance',
  'denied: max_open_notional',
  'denied: max_gross',
  'frame of an ended connection',
  'suspended as a request left',
  'power lost',
  'order of another instance',
  'order in doubt for want of its id',
  'early events dropped',
  'clock of the exchange stepped',
  'signature refused by a wrong clock',
  'denied: clock_doubt',
  'rate-limit pause',
  // An older journal.
  'journal restored',
  'restore acknowledged',
  'older journal put back',
  'end of the journal lost',
  'journal lost',
  'lost rows that the witness knew',
  'lost rows that no witness knew',
  'lost rows that an order told of',
  'forgotten order taken over',
  // A second whole stack on the account.
  'another instance of which nothing rests',
  'second stack',
  'second stack of which nothing rests',
  'second stack with orders that rest',
  'second stack noticed the first',
  // Instruments that change.
  'instrument changed: tick',
  'instrument changed: lot',
  'instrument changed: least quantity',
  'instrument changed: least notional',
  'instrument changed: halted',
  'instrument changed: delisted',
  'instrument changed while down',
  'step made coarser',
  'step made finer',
  'refused by another instrument',
  'denied: symbol_halted',
  'denied: instrument_changed',
  'reduction of another instrument',
  'started again on another grid',
  ...futuresStates,
] as const;

export type RareState = (typeof rareStates)[number];

export class RareStates {
  readonly counts = new Map<RareState, number>();

  mark(name: RareState): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

/** What the journal of a seed says about itself, row by row. */
export function markJournal(rare: RareStates, rows: readonly JournalRow[], clientOrderIds: boolean): void {
  const reader = new JournalReader(rare, clientOrderIds);
  for (const { entry } of rows) reader.read(entry);
}

interface Create {
  readonly boot: number;
  readonly isQuote: boolean;
  sent: boolean;
  answered: boolean;
  hasOutcome: boolean;
  canceled: boolean;
  unknown: boolean;
  over: boolean;
  cancelWanted: boolean;
  cancelAsked: boolean;
  cancelAccepted: boolean;
}

const deniedStates: ReadonlyMap<string, RareState> = new Map(
  rareStates.filter((name) => name.startsWith('denied: ')).map((name) => [name.slice('denied: '.length), name]),
);

class JournalReader {
  readonly #rare: RareStates;
  readonly #clientOrderIds: boolean;
  readonly #creates = new Map<string, Create>();
  readonly #cancels = new Map<string, readonly string[]>();
  #boot = 0;
  #killed = false;
  #hasFailed = false;

  constructor(rare: RareStates, clientOrderIds: boolean) {
    this.#rare = rare;
    this.#clientOrderIds = clientOrderIds;
  }

  read(entry: JournalEntry): void {
    const rare = this.#rare;
    switch (entry.kind) {
      case 'session':
        if (entry.event === 'start') this.#start(entry.boot);
        return;
      case 'intent':
        if (entry.command === 'create') this.#create(entry.intentId, entry.origin === 'quote');
        else this.#cancel(entry.intentId, entry.targets);
        return;
      case 'sending':
        this.#with(entry.intentId, (create) => (create.sent = true));
        return;
      case 'outcome':
        this.#outcome(entry);
        return;
      case 'order':
      case 'fill':
        this.#report(entry);
        return;
      case 'closed':
        this.#closed(entry);
        return;
      case 'cancel-wanted':
        rare.mark('to go before its id is known');
        this.#with(entry.intentId, (create) => (create.cancelWanted = true));
        return;
      case 'denial': {
        const state = deniedStates.get(entry.reason);
        if (state !== undefined) rare.mark(state);
        return;
      }
      case 'adjustment':
        if (entry.cause === 'trade of others') rare.mark('trade of others booked');
        // By its balance alone, or by the row that lists it.
        const isIn = entry.cause === 'credit' || (entry.cause === 'movement' && !entry.quantity.startsWith('-'));
        if (isIn) rare.mark('money that came in booked');
        if (entry.cause === 'opening') rare.mark('opening taken over');
        if (entry.cause === 'while down') rare.mark('difference while down taken over');
        return;
      case 'kill':
        this.#killed = entry.on;
        rare.mark(entry.on ? 'kill' : 'kill cleared');
        return;
      case 'day':
        rare.mark('journal with a day row');
        return;
      case 'alarm':
        if (entry.code === 'journal_failed') this.#hasFailed = true;
        if (entry.code === 'own_trade_side') rare.mark('side of own trades in doubt');
        if (entry.code === 'fill_contradiction') rare.mark('fill that contradicts its order');
        if (entry.code === 'foreign_prefix') rare.mark('order of another instance');
        if (entry.code === 'ambiguous_match' && this.#clientOrderIds) rare.mark('order in doubt for want of its id');
        if (entry.code === 'stray_overflow') rare.mark('early events dropped');
        return;
      default:
    }
  }

  #start(boot: number): void {
    this.#boot = boot;
    if (boot === 1) return;
    if (this.#killed) this.#rare.mark('killed over a restart');
    if (this.#hasFailed) this.#rare.mark('journal failed and recovered');
    for (const create of this.#creates.values()) {
      if (create.over) continue;
      if (!create.sent) {
        this.#rare.mark('crash between intent and sending');
        create.over = true;
      } else if (create.answered) this.#rare.mark('crash with open orders');
      else {
        this.#rare.mark('crash between sending and answer');
        if (create.cancelWanted) this.#rare.mark('crash before its id is known, of one that is to go');
        create.unknown = true;
      }
    }
  }

  #create(intentId: string, isQuote: boolean): void {
    const boot = this.#boot;
    this.#creates.set(intentId, {
      boot,
      isQuote,
      sent: false,
      answered: false,
      hasOutcome: false,
      canceled: false,
      unknown: false,
      over: false,
      cancelWanted: false,
      cancelAsked: false,
      cancelAccepted: false,
    });
  }

  #cancel(intentId: string, targets: readonly string[]): void {
    this.#cancels.set(intentId, targets);
    for (const target of targets) {
      this.#with(target, (create) => {
        create.cancelAsked = true;
        if (create.isQuote && create.boot < this.#boot) this.#rare.mark('quote of an earlier process withdrawn');
      });
    }
  }

  #outcome({ intentId, outcome }: Extract<JournalEntry, { kind: 'outcome' }>): void {
    const targets = this.#cancels.get(intentId);
    if (targets !== undefined) {
      this.#cancelOutcome(targets, outcome);
      return;
    }
    const create = this.#creates.get(intentId);
    if (create === undefined) return;
    create.hasOutcome = true;
    create.answered = outcome.kind !== 'unknown';
    create.unknown = outcome.kind === 'unknown';
    if (outcome.kind === 'refused') this.#rare.mark('refused by the exchange');
    if (outcome.kind === 'not-sent') this.#rare.mark('not sent');
    if (outcome.kind === 'denied' && outcome.denied.reason === 'superseded')
      this.#rare.mark('withdrawn before it was sent');
    if (outcome.kind === 'denied' && outcome.denied.reason === 'expired') this.#rare.mark('expired before it was sent');
    if (outcome.kind === 'denied') {
      const state = deniedStates.get(outcome.denied.reason);
      if (state !== undefined) this.#rare.mark(state);
    }
    if (outcome.kind !== 'accepted' && outcome.kind !== 'unknown') create.over = true;
    if (outcome.kind === 'accepted') {
      const status = outcome.order?.status;
      create.over = status === 'filled' || status === 'canceled' || status === 'expired';
    }
  }

  #cancelOutcome(targets: readonly string[], outcome: Extract<JournalEntry, { kind: 'outcome' }>['outcome']): void {
    if (outcome.kind === 'unknown') this.#rare.mark('cancel of unknown outcome');
    if (outcome.kind === 'refused') this.#rare.mark('cancel refused');
    if (outcome.kind !== 'accepted') return;
    for (const target of targets) this.#with(target, (create) => (create.cancelAccepted = true));
    if (outcome.canceled !== undefined && outcome.canceled.length < targets.length)
      this.#rare.mark('cancel of many, some without effect');
  }

  #report(entry: Extract<JournalEntry, { kind: 'order' | 'fill' }>): void {
    const rare = this.#rare;
    const isReading = entry.source === 'reconcile';
    if (isReading) rare.mark(entry.kind === 'fill' ? 'fill healed from a reading' : 'order healed from a reading');
    const create = this.#creates.get(entry.intentId);
    if (create === undefined) return;
    if (entry.kind === 'fill') {
      if (!create.hasOutcome && create.boot === this.#boot) rare.mark('fill before the answer');
      if (create.canceled) rare.mark('late fill after cancel');
      if (create.cancelAccepted) rare.mark('fill after the cancel was accepted');
      else if (create.cancelAsked) rare.mark('fill while cancelling');
    }
    const status = entry.kind === 'order' ? entry.report.status : 'filled';
    if (entry.kind === 'order' && status === 'partially_filled') rare.mark('partial fill');
    create.canceled ||= status === 'canceled';
    if (status === 'canceled' && !create.cancelAsked) rare.mark('cancelled by the exchange or a human');
    if (create.unknown) this.#resolved(create, status);
    create.answered = true;
    if (entry.kind === 'order' && status !== 'new' && status !== 'partially_filled') create.over = true;
  }

  #resolved(create: Create, status: string): void {
    create.unknown = false;
    if (!this.#clientOrderIds) this.#rare.mark('order matched by its terms');
    if (status === 'filled') this.#rare.mark('unknown resolved as filled');
    else if (status === 'new' || status === 'partially_filled') this.#rare.mark('unknown resolved as open');
    else this.#rare.mark('unknown resolved as ended unfilled');
  }

  #closed(entry: Extract<JournalEntry, { kind: 'closed' }>): void {
    this.#with(entry.intentId, (create) => (create.over = true));
    if (entry.state === 'never_arrived') this.#rare.mark('unknown resolved as never arrived');
    const state = deniedStates.get(entry.reason);
    if (state !== undefined) this.#rare.mark(state);
    if (entry.reason === 'expired') this.#rare.mark('expired before it was sent');
    if (entry.reason === 'superseded') this.#rare.mark('withdrawn before it was sent');
  }

  #with(intentId: string, run: (create: Create) => void): void {
    const create = this.#creates.get(intentId);
    if (create !== undefined) run(create);
  }
}
