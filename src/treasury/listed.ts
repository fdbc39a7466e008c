/** Lists of the exchange that show what became of a money command, and the ids of their rows. */
import type { Balance, VenuePosition } from '../model/trading/account.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { CodeRow, TransactionRow } from '../model/funds/money-records.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Advertisement, P2pTrade } from '../model/funds/p2p.ts';

export interface Listed {
  readonly balances: Balance;
  readonly transactions: TransactionRow;
  readonly codes: CodeRow;
  readonly advertisements: Advertisement;
  readonly trades: P2pTrade;
  /** Orders of perpetuals, like the next two. */
  readonly orders: OrderReport;
  readonly fills: VenueFill;
  readonly positions: VenuePosition;
  readonly spotOrders: OrderReport;
  readonly spotFills: VenueFill;
}

export type ReadingName = keyof Listed;

/** Lists whose rows have a status. */
export type ListName = 'transactions' | 'codes' | 'advertisements' | 'trades';

const ids: { readonly [N in ListName]: (row: Listed[N]) => string } = {
  transactions: ({ transactionId }) => transactionId,
  codes: ({ codeId }) => codeId,
  advertisements: ({ advertisementId }) => advertisementId,
  trades: ({ tradeId }) => tradeId,
};

export const listNames = Object.keys(ids) as readonly ListName[];

export function idOf<N extends ListName>(list: N, row: Listed[N]): string {
  return ids[list](row);
}
