/**
 * What must hold, judged from what a client that shares no code with tidewire's reads at the exchange and from the rows of
 * the journal (reliability §3.1, §3.2): no intent twice at the exchange, no order unknown to the journal, nothing that
 * was sent lost, every fill booked once and none invented, position = Σ fills, the same open orders, nothing unresolved.
 */
import { readJournal, verifyJournal } from '../../../src/journal/verify.ts';
import { intentIdOf } from '../../../src/spine/intent-id.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec, type Decimal, ZERO } from '../../../src/model/numbers/money.ts';
import { sessionState } from '../../../src/session/upkeep/session-state.ts';
import type { SessionFolder } from '../../../src/session/store/store.ts';
import type { Truth, VenueTrade } from './exchange.ts';

export interface Verdict {
  readonly ordersSent: number;
  readonly ordersAtExchange: number;
  readonly fills: number;
  /** At the exchange and unknown to the journal, or sent and without a fate. */
  readonly lost: number;
  /** One intent, more than one order. */
  readonly doubled: number;
  /** What is wrong now. Right after a death some of it may still be healed. */
  readonly problems: readonly string[];
  /** What nothing can heal. */
  readonly fatal: readonly string[];
}

/** What the rows say of each intent that left. */
class Word {
  readonly sent = new Set<string>();
  /** Order id to intent. */
  readonly owners = new Map<string, string>();
  readonly fated = new Set<string>();
  readonly absent = new Set<string>();
  readonly trades: string[] = [];
  readonly adjustments: string[] = [];

  read(entry: JournalEntry, creates: Set<string>): void {
    if (entry.kind === 'intent' && entry.command === 'create') creates.add(entry.intentId);
    else if (entry.kind === 'sending' && creates.has(entry.intentId)) this.sent.add(entry.intentId);
    else if (entry.kind === 'order') this.#own(entry.report.orderId, entry.intentId);
    else if (entry.kind === 'fill') {
      this.#own(entry.fill.orderId, entry.intentId);
      this.trades.push(entry.fill.tradeId);
    } else if (entry.kind === 'closed') {
      this.fated.add(entry.intentId);
      if (entry.state === 'never_arrived') this.absent.add(entry.intentId);
    } else if (entry.kind === 'outcome' && entry.outcome.kind !== 'unknown') {
      this.fated.add(entry.intentId);
      if (entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined)
        this.#own(entry.outcome.order.orderId, entry.intentId);
    } else if (entry.kind === 'adjustment' && entry.cause !== 'opening')
      this.adjustments.push(`${entry.name} ${entry.quantity}: ${entry.cause}`);
  }

  #own(orderId: string, intentId: string): void {
    this.fated.add(intentId);
    if (!this.owners.has(orderId)) this.owners.set(orderId, intentId);
  }
}

export function judge(folder: SessionFolder, { active, orders, trades }: Truth): Verdict {
  const word = new Word();
  const creates = new Set<string>();
  for (const { entry } of readJournal(folder.path)) word.read(entry, creates);
  const problems: string[] = [];
  const fatal: string[] = [];
  const perIntent = new Map<string, Set<string>>();
  let lost = 0;
  for (const { orderId, clientOrderId } of orders) {
    const intentId = intentIdOf(clientOrderId) ?? word.owners.get(orderId);
    if (intentId === undefined || !word.owners.has(orderId)) {
      problems.push(`order ${orderId} at the exchange is unknown to the journal`);
      lost++;
    }
    if (intentId === undefined) continue;
    if (!word.sent.has(intentId)) fatal.push(`${intentId} is at the exchange without a SENDING row`);
    if (word.absent.has(intentId)) fatal.push(`${intentId} was proved absent and is at the exchange`);
    perIntent.set(intentId, (perIntent.get(intentId) ?? new Set()).add(orderId));
  }
  const doubles = [...perIntent].filter(([, ids]) => ids.size > 1);
  for (const [intentId, ids] of doubles) fatal.push(`${intentId} is ${ids.size} times at the exchange`);
  for (const intentId of word.sent) {
    if (word.fated.has(intentId) || perIntent.has(intentId)) continue;
    problems.push(`${intentId} was sent and has no fate`);
    lost++;
  }
  judgeFills(word, trades, problems, fatal);
  judgeRest(folder, active, trades, word, problems);
  return {
    ordersSent: word.sent.size,
    ordersAtExchange: new Set(orders.map(({ orderId }) => orderId)).size,
    fills: word.trades.length,
    lost,
    doubled: doubles.length,
    problems: [...problems, ...fatal],
    fatal,
  };
}

function judgeFills(word: Word, trades: readonly VenueTrade[], problems: string[], fatal: string[]): void {
  const booked = new Set(word.trades);
  const real = new Set(trades.map(({ tradeId }) => tradeId));
  if (booked.size !== word.trades.length) fatal.push('a fill is booked twice');
  for (const tradeId of booked) if (!real.has(tradeId)) fatal.push(`trade ${tradeId} is booked and did not happen`);
  for (const tradeId of real) if (!booked.has(tradeId)) problems.push(`trade ${tradeId} is not booked`);
  for (const adjustment of word.adjustments) fatal.push(`adjusted instead of booked: ${adjustment}`);
}

function judgeRest(
  folder: SessionFolder,
  active: Truth['active'],
  trades: readonly VenueTrade[],
  word: Word,
  problems: string[],
): void {
  const state = sessionState(folder);
  if (state.unresolved > 0) problems.push(`${state.unresolved} unresolved`);
  const here = state.openOrders.map(({ orderId, ref }) => orderId ?? ref).toSorted();
  const there = active.map(({ orderId }) => orderId).toSorted();
  if (here.join() !== there.join()) problems.push(`open here ${here.join()}; open there ${there.join()}`);
  const position = state.positions.reduce((sum, { quantity }) => sum.plus(quantity), dec(0));
  const booked = new Set(word.trades);
  const fromFills = sumOf(trades.filter(({ tradeId }) => booked.has(tradeId)));
  if (!position.eq(fromFills)) problems.push(`position ${position.toFixed()} is not Σ fills ${fromFills.toFixed()}`);
  if (state.killed !== null) problems.push(`killed: ${state.killed}`);
}

function sumOf(trades: readonly VenueTrade[]): Decimal {
  return trades.reduce((sum, { side, quantity, fee, feeCurrency }) => {
    const moved = side === 'buy' ? dec(quantity) : dec(quantity).neg();
    return sum.plus(feeCurrency === 'BTC' ? moved.minus(fee) : moved);
  }, ZERO);
}

/** Right after a death, before anybody mends anything. */
export function chainProblems(folder: SessionFolder): readonly string[] {
  const report = verifyJournal(folder.path);
  return report.ok ? [] : [`the journal is broken at ${report.brokenAt}: ${report.problem}`];
}
