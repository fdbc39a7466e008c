/** Transfers and the transaction history (interface, "Transfers"). */
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import type { TransactionStatus, TransactionType } from '../../interface/states.ts';
import { transactionSchema, transferRouteSchema } from '../../wire/money/transfers.ts';
import type { TransactionRow, TransferRoute } from '../../../model/funds/money-records.ts';
import { decodePage } from '../../wire/body.ts';
import type { Query } from '../prepare-request.ts';
import { readBy, readList, type Answer } from './answer.ts';
import type { MoneyPorts } from './money.ts';
import { readPages } from './pages.ts';

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
  readonly cursor?: string;
}

export interface TransactionPage {
  readonly items: readonly TransactionRow[];
  readonly nextCursor: string | null;
  readonly isLast: boolean;
}

/** Rounds outwards to whole ms. */
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
  /** Newest first. */
  transactions(filter: TransactionFilter): Promise<Reading<TransactionRow>>;
  transactionPage(request: TransactionPageRequest): Promise<Answer<TransactionPage>>;
}

export function createTransferOperations({ http, clock }: MoneyPorts, lane: Lane): TransferOperations {
  return Object.freeze({
    routes: () => readList(http, { endpoint: 'transferRoutes', lane }, transferRouteSchema),
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
