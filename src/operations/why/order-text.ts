/** The chain of `why ORDER` as lines. */
import type { Frame, MarketThen } from './market-then.ts';
import { orderText } from './entry-text.ts';
import { isMoneyDenial } from './movement-chain.ts';
import { riskLines } from './risk-text.ts';
import type { OrderChain, Step } from './order-chain.ts';
import type { WhyDenied, WhyOrder } from './why-order.ts';

const FRAME_CHARACTERS = 140;
const NO_ORDER = 'It never became an order: it was denied before one existed';

export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 60_000) return `${(ms / 60_000).toFixed(1)} min`;
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(2)} s` : `${ms.toFixed(ms >= 10 ? 0 : 2)} ms`;
}

export function deniedText(why: WhyDenied): string {
  const isMoney = why.denials.every(({ entry }) => isMoneyDenial(entry));
  const head = isMoney ? 'It was denied before anything was sent' : NO_ORDER;
  return [`${head} (${why.session}).`, ...denialLines(why)].join('\n');
}

export function denialLines({ denials }: WhyDenied): readonly string[] {
  return denials.flatMap(({ ts, seq, entry }) => {
    const { strategy, ref, action, symbol, reason, message, risk } = entry;
    const what = `  ${timeText(ts)}  row ${seq}  ${strategy} ${action} ${symbol ?? ''} ${ref ?? ''}: ${reason}, ${message}`;
    return [what, ...riskLines(risk, reason)];
  });
}

export function orderChainText(why: WhyOrder): string {
  const { chain, recorded, log } = why;
  return [
    headText(why),
    '',
    'The market when it was decided',
    ...(recorded.market === null ? [] : marketText(recorded.market)),
    ...recorded.problems.map((problem) => `  ! ${problem}`),
    '',
    'What stood then',
    ...stoodText(chain),
    '',
    'What happened',
    ...chain.steps.map(stepText),
    '',
    `How long it took: ${durationsText(chain)}`,
    ...section(
      'Frames of the private stream',
      recorded.ofOrder.map((frame) => frameText(frame)),
    ),
    ...section(
      'Lines of the log',
      log.map(({ ts, text }) => `  ${timeText(ts)}  ${text}`),
    ),
  ].join('\n');
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', head, ...lines];
}

function headText({ session, chain }: WhyOrder): string {
  const { order, intent, strategy, intentId, orderId, fees } = chain;
  const state =
    order === null ? 'no longer remembered' : `${order.state}, ${order.filledQuantity} of ${order.quantity} filled`;
  const average = order?.averagePrice === null || order === null ? '' : ` at ${order.averagePrice}`;
  const paid = Object.entries(fees).map(([currency, fee]) => `${fee} ${currency}`);
  const lines = [
    `${intent.ref} of ${strategy}: ${orderText(intent)}`,
    ...(chain.parent === null ? [] : [`  ${chain.leg ?? 'an order'} of the program ${chain.parent}`]),
    `  ${state}${average}${paid.length === 0 ? '' : `, fees ${paid.join(' and ')}`}`,
    `  intent ${intentId} · order of the exchange ${orderId ?? 'none'} · session ${session}`,
  ];
  return lines.join('\n');
}

export function marketText({ best, lastTrade, frames, ageMs, missing }: MarketThen): readonly string[] {
  const book =
    best === null
      ? '  no usable book'
      : `  bid ${best.bidQuantity} at ${best.bid}, ask ${best.askQuantity} at ${best.ask}; newest frame ${durationText(ageMs)} before`;
  return [
    book,
    ...(missing === null ? [] : [`  ! data was missing: ${missing}`]),
    ...(lastTrade === null
      ? []
      : [`  last trade ${lastTrade.quantity} at ${lastTrade.price}, ${timeText(lastTrade.receivedAt)}`]),
    ...frames.map((frame) => frameText(frame)),
  ];
}

function frameText({ receivedAt, text }: Frame): string {
  const cut = text.length > FRAME_CHARACTERS ? `${text.slice(0, FRAME_CHARACTERS)}…` : text;
  return `  ${timeText(receivedAt)}  ${cut}`;
}

function stoodText({ stood, steps, intent }: OrderChain): readonly string[] {
  const { symbol, position, workingBuys, workingSells, openOrders, accountOpenOrders, unresolved, killed } = stood;
  const sent = steps.some(({ kind }) => kind === 'sending');
  return [
    `  ${stood.strategy} in ${symbol}: position ${position}, working buys ${workingBuys}, working sells ${workingSells}, ${openOrders} orders`,
    `  account: ${accountOpenOrders} orders, ${unresolved} of unknown outcome, kill switch ${killed === null ? 'off' : `on (${killed})`}`,
    `  risk: passed every check before the intent${sent ? ', and gates, post-only and the kill switch again before its bytes left' : ''}`,
    ...riskLines(intent.risk, null),
  ];
}

export function stepText({ ts, afterMs, text, kind }: Omit<Step, 'kind'> & { readonly kind: string }): string {
  return `  ${timeText(ts)}  ${`+${durationText(afterMs)}`.padStart(10)}  ${kind.padEnd(10)} ${text}`;
}

function durationsText({ durations }: OrderChain): string {
  const { decisionToIntentMs, intentToSendingMs, sendingToAnswerMs, sendingToFirstFillMs, intentToClosedMs } =
    durations;
  return [
    `decision to intent ${durationText(decisionToIntentMs)}`,
    `to SENDING ${durationText(intentToSendingMs)}`,
    `to the answer ${durationText(sendingToAnswerMs)}`,
    `SENDING to the first fill ${durationText(sendingToFirstFillMs)}`,
    `intent to its end ${durationText(intentToClosedMs)}`,
  ].join(' · ');
}
