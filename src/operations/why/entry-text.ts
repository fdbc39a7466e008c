/** A journal row as a sentence, for `why` and `why-not`. */
import { correctedTradeId, isFeeCorrection } from '../../model/trading/fee-correction.ts';
import { isContradictedId } from '../../spine/external-keys.ts';
import type { DividedEntry } from '../../model/entries/human-entries.ts';
import type { CreateIntentEntry, JournalEntry, SessionEntry, Source } from '../../model/entries/journal.ts';
import type { WithheldEntry } from '../../model/entries/risk-entries.ts';
import type { Json } from '../../model/text/json.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Outcome } from '../../model/result.ts';
import { moneyEntryText } from './money-entry-text.ts';
import { programEntryText } from './program-entry-text.ts';

export function entryText(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'decision':
      return `${entry.strategy} decided: ${actionText(entry.action)}`;
    case 'quote-set':
      return `${entry.strategy} wants quotes in ${entry.symbol}: bids ${legsText(entry.bids)}, asks ${legsText(entry.asks)}`;
    case 'intent':
      return entry.command === 'create'
        ? `intent ${entry.intentId}: ${orderText(entry)}`
        : `cancel intended (${entry.intentId}) of ${(entry.refs ?? [entry.ref ?? entry.targets.join(', ')]).join(', ')}`;
    case 'sending':
      return 'SENDING is durable; bytes may leave';
    case 'outcome':
      return outcomeText(entry.outcome);
    case 'order':
      return `${reportText(entry.report)} (${sourceText(entry.source)})`;
    case 'fill': {
      const { quantity, price, fee, feeCurrency, liquidity, tradeId } = entry.fill;
      if (isFeeCorrection(entry.fill))
        return `the fee of trade ${correctedTradeId(tradeId)} is listed as ${fee} ${feeCurrency} more than was booked`;
      return `fill ${tradeId}: ${quantity} at ${price} as ${liquidity}, fee ${fee} ${feeCurrency} (${sourceText(entry.source)})`;
    }
    case 'flatten':
      return entry.on
        ? `${entry.strategy} begins to close its position in ${entry.symbol}`
        : `${entry.strategy} has closed its position in ${entry.symbol}`;
    case 'stop':
      return `${entry.strategy} is to end by its policy "${entry.policy}"`;
    case 'cancel-wanted':
      return 'it is cancelled as soon as the exchange has reported its id';
    case 'absent':
      return 'a complete poll shows no trace of it; a second one will show that it never arrived';
    case 'closed':
      return `closed here as ${entry.state}: ${entry.message}`;
    case 'denial':
      return `${entry.action} denied, ${entry.reason}: ${entry.message}`;
    case 'correction':
      return `corrected from ${entry.from} to ${entry.to}: ${entry.cause}`;
    case 'claimed':
      return `a human said that it is order ${entry.orderId}: ${entry.reason}`;
    case 'disowned':
      return `a human said that order ${entry.orderId} is external: ${entry.reason}`;
    case 'liquidation':
      if (entry.fill.orderId === '')
        return `external trades closed ${entry.fill.quantity} ${entry.fill.symbol} of ${entry.strategy}, booked at ${entry.fill.price}`;
      return `the exchange liquidated ${entry.fill.quantity} ${entry.fill.symbol} of ${entry.strategy} at ${entry.fill.price} (order ${entry.fill.orderId})`;
    case 'contradicted':
      return `the list of own trades says ${entry.fill.quantity} at ${entry.fill.price} of trade ${entry.fill.tradeId}, booked as ${entry.booked.quantity} at ${entry.booked.price}: a human has to decide which is right`;
    case 'undivided':
      return `the exchange liquidated ${entry.fill.quantity} ${entry.fill.symbol} at ${entry.fill.price} (order ${entry.fill.orderId}), held by ${sharesText(entry.holders)}: a human has to attribute it`;
    case 'divided':
      if (isContradictedId(entry.id)) return `a human decided on ${entry.id}, ${entry.choice}: ${entry.reason}`;
      return `a human attributed ${entry.orderId === '' ? entry.id : `the liquidation of order ${entry.orderId}`} as ${entry.choice}: ${sharesText(entry.shares)}: ${entry.reason}`;
    case 'program':
      return programEntryText(entry);
    case 'money-intent':
    case 'money-sending':
    case 'money-outcome':
    case 'money-resolved':
      return moneyEntryText(entry);
    case 'alarm':
      return `alarm ${entry.code}: ${entry.message}`;
    case 'note':
      return `${entry.strategy} notes: ${entry.text}${entry.data === undefined ? '' : ` ${JSON.stringify(entry.data)}`}`;
    case 'session':
      return entry.event === 'start' ? startText(entry) : 'orderly stop';
    case 'snapshot':
      return `snapshot of the state after row ${entry.at}`;
    case 'used-before':
      return `${entry.strategy} continues with the refs, the transfers and the limits of the day of its last session`;
    case 'widened':
      return `the trial of ${entry.strategy} (version ${entry.version}) ended after ${entry.fills} fills: ${entry.reason}`;
    case 'protected':
      return `the position of ${entry.strategy} in ${entry.symbol} has an exit again, or is closed`;
    case 'withheld':
      return withheldText(entry);
    case 'pause':
      return `${entry.strategy} ${entry.on ? 'paused' : 'resumed'} by a human: ${entry.reason}`;
    case 'kill':
      return `kill switch ${entry.on ? 'on' : 'off'}: ${entry.reason}`;
    case 'gate':
      return `gate ${entry.gate}${entry.symbol === '' ? '' : ` of ${entry.symbol}`} ${entry.state}: ${entry.message}`;
    default:
      return entry.kind;
  }
}

