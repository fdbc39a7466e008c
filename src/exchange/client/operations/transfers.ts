/**
 * Transfers between own accounts and the transaction history over REST. Routes are listed before a transfer is made
 * (interface, "Transfers"); the history is also where an unknown outcome of any money operation is looked up.
 */
import type { AccountType } from '../../../model/account.ts';
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import type { TransactionStatus, TransactionType } from '../../interface/states.ts';
import { transactionSchema, transferRouteSchema, transferSchema } from '../../wire/transfers.ts';
import type { TransactionRow, Transfer, TransferRoute } from '../../../model/money-records.ts';
import { decodePage } from '../../wire/body.ts';
import type { Query } from '../prepare-request.ts';
import { readBy, readList, type Answer } from './answer.ts';
import { checkedAmount, sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';
import { readPages } from './pages.ts';

export interface TransferRequest {
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  /** Decimal text above zero. */
  readonly amount: string;
}

export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  /** Unix ms on creation time, inclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface TransactionPageRequest extends TransactionFilter {
  /** 1 to 1000. */
  readonly limit: number;
  /** Where the last page ended; the first page without. */
  readonly cursor?: string;
}

export interface TransactionPage {
  readonly items: readonly TransactionRow[];
  /** Null: there is none to go on with. */
  readonly nextCursor: string | null;
  /** False also where the page is full and the answer says nothing of further ones. */
  readonly isLast: boolean;
}

/** Whole ms that lose nothing. */
function queryOf({ type, status, from, to }: TransactionFilter): Query {
  return {
    type,
    status,
    from: from === undefined ? undefined : Math.floor(from),
    to: to === undefined ? undefined : Math.ceil(to),
  };
}

export interface TransferOperations {
  routes(): Promise<Answer<readonly TransferRoute[]>>;
  /** Refusals: `route_not_available`, `insufficient_balance`, `below_minimum`. */
  transfer(request: TransferRequest, dispatch: Dispatch, done: OnMoneyOutcome<Transfer>): void;
  /** Every matching transaction, newest first; pages to the end. */
  transactions(filter: TransactionFilter): Promise<Reading<TransactionRow>>;
  /** One page of them. */
  transactionPage(request: TransactionPageRequest): Promise<Answer<TransactionPage>>;
}

export function createTransferOperations(ports: MoneyPorts, lane: Lane): TransferOperations {
  const { http, clock } = ports;
  return Object.freeze({
    routes: () => readList(http, { endpoint: 'transferRoutes', lane }, transferRouteSchema),
    transfer(
      { from, to, currency, amount: asked }: TransferRequest,
      dispatch: Dispatch,
      done: OnMoneyOutcome<Transfer>,
    ) {
      const { amount, invalid } = checkedAmount(asked);
      const body = { from, to, currency, amount };
      sendMoney(ports, { endpoint: 'transfer', body, schema: transferSchema, repeats: body, invalid }, dispatch, done);
    },
    transactions: (filter: TransactionFilter) =>
      readPages(
        http,
        clock,
        { endpoint: 'transactions', lane, query: queryOf(filter), paged: true },
        transactionSchema,
      ),
    async transactionPage({ limit, cursor, ...filter }: TransactionPageRequest): Promise<Answer<TransactionPage>> {
      const request = { endpoint: 'transactions', lane, query: { ...queryOf(filter), limit, cursor } } as const;
      const page = await readBy(http, request, (json) => decodePage(transactionSchema, 'transactions', json));
      if (page.kind === 'failed') return page;
      const { items, nextCursor } = page.value;
      const isLast = nextCursor === null || (nextCursor === undefined && items.length < limit);
      return { kind: 'value', value: { items, nextCursor: nextCursor ?? null, isLast } };
    },
  });
}
