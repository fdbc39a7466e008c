/**
 * All state machines (interface, "States and transitions"; the rest is assumed). `states.ts` has those of money
 * operations.
 */
import type { Provenance } from './endpoint-row.ts';
import type { EndpointName } from './endpoints.ts';
import {
  advertisementStatuses,
  advertisementTransitions,
  codeStatuses,
  fiatTransitions,
  p2pTradeStatuses,
  p2pTradeTransitions,
  transactionStatuses,
  withdrawalTransitions,
  type TransitionRow,
} from './states.ts';

/** The operations whose caller moves it, or the exchange. */
export type Mover = readonly EndpointName[] | 'clock' | 'staff' | 'chain' | 'arbiter' | 'market' | 'liquidation';

export interface StateMachine {
  readonly thing: string;
  readonly title: string;
  readonly states: readonly string[];
  readonly statesProvenance: Provenance;
  readonly transitions: readonly TransitionRow<string, string>[];
  readonly movers: Readonly<Record<string, Mover>>;
}

// prettier-ignore
const apiKeyTransitions = [
  { from: null, trigger: 'create', to: 'active', provenance: 'documented' },
  { from: 'active', trigger: 'time', to: 'expired', provenance: 'documented' },
  { from: 'active', trigger: 'delete', to: 'deleted', provenance: 'documented' },
  { from: 'active', trigger: 'block', to: 'blocked', provenance: 'documented' },
] as const;

/**
 * `place` returns the state after matching. A refused order is answered, never created, so `rejected` does not occur.
 * The exchange cancels orders for a liquidation and reduce-only orders that would open. A liquidation order fills at
 * once.
 */
// prettier-ignore
const orderTransitions = [
  { from: null, trigger: 'place', to: 'new', provenance: 'assumed' },
  { from: null, trigger: 'place', to: 'partially_filled', provenance: 'assumed' },
  { from: null, trigger: 'place', to: 'filled', provenance: 'assumed' },
  { from: null, trigger: 'place', to: 'expired', provenance: 'assumed' },
  { from: 'new', trigger: 'match', to: 'partially_filled', provenance: 'assumed' },
  { from: 'new', trigger: 'match', to: 'filled', provenance: 'assumed' },
  { from: 'partially_filled', trigger: 'match', to: 'filled', provenance: 'assumed' },
  { from: 'new', trigger: 'cancel', to: 'canceled', provenance: 'assumed' },
  { from: 'partially_filled', trigger: 'cancel', to: 'canceled', provenance: 'assumed' },
  { from: 'new', trigger: 'drop', to: 'canceled', provenance: 'assumed' },
  { from: 'partially_filled', trigger: 'drop', to: 'canceled', provenance: 'assumed' },
  { from: null, trigger: 'liquidate', to: 'filled', provenance: 'assumed' },
] as const;

// prettier-ignore
const positionTransitions = [
  { from: null, trigger: 'trade', to: 'open', provenance: 'assumed' },
  { from: 'open', trigger: 'trade', to: 'closed', provenance: 'assumed' },
  { from: 'open', trigger: 'liquidate', to: 'closed', provenance: 'assumed' },
] as const;

// prettier-ignore
const codeTransitions = [
  { from: null, trigger: 'create', to: 'active', provenance: 'assumed' },
  { from: 'active', trigger: 'redeem', to: 'activated', provenance: 'assumed' },
] as const;

// prettier-ignore
const overdraftTransitions = [
  { from: null, trigger: 'draw', to: 'open', provenance: 'assumed' },
  { from: 'open', trigger: 'repay', to: 'closed', provenance: 'assumed' },
] as const;

export const stateMachines: readonly StateMachine[] = [
  {
    thing: 'apiKey',
    title: 'API key',
    states: ['active', 'expired', 'deleted', 'blocked'],
    statesProvenance: 'documented',
    transitions: apiKeyTransitions,
    movers: { create: ['createApiKey'], time: 'clock', delete: ['deleteApiKey'], block: 'staff' },
  },
  {
    thing: 'advertisement',
    title: 'P2P advertisement',
    states: advertisementStatuses,
    statesProvenance: 'documented',
    transitions: advertisementTransitions,
    movers: {
      create: ['p2pCreateAdvertisement'],
      activate: ['p2pActivateAdvertisement'],
      deactivate: ['p2pDeactivateAdvertisement'],
      delete: ['p2pDeleteAdvertisement'],
      'sell-out': 'market',
    },
  },
  {
    thing: 'p2pTrade',
    title: 'P2P trade',
    states: p2pTradeStatuses,
    statesProvenance: 'documented',
    transitions: p2pTradeTransitions,
    movers: {
      respond: ['p2pCreateTrade'],
      start: ['p2pStartTrade'],
      expire: 'clock',
      pay: ['p2pPayTrade'],
      cancel: ['p2pCancelTrade'],
      confirm: ['p2pConfirmTrade'],
      dispute: ['p2pDisputeTrade'],
      'resolve-complete': 'arbiter',
      'resolve-cancel': 'arbiter',
    },
  },
  {
    thing: 'fiatApplication',
    title: 'Fiat application',
    states: transactionStatuses,
    statesProvenance: 'documented',
    transitions: fiatTransitions,
    movers: {
      create: ['createFiatApplication'],
      submit: ['submitFiatApplication'],
      confirm: ['confirmFiatApplication'],
      delete: ['deleteFiatApplication'],
      take: 'staff',
      reject: 'staff',
      fail: 'staff',
      complete: 'staff',
    },
  },
  {
    thing: 'withdrawal',
    title: 'Crypto withdrawal',
    states: ['submitted', 'processing', 'failed', 'canceled', 'completed'],
    statesProvenance: 'assumed',
    transitions: withdrawalTransitions,
    movers: {
      submit: ['createWithdrawal'],
      cancel: ['cancelWithdrawal'],
      take: 'staff',
      fail: 'chain',
      complete: 'chain',
    },
  },
  {
    thing: 'order',
    title: 'Order',
    states: ['new', 'partially_filled', 'filled', 'canceled', 'rejected', 'expired'],
    statesProvenance: 'assumed',
    transitions: orderTransitions,
    movers: {
      place: ['createSpotOrder', 'createDerivativeOrder', 'closePosition'],
      match: 'market',
      cancel: ['cancelOrder', 'cancelManyOrders'],
      drop: 'liquidation',
      liquidate: 'liquidation',
    },
  },
  {
    thing: 'position',
    title: 'Position',
    states: ['open', 'closed'],
    statesProvenance: 'assumed',
    transitions: positionTransitions,
    movers: { trade: 'market', liquidate: 'liquidation' },
  },
  {
    thing: 'code',
    title: 'Code',
    states: codeStatuses,
    statesProvenance: 'assumed',
    transitions: codeTransitions,
    movers: { create: ['createCode'], redeem: ['redeemCode'] },
  },
  {
    thing: 'overdraft',
    title: 'Overdraft',
    states: ['open', 'closed'],
    statesProvenance: 'assumed',
    transitions: overdraftTransitions,
    movers: { draw: ['transfer'], repay: ['overdraftPay'] },
  },
];