function withheldText({ strategy, symbol, by, until }: WithheldEntry): string {
  const where = symbol === null ? '' : ` in ${symbol}`;
  const why = by === 'cooldown' ? 'a cooldown after a close' : 'outside its trading hours';
  return `${strategy} takes no new risk${where}${until === null ? '' : ` until ${new Date(until).toISOString()}`}: ${why}`;
}

function sharesText(shares: DividedEntry['shares']): string {
  return shares.length === 0 ? 'none' : shares.map(({ strategy, quantity }) => `${strategy} ${quantity}`).join(', ');
}

function startText({ boot, bootId, facts }: SessionEntry): string {
  const build = facts?.['build'];
  return `start ${boot} of a process (${bootId})${typeof build === 'string' ? `, build ${build}` : ''}`;
}

function legsText(legs: readonly (readonly [price: string, quantity: string])[]): string {
  return legs.length === 0 ? 'none' : legs.map(([price, quantity]) => `${quantity} at ${price}`).join(', ');
}

function actionText(action: Json): string {
  return JSON.stringify(action);
}

export function orderText({ order, postOnly, reduceOnly }: CreateIntentEntry): string {
  const { side, quantity, symbol, type, price, timeInForce } = order;
  const terms = [timeInForce, ...(postOnly ? ['post-only'] : []), ...(reduceOnly ? ['reduce-only'] : [])].join(', ');
  return `${side} ${quantity} ${symbol} ${price === null ? type : `at ${price}`} (${terms})`;
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.order === undefined ? 'accepted by the exchange' : `accepted: ${reportText(outcome.order)}`;
    case 'refused':
      return `refused by the exchange, ${outcome.code}: ${outcome.message}`;
    case 'unknown':
      return `its outcome is unknown: ${outcome.reason}; the risk stays reserved`;
    case 'not-sent':
      return `not sent: ${outcome.reason}`;
    case 'denied':
      return `denied before it left, ${outcome.denied.reason}: ${outcome.denied.message}`;
  }
}

function reportText({ orderId, status, filledQuantity, quantity, reason }: OrderReport): string {
  return `order ${orderId} is ${status}, ${filledQuantity} of ${quantity} filled${reason === undefined ? '' : ` (${reason})`}`;
}

function sourceText(source: Source): string {
  return source === 'stream' ? 'from the private stream' : 'found by the reconciler';
}
