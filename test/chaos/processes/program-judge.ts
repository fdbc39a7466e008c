/**
 * What must hold of order programs over deaths (docs/programs.md), by the trades of the exchange, the rows of the journal,
 * the terms that each ref of `patient.ts` tells, and bob's own record of his prices: no program twice, its orders never more
 * than it is, exits never more than entries, every program ends and leaves no order, and a stop that the price passed while
 * the process was down is said to be late.
 */
import { readJournal } from '../../../src/journal/verify.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec, type Decimal, ZERO } from '../../../src/model/numbers/money.ts';
import type { SessionFolder } from '../../../src/session/store/store.ts';
import type { Priced, Truth } from './exchange.ts';

export interface ProgramVerdict {
  readonly programs: number;
  /** By how they ended, and those at work. */
  readonly ends: ReadonlyMap<string, number>;
  readonly lateExpected: number;
  readonly lateSaid: number;
  readonly problems: readonly string[];
}

/** Unix ms of this machine: from the death to the first decision of the next process. */
export interface Down {
  readonly from: number;
  readonly to: number;
}

interface Program {
  readonly ref: string;
  readonly kind: string;
  readonly side: string;
  readonly quantity: Decimal;
  readonly stop: number;
  end: string | null;
  isLateSaid: boolean;
  entered: Decimal;
  exited: Decimal;
  /** Unix ms of fills; base units, exits below 0. */
  readonly moves: { readonly ts: number; readonly quantity: Decimal; readonly leg: string }[];
}

/** So far beyond the stop that no order of the bot itself hides it, USDT. */
const CLEAR = 35;
/** Around the last look at prices before a death, and before the first after a start. */
const LOOK_MS = 1_500;
const LOT = dec('0.0001');

export function judgePrograms(
  folder: SessionFolder,
  { active, trades }: Truth,
  prices: readonly Priced[],
  downs: readonly Down[],
): ProgramVerdict {
  const programs = new Map<string, Program>();
  const legs = new Map<string, { readonly program: Program; readonly leg: string }>();
  const owners = new Map<string, string>();
  // The outcome of a cancel tells of an order that has its owner already.
  const own = (orderId: string, intentId: string): void => {
    if (!owners.has(orderId)) owners.set(orderId, intentId);
  };
  const tradedAt = new Map<string, number>();
  const problems: string[] = [];
  for (const { entry } of readJournal(folder.path)) {
    if (entry.kind === 'program') readProgram(programs, entry, problems);
    else if (entry.kind === 'intent' && entry.command === 'create') {
      const program = programs.get(entry.parent ?? '');
      if (program === undefined) problems.push(`order ${entry.ref} belongs to no program`);
      else legs.set(entry.intentId, { program, leg: entry.leg ?? '' });
    } else if (entry.kind === 'order') own(entry.report.orderId, entry.intentId);
    else if (entry.kind === 'fill') {
      own(entry.fill.orderId, entry.intentId);
      tradedAt.set(entry.fill.tradeId, entry.fill.ts);
    } else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined)
      own(entry.outcome.order.orderId, entry.intentId);
    else if (entry.kind === 'alarm' && entry.code === 'exit_late') {
      const program = programs.get(entry.message.split(' ')[0] ?? '');
      if (program !== undefined) program.isLateSaid = true;
    }
  }
  for (const { tradeId, orderId, quantity } of trades) {
    const child = legs.get(owners.get(orderId) ?? '');
    if (child === undefined) continue;
    const { program, leg } = child;
    const isEntry = program.kind !== 'bracket' || leg === 'entry';
    if (isEntry) program.entered = program.entered.plus(quantity);
    else program.exited = program.exited.plus(quantity);
    program.moves.push({
      ts: tradedAt.get(tradeId) ?? 0,
      quantity: isEntry ? dec(quantity) : dec(quantity).neg(),
      leg,
    });
  }
  const all = [...programs.values()];
  for (const program of all) problems.push(...problemsOf(program));
  for (const { orderId } of active) {
    const program = legs.get(owners.get(orderId) ?? '')?.program;
    if (program !== undefined && program.end !== null)
      problems.push(`an order of ${program.ref} rests, and it has ended`);
  }
  const late = all.filter((program) => downs.some((down) => isPassed(program, down, prices)));
  for (const { ref, isLateSaid } of late)
    if (!isLateSaid) problems.push(`the exit of ${ref} is late, and nobody says so`);
  const ends = Map.groupBy(all, ({ kind, end }) => `${kind} ${end ?? 'works'}`);
  return {
    programs: all.length,
    ends: new Map([...ends].map(([end, { length }]) => [end, length])),
    lateExpected: late.length,
    lateSaid: all.filter(({ isLateSaid }) => isLateSaid).length,
    problems,
  };
}

