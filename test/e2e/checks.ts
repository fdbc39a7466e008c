/**
 * What must hold in the end of every scenario, judged from the exchange's own books and the journal alone (reliability
 * §3.1, §3.2): no intent twice at the exchange, every fill booked once and none invented, position = Σ fills, the same
 * open orders on both sides, nothing unresolved, and a journal whose replay is the live state.
 */
import { verifyJournal } from '../../src/journal/verify.ts';
import { intentIdOf } from '../../src/spine/intent-id.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { SYMBOL, TAGS, until, type Stack } from './live-stack.ts';

export interface CheckOptions {
  /** Orders of the account that the stack did not send. */
  readonly foreign?: readonly string[];
  /** Alarms that the scenario is expected to raise, as beginnings. */
  readonly alarms?: readonly string[];
}

/** What is wrong now; empty when everything holds. */
export function problemsOf(stack: Stack, options: CheckOptions = {}): readonly string[] {
  const { world, executor } = stack;
  const foreign = new Set(options.foreign ?? []);
  const problems: string[] = [...stack.violations];
  const rows = stack.rows();
  const owners = new Map<string, string>();
  const sent = new Set<string>();
  const booked: string[] = [];
  for (const { entry } of rows) {
    if (entry.kind === 'sending') sent.add(entry.intentId);
    if (entry.kind === 'order') owners.set(entry.report.orderId, entry.intentId);
    if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined) {
      if (!owners.has(entry.outcome.order.orderId)) owners.set(entry.outcome.order.orderId, entry.intentId);
    }
    if (entry.kind === 'fill') {
      owners.set(entry.fill.orderId, entry.intentId);
      booked.push(entry.fill.tradeId);
    }
  }
  const perIntent = new Map<string, string>();
  for (const { orderId, order } of world.alice.orders) {
    if (foreign.has(orderId)) continue;
    const intentId = intentIdOf(order.clientOrderId) ?? owners.get(orderId);
    if (intentId === undefined) {
      problems.push(`order ${orderId} at the exchange belongs to no intent`);
      continue;
    }
    if (perIntent.has(intentId)) problems.push(`intent ${intentId} is twice at the exchange`);
    if (!sent.has(intentId)) problems.push(`intent ${intentId} is at the exchange without a SENDING row`);
    perIntent.set(intentId, orderId);
  }
  const real = world.alice.trades.filter(({ orderId }) => !foreign.has(orderId));
  const booksOnce = new Set(booked);
  if (booksOnce.size !== booked.length) problems.push('a fill is booked twice');
  for (const { tradeId } of real) if (!booksOnce.has(tradeId)) problems.push(`trade ${tradeId} is not booked`);
  if (booksOnce.size > real.length) problems.push('a fill is booked that the exchange does not know');
  let venuePosition = dec(0);
  for (const { side, quantity, fee, feeCurrency } of real) {
    venuePosition = side === 'buy' ? venuePosition.plus(quantity) : venuePosition.minus(quantity);
    if (feeCurrency === 'BTC') venuePosition = venuePosition.minus(fee);
  }
  let position = dec(0);
  for (const tag of TAGS) position = position.plus(executor.account(tag).position(SYMBOL).quantity);
  if (!position.eq(venuePosition))
    problems.push(`position ${position.toFixed()} instead of ${venuePosition.toFixed()}`);
  const local = TAGS.flatMap((tag) =>
    executor
      .account(tag)
      .openOrders()
      .map(({ orderId, ref }) => orderId ?? ref),
  ).sort();
  const active = [...world.alice.active.keys()].filter((orderId) => !foreign.has(orderId)).sort();
  if (local.join() !== active.join()) problems.push(`open here: ${local.join()}, open there: ${active.join()}`);
  if (executor.unresolvedCount() !== 0) problems.push(`${executor.unresolvedCount()} unresolved`);
  const total = executor.account('maker').balance('BTC').total;
  const told = world.sandbox.sandbox.exchange.identity.userByLogin('alice')?.trader.wallet;
  if (told !== undefined) {
    const row = told.pocket('BTC').row();
    if (!dec(row.total).eq(total)) problems.push(`balance ${total} BTC instead of ${row.total}`);
  }
  for (const alarm of stack.alarms()) {
    if (!(options.alarms ?? []).some((expected) => alarm.startsWith(expected))) problems.push(`alarm ${alarm}`);
  }
  return problems;
}

/** Waits until everything holds, then ends the stack and checks that the journal replays into the live state. */
export async function settled(stack: Stack, dir: string, options: CheckOptions = {}, withinMs = 20_000): Promise<void> {
  await until(
    () => problemsOf(stack, options).length === 0 && stack.ready,
    () =>
      `${problemsOf(stack, options).join('; ') || 'nothing wrong'}; gate ${JSON.stringify(stack.reconciler.gate.closedBecause(SYMBOL))}\n${stack.states().slice(-30).join('\n')}`,
    withinMs,
  );
  // It must stay so: balances and positions are judged by what several readings in a row say.
  for (let run = 0; run < 4; run++) await stack.reconciler.runNow();
  await until(
    () => problemsOf(stack, options).length === 0 && stack.ready,
    () =>
      `after settling: ${problemsOf(stack, options).join('; ')} ${JSON.stringify(stack.reconciler.gate.closedBecause(SYMBOL))}`,
  );
  // In one instant: a comparison that is under way may still write.
  const live = stateHash(stack.executor.state);
  const replayed = stateHash(replayRows(stack.rows()).state);
  await stack.stop();
  if (replayed !== live) throw new Error('the replay of the journal is not the live state');
  const report = verifyJournal(dir);
  if (!report.ok) throw new Error(`the journal is broken: ${report.problem}`);
}
