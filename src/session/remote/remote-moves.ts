/**
 * Money movements that a session accepts as a command: one row per kind. Kinds that can take money out of the account,
 * or make a public offer, have none.
 */
import type { MoneyKind, MoneyRequest } from '../../model/funds/money-commands.ts';

export type RemoteMoveKind =
  | 'transfer'
  | 'codeRedeem'
  | 'overdraftPay'
  | 'fiatDelete'
  | 'startTrade'
  | 'payTrade'
  | 'disputeTrade'
  | 'cancelWithdrawal'
  | 'deactivateAdvertisement'
  | 'deleteAdvertisement'
  | 'cancelTrade';
export type RemoteMove = MoneyRequest<RemoteMoveKind>;

/** What the human confirms; null: it takes an offer or a payment back and needs no second step. */
type Rows = { readonly [K in RemoteMoveKind]: ((request: MoneyRequest<K>) => string) | null };

const rows: Rows = {
  transfer: ({ amount, currency, from, to }) => `move ${amount} ${currency} from ${from} to ${to}`,
  codeRedeem: () => 'redeem a code, whose money goes to the account funding',
  overdraftPay: ({ amount }) => `repay ${amount} of what is borrowed`,
  fiatDelete: ({ applicationId }) => `delete the fiat application ${applicationId}`,
  startTrade: ({ tradeId }) => `start the P2P trade ${tradeId}`,
  payTrade: ({ tradeId }) => `say that the P2P trade ${tradeId} was paid`,
  disputeTrade: ({ tradeId }) => `open an appeal about the P2P trade ${tradeId}`,
  cancelWithdrawal: null,
  deactivateAdvertisement: null,
  deleteAdvertisement: null,
  cancelTrade: null,
};

/** Null: not available as a command. `none`: it only withdraws. */
export function confirmationOfMove(kind: MoneyKind): 'two-step' | 'none' | null {
  const all: { readonly [K in MoneyKind]?: unknown } = rows;
  const row = all[kind];
  if (row === undefined) return null;
  return row === null ? 'none' : 'two-step';
}

/** For who confirms it. */
export function risksOfMove(move: RemoteMove): string | null {
  const row = rows[move.kind] as ((request: RemoteMove) => string) | null;
  return row === null ? null : row(move);
}
