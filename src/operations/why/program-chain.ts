/**
 * The life of one order program from a journal: its decision, each change of its data, its orders and their fills, its
 * end, and what it left. By the restart's replay, so that figures equal the executor's. Pure.
 */
import { replayedProgram } from '../../execution/programs/replayed-programs.ts';
import type { CreateIntentEntry, JournalRow, UnprotectedAbout } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import { closedOrderStates, type OrderUpdate } from '../../model/trading/order.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { ProgramEntry, ProgramUpdate } from '../../model/trading/program.ts';
import { orderUpdate } from '../../spine/orders/own-order.ts';
import { Replay } from '../../spine/replay.ts';
import { CANCELED_BY_HAND, canceledByHand } from '../../session/controls/cancel-control.ts';
import { entryText, orderText } from './entry-text.ts';
import { changesText } from './program-entry-text.ts';

export type ProgramStepKind =
  | 'decision'
  | 'start'
  | 'step'
  | 'order'
  | 'fill'
  | 'ended'
  | 'denied'
  | 'alarm'
  | 'by hand'
  | 'process'
  | 'end';

export interface ProgramStep {
  readonly kind: ProgramStepKind;
  readonly seq: number;
  /** Unix ms, session clock. */
  readonly ts: number;
  /** Since the previous step; 0 for the first. */
  readonly afterMs: number;
  readonly text: string;
}

export interface ProgramChild {
  readonly ref: string;
  readonly leg: string;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly quantity: string;
  readonly price: string | null;
  readonly state: string;
  readonly filled: string;
  readonly averagePrice: string | null;
  readonly createdAt: number;
  readonly reason: string | null;
}

export interface ProgramChain {
  readonly program: ProgramUpdate;
  /** As the strategy gave them; null where the journal holds no decision. */
  readonly parameters: Json | null;
  /** As they were read: prices in ticks, quantities in lots, durations in ms. */
  readonly terms: Json;
  readonly steps: readonly ProgramStep[];
  /** Older steps than these, without the start. */
  readonly stepsLeftOut: number;
  readonly children: readonly ProgramChild[];
  /** `quantity`: of the parent, not filled; null where it has none. `unprotected`: said when it ended. */
  readonly left: { readonly quantity: string | null; readonly unprotected: UnprotectedAbout | null };
}

const STEPS_MAX = 5_000;
/** Those that say how it began. */
const FIRST_KEPT = 2;

/** Undefined without a start of this program. */
export function programChain(rows: Iterable<JournalRow>, strategy: string, ref: string): ProgramChain | undefined {
  const reader = new ProgramReader(strategy, ref);
  for (const row of rows) reader.row(row);
  return reader.chain();
}

interface Kept {
  readonly kind: ProgramStepKind;
  readonly seq: number;
  readonly ts: number;
  readonly text: string;
}

type Start = Extract<ProgramEntry, { readonly event: 'start' }>;

class ProgramReader {
  readonly #strategy: string;
  readonly #ref: string;
  readonly #replay = new Replay();
  readonly #kept: Kept[] = [];
  readonly #intents = new Map<string, CreateIntentEntry>();
  readonly #children = new Map<string, ProgramChild>();
  readonly #created = new Map<string, number>();
  #decided: { readonly row: JournalRow; readonly action: Json } | undefined;
  #parameters: Json | null = null;
  #start: Start | undefined;
  #data: unknown;
  #isOver = false;
  #leftOut = 0;
  #unprotected: UnprotectedAbout | null = null;

  constructor(strategy: string, ref: string) {
    this.#strategy = strategy;
    this.#ref = ref;
  }

