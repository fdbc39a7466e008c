/**
 * The causal chain of one order from a journal, by the restart's replay, so that figures equal the executor's. Pure.
 */
import { Replay } from '../../spine/replay.ts';
import { orderUpdate } from '../../spine/orders/own-order.ts';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import type { CreateIntentEntry, DecisionEntry, JournalRow, QuoteSetEntry } from '../../model/entries/journal.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { closedOrderStates, type OrderUpdate } from '../../model/trading/order.ts';
import { entryText } from './entry-text.ts';
import { exposureThen, type ExposureThen } from './exposure.ts';

export type StepKind =
  | 'decision'
  | 'program'
  | 'intent'
  | 'sending'
  | 'answer'
  | 'report'
  | 'fill'
  | 'cancel'
  | 'closed'
  | 'correction'
  | 'alarm'
  | 'note'
  | 'process';

export interface Step {
  readonly kind: StepKind;
  readonly seq: number;
  /** Unix ms, session clock. */
  readonly ts: number;
  /** Since the previous step; 0 for the first. */
  readonly afterMs: number;
  readonly text: string;
  readonly row: JournalRow;
}

/** Duration of each part, ms; null if it did not happen. */
export interface Durations {
  readonly decisionToIntentMs: number | null;
  readonly intentToSendingMs: number | null;
  readonly sendingToAnswerMs: number | null;
  readonly sendingToFirstFillMs: number | null;
  readonly intentToClosedMs: number | null;
}

export interface OrderChain {
  readonly intentId: string;
  readonly clientOrderId: string;
  readonly orderId: string | null;
  readonly strategy: string;
  readonly origin: CreateIntentEntry['origin'];
  readonly intent: CreateIntentEntry;
  /** Ref of the program whose order it is, and which of its orders; null for an order of its own. */
  readonly parent: string | null;
  readonly leg: string | null;
  readonly decidedAt: number;
  /** Unix ms of the last change; equals `decidedAt` if never sent. */
  readonly lastAt: number;
  readonly closed: boolean;
  /** As a strategy sees it; null once forgotten by the journal. */
  readonly order: OrderUpdate | null;
  /** Null for the executor's own actions, such as a stop policy. */
  readonly decision: DecisionEntry | QuoteSetEntry | null;
  readonly stood: ExposureThen;
  readonly steps: readonly Step[];
  readonly fees: Readonly<Record<string, string>>;
  readonly durations: Durations;
}

type Decided = JournalRow & { readonly entry: DecisionEntry | QuoteSetEntry };

/** Undefined without a create intent of this id. */
export function orderChain(rows: Iterable<JournalRow>, intentId: string): OrderChain | undefined {
  const reader = new ChainReader(intentId);
  for (const row of rows) reader.row(row);
  return reader.chain();
}

class ChainReader {
  readonly #intentId: string;
  readonly #replay = new Replay();
  /** The newest decision by kind, strategy and symbol. */
  readonly #decided = new Map<string, Decided>();
  /** The newest row of each program: what made it send the order. */
  readonly #programs = new Map<string, JournalRow>();
  readonly #kept: { readonly kind: StepKind; readonly row: JournalRow; readonly text: string }[] = [];
  readonly #cancels = new Set<string>();
  readonly #names = new Set<string>();
  readonly #fees = new Map<string, Decimal>();
  #intent: (JournalRow & { readonly entry: CreateIntentEntry }) | undefined;
  #decision: Decided | undefined;
  #stood: ExposureThen | undefined;
  #order: OrderUpdate | null = null;
  #closedAt: number | null = null;

  constructor(intentId: string) {
    this.#intentId = intentId;
    this.#names.add(intentId);
  }

