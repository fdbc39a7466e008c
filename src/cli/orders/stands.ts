/**
 * A create answer that says an order has ended is one word, and its own row is another: both must agree before it is
 * said.
 */
import { dec } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import { refusedWith } from '../../operations/exchange/answers.ts';
import type { CliIo } from '../command.ts';
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
  /** It was asked to rest. */
  readonly rests: boolean;
}

function stateText({ status, filledQuantity }: OrderReport): string {
  return `${status}, with ${filledQuantity} filled`;
}

/** Throws `operation_contradicted`, or `operation_refused` where the order did not come to stand. */
export async function requireStands(io: CliIo, open: OpenExchange, { what, area, report, rests }: Said): Promise<void> {
  if (isLive(report)) return;
  const { orderId, status, filledQuantity, reason } = report;
  const agrees = (row: OrderReport): boolean => !isLive(row) && dec(row.filledQuantity).eq(filledQuantity);
  const row = await lookUntil(open, agrees, async () => {
    const answer = await open.exchange.orders.one(orderId);
    return answer.kind === 'value' ? answer.value : null;
  });
  if (row === null || !agrees(row)) {
    const look = `see \`tidewire ${area} orders --id ${orderId}\``;
    // That something happened is believed.
    if (row === null && !dec(filledQuantity).isZero()) {
      io.err(`note: what is shown of order ${orderId} could not be read; ${look}\n`);
      return;
    }
    const seen = row === null ? 'what is shown of it could not be read' : `is shown as ${stateText(row)}`;
    const message = `order ${orderId} was answered as ${stateText(report)}, and ${seen}; ${look}, and cancel it with \`tidewire ${area} cancel ${orderId}\``;
    throw contradicted(what, orderId, message);
  }
  if (status !== 'rejected' && !(rests && (status === 'canceled' || status === 'expired'))) return;
  const why = reason === undefined ? '' : ` (${reason})`;
  throw refusedWith(what, `order ${orderId} is ${status}${why}, with ${filledQuantity} filled`, status, undefined);
}
