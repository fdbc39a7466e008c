/**
 * Refusals of each operation beyond the shared key refusals (assumed): codes of `{code, message, field?}` bodies. The
 * sandbox sends only these; the client accepts any known refusal from any operation.
 */
import type { EndpointName } from './endpoints.ts';
import type { BusinessRefusalCode } from './refusals.ts';

/** `not_found`: 404 for things invisible to the caller; `login_failed`: 401. */
export type EndpointRefusal = BusinessRefusalCode | 'not_found' | 'login_failed';

const bySymbol = ['bad_request', 'unknown_symbol'] as const;
const newOrder = [
  'bad_request',
  'unknown_symbol',
  'symbol_halted',
  'below_minimum',
  'above_maximum',
  'off_tick',
  'off_lot',
  'insufficient_balance',
  'duplicate_client_order_id',
  'limit_reached',
] as const;
const advertisementTerms = ['off_tick', 'price_out_of_bounds', 'below_minimum', 'above_maximum'] as const;
const moveAdvertisement = ['bad_request', 'not_found', 'not_owner', 'illegal_transition'] as const;
const moveTrade = ['bad_request', 'not_found', 'illegal_transition'] as const;

export const endpointRefusals: Readonly<Record<EndpointName, readonly EndpointRefusal[]>> = {
  login: ['bad_request', 'login_failed', 'two_factor_invalid'],
  me: [],
  createApiKey: ['bad_request', 'two_factor_invalid', 'whitelist_required', 'too_many_keys'],
  apiKeys: [],
  deleteApiKey: ['bad_request', 'two_factor_invalid', 'not_found'],

  time: [],
  spotInstruments: [],
  derivativeInstruments: [],
  ticker: ['unknown_symbol'],
  orderBook: bySymbol,
  candles: bySymbol,
  riskTiers: bySymbol,
  fundingRate: bySymbol,
  markPrice: bySymbol,

  createSpotOrder: newOrder,
  createDerivativeOrder: [...newOrder, 'reduce_only_violation', 'leverage_too_high', 'illegal_transition'],
  activeOrders: ['bad_request'],
  orderHistory: ['bad_request'],
  order: ['unknown_order', 'not_owner'],
  cancelOrder: ['bad_request', 'unknown_order', 'not_owner', 'order_closed'],
  cancelManyOrders: ['bad_request'],
  spotTrades: ['bad_request'],
  derivativeTrades: ['bad_request'],

  positions: [],
  closedPositions: ['bad_request'],
  closedPositionOrders: ['bad_request'],
  closePosition: [
    'bad_request',
    'unknown_symbol',
    'symbol_halted',
    'reduce_only_violation',
    'below_minimum',
    'off_lot',
    'illegal_transition',
  ],
  setLeverage: ['bad_request', 'unknown_symbol', 'leverage_too_high', 'insufficient_balance'],
  setMarginType: ['bad_request', 'unknown_symbol', 'illegal_transition'],
  setPositionMode: ['bad_request', 'illegal_transition'],

  balances: [],
  transactions: ['bad_request'],
  fees: ['unknown_symbol'],
  referralLink: [],
  referralReward: ['not_found', 'not_owner'],
  transferRoutes: [],
  transfer: ['bad_request', 'route_not_available', 'below_minimum', 'insufficient_balance'],

  createFiatApplication: ['bad_request', 'below_minimum', 'limit_reached'],
  confirmFiatApplication: ['bad_request', 'not_found', 'not_owner', 'illegal_transition', 'insufficient_balance'],
  submitFiatApplication: ['bad_request', 'below_minimum', 'limit_reached', 'insufficient_balance'],
  deleteFiatApplication: ['bad_request', 'not_found', 'not_owner', 'illegal_transition'],

  cryptoAddress: ['bad_request', 'no_address'],
  newCryptoAddress: ['bad_request', 'limit_reached'],
  withdrawalCurrencies: [],
  createWithdrawal: ['bad_request', 'below_minimum', 'insufficient_balance', 'two_factor_invalid', 'limit_reached'],
  cancelWithdrawal: ['bad_request', 'not_found', 'not_owner', 'already_processing', 'illegal_transition'],
  networks: ['bad_request'],
  assets: [],

  createCode: ['bad_request', 'below_minimum', 'insufficient_balance', 'limit_reached'],
  redeemCode: ['bad_request', 'code_not_found', 'code_already_activated', 'not_owner'],
  codes: ['bad_request'],
  codeDetail: ['bad_request', 'code_not_found', 'not_owner'],

  overdraft: [],
  overdraftLoan: [],
  overdraftFee: ['bad_request'],
  overdraftDocuments: [],
  overdraftPay: ['bad_request', 'below_minimum', 'above_maximum', 'insufficient_balance'],

  p2pAdvertisements: ['bad_request'],
  p2pMyAdvertisements: ['bad_request'],
  p2pAdvertisement: ['not_found'],
  p2pCreateAdvertisement: ['bad_request', ...advertisementTerms, 'limit_reached', 'insufficient_balance'],
  p2pEditAdvertisement: [...moveAdvertisement, ...advertisementTerms],
  p2pActivateAdvertisement: [...moveAdvertisement, 'limit_reached', 'insufficient_balance'],
  p2pDeactivateAdvertisement: [...moveAdvertisement, 'limit_reached'],
  p2pDeleteAdvertisement: moveAdvertisement,
  p2pCreateTrade: [
    'bad_request',
    'not_found',
    'illegal_transition',
    'below_minimum',
    'above_maximum',
    'limit_reached',
    'insufficient_balance',
  ],
  p2pMyTrades: [],
  p2pTrade: ['not_found'],
  p2pStartTrade: [...moveTrade, 'not_owner'],
  p2pPayTrade: [...moveTrade, 'not_owner'],
  p2pCancelTrade: moveTrade,
  p2pConfirmTrade: [...moveTrade, 'not_owner'],
  p2pDisputeTrade: moveTrade,
  p2pMarkets: [],
  p2pProfile: [],
  p2pPaymentMethods: [],
};
