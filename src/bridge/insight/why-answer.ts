/** What `why` found, as the API shows it. Pure. */
import type { RiskFigure } from '../../model/trading/deny-reason.ts';
import type { RecordedThen } from '../../operations/why/market-then.ts';
import type { Step } from '../../operations/why/order-chain.ts';
import type { WhyAnswer, WhyMovement, WhyOrder, WhyProgram } from '../../operations/why/why-order.ts';
import { orderRowOf } from '../fleet/rows.ts';
import type { Why } from '../schemas/entries.ts';

export function whyAnswer(found: WhyAnswer): Why {
  if (found.kind === 'order') return orderOf(found);
  if (found.kind === 'program') return programOf(found);
  if (found.kind === 'movement') return movementOf(found);
  return {
    kind: 'denied',
    session: found.session,
    denials: found.denials.map(({ seq, ts, entry }) => ({
      seq,
      ts,
      strategy: entry.strategy,
      action: entry.action,
      reason: entry.reason,
      message: entry.message,
      symbol: entry.symbol ?? null,
      ref: entry.ref ?? null,
      risk: (entry.risk ?? []).map(figureOf),
    })),
  };
}

function figureOf([check, whose, value, limit]: RiskFigure): {
  check: string;
  whose: string;
  value: number;
  limit: number;
} {
  return { check, whose, value, limit };
}

function stepOf({ kind, seq, ts, afterMs, text }: Omit<Step, 'row' | 'kind'> & { readonly kind: string }) {
  return { kind, seq, ts, afterMs, text };
}

function orderOf({ session, chain, recorded, log }: WhyOrder): Why {
  const { intent, stood, order } = chain;
  const { position, workingBuys, workingSells, openOrders, accountOpenOrders, unresolved, killed } = stood;
  return {
    kind: 'order',
    session,
    ref: intent.ref,
    strategy: chain.strategy,
    symbol: intent.order.symbol,
    intentId: chain.intentId,
    clientOrderId: chain.clientOrderId,
    orderId: chain.orderId,
    parent: chain.parent,
    decidedAt: chain.decidedAt,
    lastAt: chain.lastAt,
    order: order === null ? null : orderRowOf(order, chain.strategy, chain.decidedAt),
    steps: chain.steps.map(stepOf),
    risk: (intent.risk ?? []).map(figureOf),
    stood: { position, workingBuys, workingSells, openOrders, accountOpenOrders, unresolved, killed },
    fees: { ...chain.fees },
    durations: { ...chain.durations },
    market: marketOf(recorded),
    frames: recorded.ofOrder.map(frameOf),
    log: [...log],
    problems: [...recorded.problems],
  };
}

function frameOf({ receivedAt, kind, text }: RecordedThen['ofOrder'][number]) {
  return { ts: receivedAt, kind, text };
}

function marketOf({ market }: RecordedThen): Extract<Why, { kind: 'order' }>['market'] {
  if (market === null) return null;
  const { best, lastTrade, ageMs, missing, frames } = market;
  return {
    bid: best?.bid ?? null,
    bidQuantity: best?.bidQuantity ?? null,
    ask: best?.ask ?? null,
    askQuantity: best?.askQuantity ?? null,
    lastPrice: lastTrade?.price ?? null,
    ageMs,
    missing,
    frames: frames.map(frameOf),
  };
}

function programOf({ session, chain }: WhyProgram): Why {
  const { tag: _, next, children, ...program } = chain.program;
  const { trigger, at } = next;
  const waits = { ...(trigger === undefined ? {} : { trigger }), ...(at === undefined ? {} : { at }) };
  return {
    kind: 'program',
    session,
    program: { ...program, children: [...children], next: waits },
    parameters: chain.parameters,
    steps: chain.steps.map(stepOf),
    children: chain.children.map((child) => ({ ...child })),
  };
}

function movementOf({ session, chain }: WhyMovement): Why {
  const { intentId, strategy, ref, request, state, receiptId, reason, decidedAt, lastAt, steps } = chain;
  const of = { intentId, strategy, ref, request: { ...request }, state, receiptId, reason, decidedAt, lastAt };
  return { kind: 'movement', session, ...of, steps: steps.map(stepOf) };
}
