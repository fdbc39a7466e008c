/**
 * States and transitions of money operations (interface, "States and transitions"). The sandbox refuses others with
 * `illegal_transition`.
 */
import type { Provenance } from './endpoint-row.ts';

/** Documented for fiat applications, assumed for other transactions. */
export const transactionStatuses = [
  'created',
  'submitted',
  'processing',
  'rejected',
  'failed',
  'canceled',
  'completed',
] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** Assumed. */
export const transactionTypes = [
  'deposit',
  'withdrawal',
  'transfer',
  'code_create',
  'code_redeem',
  'trade_fee',
  'funding',
  'overdraft_interest',
  'overdraft_repayment',
  'p2p',
  'referral',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const fiatApplicationTypes = ['deposit', 'withdrawal'] as const;
export type FiatApplicationType = (typeof fiatApplicationTypes)[number];

export const codeStatuses = ['active', 'activated'] as const;
export type CodeStatus = (typeof codeStatuses)[number];

export interface TransitionRow<State extends string, Trigger extends string> {
  /** Null: before creation. */
  readonly from: State | null;
  readonly trigger: Trigger;
  readonly to: State;
  readonly provenance: Provenance;
}

export type FiatTrigger = 'create' | 'submit' | 'confirm' | 'delete' | 'take' | 'reject' | 'fail' | 'complete';

/** `take`, `reject`, `fail`, `complete`: by the staff. */
// prettier-ignore
export const fiatTransitions: readonly TransitionRow<TransactionStatus, FiatTrigger>[] = [
  { from: null, trigger: 'create', to: 'created', provenance: 'documented' },
  { from: null, trigger: 'submit', to: 'submitted', provenance: 'documented' },
  { from: 'created', trigger: 'confirm', to: 'submitted', provenance: 'documented' },
  { from: 'created', trigger: 'delete', to: 'canceled', provenance: 'assumed' },
  { from: 'submitted', trigger: 'delete', to: 'canceled', provenance: 'assumed' },
  { from: 'submitted', trigger: 'take', to: 'processing', provenance: 'assumed' },
  { from: 'processing', trigger: 'reject', to: 'rejected', provenance: 'assumed' },
  { from: 'processing', trigger: 'fail', to: 'failed', provenance: 'assumed' },
  { from: 'processing', trigger: 'complete', to: 'completed', provenance: 'assumed' },
];

export type WithdrawalTrigger = 'submit' | 'cancel' | 'take' | 'fail' | 'complete';

// prettier-ignore
export const withdrawalTransitions: readonly TransitionRow<TransactionStatus, WithdrawalTrigger>[] = [
  { from: null, trigger: 'submit', to: 'submitted', provenance: 'assumed' },
  { from: 'submitted', trigger: 'cancel', to: 'canceled', provenance: 'assumed' },
  { from: 'submitted', trigger: 'take', to: 'processing', provenance: 'assumed' },
  { from: 'processing', trigger: 'fail', to: 'failed', provenance: 'assumed' },
  { from: 'processing', trigger: 'complete', to: 'completed', provenance: 'assumed' },
];

/** Documented (interface, "Advertisement" under States). */
export const advertisementStatuses = ['active', 'deactivated', 'canceled', 'completed'] as const;
export type AdvertisementStatus = (typeof advertisementStatuses)[number];

export type AdvertisementTrigger = 'create' | 'activate' | 'deactivate' | 'delete' | 'sell-out';

/** `sell-out`: no liquidity is left. */
// prettier-ignore
export const advertisementTransitions: readonly TransitionRow<AdvertisementStatus, AdvertisementTrigger>[] = [
  { from: null, trigger: 'create', to: 'active', provenance: 'assumed' },
  { from: 'active', trigger: 'deactivate', to: 'deactivated', provenance: 'documented' },
  { from: 'deactivated', trigger: 'activate', to: 'active', provenance: 'documented' },
  { from: 'active', trigger: 'delete', to: 'canceled', provenance: 'documented' },
  { from: 'deactivated', trigger: 'delete', to: 'canceled', provenance: 'documented' },
  { from: 'active', trigger: 'sell-out', to: 'completed', provenance: 'documented' },
  { from: 'deactivated', trigger: 'sell-out', to: 'completed', provenance: 'assumed' },
];

/** Documented (interface, "P2P trade"). */
export const p2pTradeStatuses = [
  'open:wait-confirm',
  'open',
  'send-payment-document',
  'dispute:open',
  'complete',
  'cancel',
] as const;
export type P2pTradeStatus = (typeof p2pTradeStatuses)[number];

export type P2pTradeTrigger =
  | 'respond'
  | 'start'
  | 'expire'
  | 'pay'
  | 'cancel'
  | 'confirm'
  | 'dispute'
  | 'resolve-complete'
  | 'resolve-cancel';

/** `expire`: clock; `resolve-…`: arbiter. After payment nobody may cancel. */
// prettier-ignore
export const p2pTradeTransitions: readonly TransitionRow<P2pTradeStatus, P2pTradeTrigger>[] = [
  { from: null, trigger: 'respond', to: 'open:wait-confirm', provenance: 'assumed' },
  { from: 'open:wait-confirm', trigger: 'start', to: 'open', provenance: 'documented' },
  { from: 'open:wait-confirm', trigger: 'expire', to: 'cancel', provenance: 'documented' },
  { from: 'open:wait-confirm', trigger: 'cancel', to: 'cancel', provenance: 'assumed' },
  { from: 'open', trigger: 'pay', to: 'send-payment-document', provenance: 'documented' },
  { from: 'open', trigger: 'cancel', to: 'cancel', provenance: 'assumed' },
  { from: 'send-payment-document', trigger: 'confirm', to: 'complete', provenance: 'assumed' },
  { from: 'send-payment-document', trigger: 'dispute', to: 'dispute:open', provenance: 'documented' },
  { from: 'dispute:open', trigger: 'confirm', to: 'complete', provenance: 'assumed' },
  { from: 'dispute:open', trigger: 'resolve-complete', to: 'complete', provenance: 'documented' },
  { from: 'dispute:open', trigger: 'resolve-cancel', to: 'cancel', provenance: 'documented' },
];

/** Undefined when not allowed. */
export function nextState<State extends string, Trigger extends string>(
  rows: readonly TransitionRow<State, Trigger>[],
  from: State | null,
  trigger: Trigger,
): State | undefined {
  return rows.find((row) => row.from === from && row.trigger === trigger)?.to;
}

/** Throws a `RangeError` when not allowed. */
export function stepTo<State extends string, Trigger extends string>(
  rows: readonly TransitionRow<State, Trigger>[],
  from: State | null,
  trigger: Trigger,
): State {
  const next = nextState(rows, from, trigger);
  if (next === undefined) throw new RangeError(`no ${trigger} from ${from ?? 'nothing'}`);
  return next;
}