function readProgram(
  programs: Map<string, Program>,
  entry: Extract<JournalEntry, { readonly kind: 'program' }>,
  problems: string[],
): void {
  const { ref } = entry;
  const known = programs.get(ref);
  if (entry.event === 'start') {
    if (known !== undefined) problems.push(`the program ${ref} began twice`);
    const [kind = '', side = '', size = '', stop = ''] = ref.split('_');
    const quantity = dec(size).div(1000);
    programs.set(ref, {
      ref,
      kind,
      side,
      quantity,
      stop: Number(stop),
      end: null,
      isLateSaid: false,
      entered: ZERO,
      exited: ZERO,
      moves: [],
    });
  } else if (known === undefined) problems.push(`the program ${ref} never began`);
  else if (entry.event === 'end') {
    if (known.end !== null) problems.push(`the program ${ref} ended twice`);
    known.end = `${entry.state}: ${entry.reason}`;
  }
}

function problemsOf({ ref, kind, quantity, entered, exited, end }: Program): readonly string[] {
  const problems: string[] = [];
  // A grid goes on closing what it holds.
  if (end === null && kind !== 'grid') problems.push(`the program ${ref} works still`);
  if (kind !== 'grid' && entered.gt(quantity))
    problems.push(`the orders of ${ref} filled ${entered.toFixed()}, more than it is`);
  if (exited.gt(entered)) problems.push(`exits of ${ref} filled ${exited.toFixed()}, its entries ${entered.toFixed()}`);
  const isDone = end?.startsWith('done') === true;
  if (isDone && kind === 'twap' && !entered.eq(quantity))
    problems.push(`${ref} is done with ${entered.toFixed()} of ${quantity.toFixed()}`);
  // What remains is the fee of the entry in base, by whole lots.
  if (isDone && kind === 'bracket' && entered.minus(exited).gt(entered.times('0.002').plus(LOT)))
    problems.push(`${ref} is done and holds ${entered.minus(exited).toFixed()} of ${entered.toFixed()}`);
  return problems;
}

/**
 * It held something, and its stop was passed while nobody looked, and only then: the price stayed beyond it until an exit
 * traded, however long the next process took to look.
 */
function isPassed(program: Program, down: Down, prices: readonly Priced[]): boolean {
  const { kind, side, stop, moves } = program;
  const before = down.from - LOOK_MS;
  const held = moves.filter(({ ts }) => ts < before).reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  const next = moves.filter(({ ts }) => ts >= before).toSorted((left, right) => left.ts - right.ts)[0];
  // A time limit that passed meanwhile comes before the stop.
  if (kind !== 'bracket' || held.lte(LOT) || next?.leg !== 'stopLoss' || next.ts < down.to) return false;
  const sign = side === 'buy' ? 1 : -1;
  const beyond = (mid: number): number => (stop - mid) * sign;
  const last = prices.findLast(({ ts }) => ts <= before);
  const seen = prices.filter(({ ts }) => ts > before - LOOK_MS && ts <= down.from);
  const found = prices.filter(({ ts }) => ts >= down.to - LOOK_MS && ts <= next.ts);
  return (
    last !== undefined &&
    [last, ...seen].every(({ mid }) => beyond(mid) < -CLEAR) &&
    found.length > 0 &&
    found.every(({ mid }) => beyond(mid) > CLEAR)
  );
}