  row(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind === 'decision' && entry.strategy === this.#strategy && this.#start === undefined)
      this.#decided = { row, action: entry.action };
    if (entry.kind === 'program' && entry.strategy === this.#strategy && entry.ref === this.#ref)
      this.#ofProgram(row, entry);
    else if (this.#start !== undefined) this.#beside(row);
    this.#replay.row(row);
    if ('intentId' in entry && this.#intents.has(entry.intentId)) this.#look(entry.intentId, row);
  }

  chain(): ProgramChain | undefined {
    const start = this.#start;
    const state = this.#replay.state.programs.of(this.#strategy, this.#ref);
    if (start === undefined || state === undefined) return undefined;
    const program = replayedProgram(this.#replay, state);
    const { quantity, filled } = program;
    return {
      program,
      parameters: this.#parameters,
      terms: start.spec as Json,
      steps: this.#kept.map((step, index) => ({ ...step, afterMs: step.ts - (this.#kept[index - 1]?.ts ?? step.ts) })),
      stepsLeftOut: this.#leftOut,
      children: [...this.#children.values()],
      left: {
        quantity: quantity === null ? null : decimalText(dec(quantity).minus(dec(filled))),
        unprotected: this.#unprotected,
      },
    };
  }

  #ofProgram(row: JournalRow, entry: ProgramEntry): void {
    if (entry.event === 'start') {
      const decided = this.#decided;
      if (decided !== undefined && kindOf(decided.action) === entry.program) {
        this.#parameters = decided.action;
        this.#keep('decision', decided.row);
      }
      this.#start = entry;
      this.#data = entry.data;
      this.#keep('start', row);
    } else if (entry.event === 'step') {
      this.#keep('step', row, changesText(this.#data, entry.data));
      this.#data = entry.data;
    } else {
      this.#keep('end', row);
      this.#isOver = true;
    }
  }

  #beside(row: JournalRow): void {
    const { entry } = row;
    switch (entry.kind) {
      case 'intent':
        if (entry.command !== 'create' || entry.strategy !== this.#strategy || entry.parent !== this.#ref) return;
        this.#intents.set(entry.intentId, entry);
        this.#created.set(entry.intentId, row.ts);
        this.#keep('order', row, `${entry.leg ?? ''} ${entry.ref}: ${orderText(entry)}`);
        return;
      case 'fill': {
        const intent = this.#intents.get(entry.intentId);
        if (intent !== undefined) this.#keep('fill', row, `${intent.leg ?? ''} ${intent.ref}: ${entryText(entry)}`);
        return;
      }
      case 'denial':
        if (entry.strategy === this.#strategy && entry.ref === this.#ref) this.#keep('denied', row);
        return;
      case 'alarm':
        if (entry.about?.ref === this.#ref && entry.about.strategy === this.#strategy) this.#unprotected = entry.about;
        else if (!words(entry.message).includes(this.#ref)) return;
        this.#keep('alarm', row);
        return;
      case 'record':
        this.#byHand(row);
        return;
      case 'session':
        if (!this.#isOver) this.#keep('process', row);
        return;
      default:
    }
  }

  #byHand(row: JournalRow): void {
    const { entry } = row;
    if (entry.kind !== 'record' || entry.name !== CANCELED_BY_HAND) return;
    const said = canceledByHand.safeParse(entry.data);
    if (!said.success) return;
    const { programs, reason } = said.data;
    if (programs.some(({ strategy, ref }) => strategy === this.#strategy && ref === this.#ref))
      this.#keep('by hand', row, `a human cancels it: ${reason}`);
  }

  #keep(kind: ProgramStepKind, { seq, ts, entry }: JournalRow, text = entryText(entry)): void {
    this.#kept.push({ kind, seq, ts, text });
    if (this.#kept.length <= STEPS_MAX) return;
    this.#kept.splice(FIRST_KEPT, 1);
    this.#leftOut++;
  }

  #look(intentId: string, row: JournalRow): void {
    const intent = this.#intents.get(intentId);
    const order = this.#replay.state.orders.byIntent(intentId);
    if (intent === undefined || order === undefined) return;
    const update = orderUpdate(order, row.ts);
    const before = this.#children.get(intentId)?.state;
    this.#children.set(intentId, childOf(intent, update, this.#created.get(intentId) ?? row.ts));
    if (before === update.state || !closedOrderStates.has(update.state) || update.state === 'filled') return;
    const why = update.message ?? update.reason;
    this.#keep(
      'ended',
      row,
      `${intent.leg ?? ''} ${intent.ref} is ${update.state}${why === undefined ? '' : `: ${why}`}`,
    );
  }
}

function childOf({ ref, leg = '' }: CreateIntentEntry, update: OrderUpdate, createdAt: number): ProgramChild {
  const { symbol, side, type, quantity, price, state, filledQuantity, averagePrice, reason } = update;
  const terms = { ref, leg, symbol, side, type, quantity, price };
  return { ...terms, state, filled: filledQuantity, averagePrice, createdAt, reason: reason ?? null };
}

function kindOf(action: Json): unknown {
  return action !== null && typeof action === 'object' && !Array.isArray(action)
    ? Reflect.get(action, 'kind')
    : undefined;
}

/** A ref may begin like another one. */
function words(message: string): readonly string[] {
  return message.split(/[\s,;:()]+/u);
}
