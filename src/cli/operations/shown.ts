/** An answer is one word, and what the exchange shows is another: both must agree before it is said. */
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { MoneyRequest } from '../../model/funds/money-commands.ts';
import { itemsOf } from '../../model/result.ts';
import { isCancellation } from '../../spine/money/kinds.ts';
import { statesAfter } from '../../treasury/proofs.ts';
import { lookUntil } from './look-until.ts';
import type { OpenExchange } from './open-exchange.ts';
import { contradicted } from './outcome.ts';

interface Row {
  readonly status: string;
}

export interface Word extends Row {
  /** For messages: "the cancellation". */
  readonly what: string;
  /** Of what it was answered: "withdrawal". */
  readonly noun: string;
  readonly id: string;
  /** That agree with the answer. */
  readonly states: readonly string[];
  /** Where a human looks: "see …". */
  readonly look: string;
}

/** Throws `operation_contradicted` where answer or row are in another state. `read`: null where it is not shown. */
export async function requireShown(
  open: OpenExchange,
  { what, noun, id, status, states, look }: Word,
  read: () => Promise<Row | null>,
): Promise<void> {
  const isSo = (row: Row): boolean => states.includes(row.status);
  const row = await lookUntil(open, isSo, read);
  if (row !== null && isSo(row) && states.includes(status)) return;
  const shown = row === null ? 'does not show it' : `shows it as ${row.status}`;
  throw contradicted(what, id, `${noun} ${id} was answered as ${status}, and the exchange ${shown}; ${look}`);
}

/** A withdrawal or a fiat application. */
export async function transactionRow({ exchange }: OpenExchange, id: string): Promise<Row | null> {
  for (const type of ['withdrawal', 'deposit'] as const) {
    const rows = itemsOf(await exchange.money.transfers.transactions({ type }));
    const row = rows.find(({ transactionId }) => transactionId === id);
    if (row !== undefined) return row;
  }
  return null;
}

/** What was deleted need not be shown any more. */
function rowOf(answer: Answer<Row>, gone: Row | null): Row | null {
  if (answer.kind === 'value') return answer.value;
  return answer.error.details['code'] === 'not_found' ? gone : null;
}

/** Requires the own row of what a step was made with to show it. `request`: any; others than steps pass. */
export async function requireStep(
  open: OpenExchange,
  { request, what, look }: { readonly request: MoneyRequest; readonly what: string; readonly look: string },
  answer: object,
): Promise<void> {
  const states = statesAfter(request.kind);
  if (states === null || !('status' in answer) || typeof answer.status !== 'string') return;
  const word = { what, look, states, status: answer.status };
  const { p2p } = open.exchange.money;
  const [state = ''] = states;
  const gone = isCancellation(request) ? { status: state } : null;
  if ('tradeId' in request) {
    const { tradeId: id } = request;
    await requireShown(open, { ...word, noun: 'trade', id }, async () => rowOf(await p2p.trade(id), gone));
  } else if ('advertisementId' in request) {
    const { advertisementId: id } = request;
    const read = async (): Promise<Row | null> => rowOf(await p2p.advertisement(id), gone);
    await requireShown(open, { ...word, noun: 'advertisement', id }, read);
  } else if ('applicationId' in request) {
    const { applicationId: id } = request;
    await requireShown(open, { ...word, noun: 'application', id }, () => transactionRow(open, id));
  } else if ('transactionId' in request) {
    const { transactionId: id } = request;
    await requireShown(open, { ...word, noun: 'withdrawal', id }, () => transactionRow(open, id));
  }
}
