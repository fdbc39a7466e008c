/**
 * A create answer that says an order has ended is one word, and its own row is another: both must agree before it is
 * said.
 */
import { dec } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import { refusedWith } from '../../operations/exchange/answers.ts';
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { lookUntil } from '../operations/look-until.ts';
import type { OpenExchange } from '../operations/open-exchange.ts';
import { contradicted } from '../operations/outcome.ts';
import { isLive } from './list.ts';
import type { OrderMarket } from './market.ts';

export interface Said {
  /** For messages: "the order". */
  readonly what: string;
  readonly area: OrderMarket['area'];
  readonly report: OrderReport;
  /** `part`: an order that may trade in part, or not at all. */
  readonly asked: 'rest' | 'trade whole' | 'part';
}

export function askedOf({ type, timeInForce }: Pick<OrderReport, 'type' | 'timeInForce'>): Said['asked'] {
  if (type === 'market') return 'trade whole';
  return timeInForce === 'gtc' ? 'rest' : 'part';
}

function stateText({ status, filledQuantity }: OrderReport): string {
  return `${status}, with ${filledQuantity} filled`;
}

/** Throws `operation_contradicted`, `operation_refused` for an order that did not come to stand, or `order_unfilled`. */
export async function requireStands(io: CliIo, open: OpenExchange, { what, area, report, asked }: Said): Promise<void> {
  if (isLive(report)) return;
  const { orderId, status, quantity, filledQuantity, reason } = report;
  const agrees = (row: OrderReport): boolean => !isLive(row) && dec(row.filledQuantity).eq(filledQuantity);
  let isUnheardOf = false;
  const row = await lookUntil(open, agrees, async () => {
    const answer = await open.exchange.orders.one(orderId);
    isUnheardOf = answer.kind !== 'value' && answer.error.details['code'] === 'unknown_order';
    return answer.kind === 'value' ? answer.value : null;
  });
  if (row === null || !agrees(row)) {
    const look = `see \`tidewire ${area} orders --id ${orderId}\``;
    // That something happened is believed, unless the exchange knows no such order.
    if (row === null && !isUnheardOf && !dec(filledQuantity).isZero()) {
      io.err(`note: what is shown of order ${orderId} could not be read; ${look}\n`);
      return;
    }
    const missing = isUnheardOf ? 'the exchange knows no such order' : 'what is shown of it could not be read';
    const seen = row === null ? missing : `is shown as ${stateText(row)}`;
    const message = `order ${orderId} was answered as ${stateText(report)}, and ${seen}; ${look}, and cancel it with \`tidewire ${area} cancel ${orderId}\``;
    throw contradicted(what, orderId, message);
  }
  const why = reason === undefined ? '' : ` (${reason})`;
  const ended = `order ${orderId} is ${status}${why}, with ${filledQuantity}`;
  const isShort = status === 'canceled' || status === 'expired';
  if (status === 'rejected' || (asked === 'rest' && isShort))
    throw refusedWith(what, `${ended} filled`, status, undefined);
  if (asked === 'trade whole' && isShort)
    throw cliErrors.make('order_unfilled', `${ended} of ${quantity} filled`, { operation: what, ...report });
}