  row(row: JournalRow): void {
    const { entry } = row;
    if (this.#intent === undefined) {
      if (entry.kind === 'program') this.#programs.set(`${entry.strategy} ${entry.ref}`, row);
      if (entry.kind === 'decision' || entry.kind === 'quote-set') this.#decided.set(keyOf(entry), { ...row, entry });
      if (entry.kind === 'intent' && entry.command === 'create' && entry.intentId === this.#intentId)
        this.#begin({ ...row, entry });
    } else {
      this.#follow(row);
    }
    this.#replay.row(row);
    this.#look(row.ts);
  }

  chain(): OrderChain | undefined {
    const { intentId } = { intentId: this.#intentId };
    const intent = this.#intent;
    const stood = this.#stood;
    if (intent === undefined || stood === undefined) return undefined;
    const steps = this.#kept.map(({ kind, row, text }, index) => ({
      kind,
      seq: row.seq,
      ts: row.ts,
      afterMs: row.ts - (this.#kept[index - 1]?.row.ts ?? row.ts),
      text,
      row,
    }));
    return {
      intentId,
      clientOrderId: clientOrderIdOf(intentId),
      orderId: this.#order?.orderId ?? null,
      strategy: intent.entry.strategy,
      origin: intent.entry.origin,
      intent: intent.entry,
      parent: intent.entry.parent ?? null,
      leg: intent.entry.leg ?? null,
      decidedAt: this.#decision?.ts ?? intent.ts,
      lastAt: steps.at(-1)?.ts ?? intent.ts,
      closed: this.#closedAt !== null,
      order: this.#order,
      decision: this.#decision?.entry ?? null,
      stood,
      steps,
      fees: Object.fromEntries([...this.#fees].map(([currency, fee]) => [currency, decimalText(fee)])),
      durations: durationsOf(steps, this.#closedAt),
    };
  }

  #begin(row: JournalRow & { readonly entry: CreateIntentEntry }): void {
    const { strategy, origin, order, tag, ref } = row.entry;
    this.#intent = row;
    this.#names.add(ref);
    this.#stood = exposureThen(this.#replay.state, strategy, order.symbol);
    this.#decision =
      origin === 'quote'
        ? this.#decided.get(`quote-set ${strategy} ${order.symbol} ${tag}`)
        : (this.#decided.get(`${origin} ${strategy} ${order.symbol}`) ?? this.#decided.get(`${origin} ${strategy} `));
    if (this.#decision !== undefined) this.#keep('decision', this.#decision);
    const parent = row.entry.parent === undefined ? undefined : this.#programs.get(`${strategy} ${row.entry.parent}`);
    if (parent !== undefined) this.#keep('program', parent);
    this.#keep('intent', row);
  }

  #follow(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind === 'intent' && entry.command === 'cancel' && entry.targets.includes(this.#intentId)) {
      this.#cancels.add(entry.intentId);
      this.#keep('cancel', row, `cancel intended (${entry.intentId})`);
      return;
    }
    if ('intentId' in entry && entry.intentId === this.#intentId) {
      this.#ofOrder(row);
      return;
    }
    if ('intentId' in entry && this.#cancels.has(entry.intentId)) {
      this.#keep('cancel', row, `cancel: ${entryText(entry)}`);
      return;
    }
    this.#beside(row);
  }

  #ofOrder(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind === 'sending') this.#keep('sending', row);
    else if (entry.kind === 'outcome') this.#keep('answer', row);
    else if (entry.kind === 'order') this.#keep('report', row);
    else if (entry.kind === 'closed') this.#keep('closed', row);
    else if (entry.kind === 'cancel-wanted') this.#keep('cancel', row);
    else if (entry.kind === 'absent') this.#keep('report', row);
    else if (entry.kind === 'correction') this.#keep('correction', row);
    else if (entry.kind === 'fill') {
      const { fee, feeCurrency, orderId } = entry.fill;
      this.#names.add(orderId);
      this.#fees.set(feeCurrency, (this.#fees.get(feeCurrency) ?? ZERO).plus(dec(fee)));
      this.#keep('fill', row);
    }
  }

  /** Rows that affect the order without naming it: alarms, notes, process death. */
  #beside(row: JournalRow): void {
    const { entry } = row;
    const isOpen = this.#closedAt === null;
    if (entry.kind === 'alarm' && this.#isNamed(entry.message)) this.#keep('alarm', row);
    else if (entry.kind === 'note' && entry.strategy === this.#intent?.entry.strategy)
      this.#note(row, entryText(entry));
    else if (entry.kind === 'session' && isOpen) this.#keep('process', row);
    else if (entry.kind === 'kill' && isOpen) this.#keep('process', row);
  }

  /** In the decision's turn, or naming the order. */
  #note(row: JournalRow, text: string): void {
    if (row.ts === this.#intent?.ts || this.#isNamed(text)) this.#keep('note', row);
  }

  #isNamed(text: string): boolean {
    return [...this.#names].some((name) => text.includes(name));
  }

  #keep(kind: StepKind, row: JournalRow, text = entryText(row.entry)): void {
    this.#kept.push({ kind, row, text });
  }

  #look(ts: number): void {
    if (this.#intent === undefined) return;
    const order = this.#replay.state.orders.byIntent(this.#intentId);
    if (order === undefined) return;
    this.#order = orderUpdate(order, this.#intent.ts);
    if (order.orderId !== undefined) this.#names.add(order.orderId);
    const isClosed = closedOrderStates.has(order.progress.state);
    if (!isClosed) this.#closedAt = null;
    else this.#closedAt ??= ts;
  }
}

function keyOf(entry: DecisionEntry | QuoteSetEntry): string {
  if (entry.kind === 'quote-set') return `quote-set ${entry.strategy} ${entry.symbol} ${entry.tag}`;
  const action = entry.action;
  const read = (name: string): string => {
    const value =
      action !== null && typeof action === 'object' && !Array.isArray(action) ? Reflect.get(action, name) : '';
    return typeof value === 'string' ? value : '';
  };
  return `${read('kind')} ${entry.strategy} ${read('symbol')}`;
}

function durationsOf(steps: readonly Step[], closedAt: number | null): Durations {
  const first = (kind: StepKind): number | undefined => steps.find((step) => step.kind === kind)?.ts;
  const between = (from: number | undefined, to: number | null | undefined): number | null =>
    from === undefined || to === undefined || to === null ? null : to - from;
  return {
    decisionToIntentMs: between(first('decision'), first('intent')),
    intentToSendingMs: between(first('intent'), first('sending')),
    sendingToAnswerMs: between(first('sending'), first('answer')),
    sendingToFirstFillMs: between(first('sending'), first('fill')),
    intentToClosedMs: between(first('intent'), closedAt),
  };
}
