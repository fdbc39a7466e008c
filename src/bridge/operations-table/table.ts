/** Every operation of the exchange's interface, and what of it is none. */
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import type { OperationRow } from './operation-row.ts';
import { accountRows } from './rows/account.ts';
import { codeRows } from './rows/codes.ts';
import { keyRows } from './rows/keys.ts';
import { marketRows } from './rows/market.ts';
import { orderRows } from './rows/orders.ts';
import { overdraftRows } from './rows/overdraft.ts';
import { p2pRows } from './rows/p2p.ts';
import { positionRows } from './rows/positions.ts';
import { walletRows } from './rows/wallet.ts';

export const operations: readonly OperationRow[] = [
  ...marketRows,
  ...orderRows,
  ...positionRows,
  ...accountRows,
  ...walletRows,
  ...codeRows,
  ...overdraftRows,
  ...p2pRows,
  ...keyRows,
];

/** Endpoints that are no operation by themselves, with the reason. */
export const notOperations: Readonly<Partial<Record<EndpointName, string>>> = {
  login: 'a step of operations that are closed to API keys; asked for on the terminal',
};
