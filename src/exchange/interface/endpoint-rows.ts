/**
 * Every REST operation: documented (interface, "Endpoints") or assumed. Drives client, sandbox, tests, `probe` and
 * docs.
 */
import type { Access, EndpointRow } from './endpoint-row.ts';
import type { AccessLevel, PermissionCategory } from './permissions.ts';

const open: Access = { kind: 'public' };
const jwtOnly: Access = { kind: 'jwt-only' };
const anyKey: Access = { kind: 'any-key' };

function needs(level: Exclude<AccessLevel, 'none'>, ...categories: readonly PermissionCategory[]): Access {
  return { kind: 'permission', anyOf: categories, level };
}

const readTrading = needs('read_only', 'trading_spot', 'trading_futures');
const changeTrading = needs('full', 'trading_spot', 'trading_futures');
const readSpot = needs('read_only', 'trading_spot');
const changeSpot = needs('full', 'trading_spot');
const readFutures = needs('read_only', 'trading_futures');
const changeFutures = needs('full', 'trading_futures');
const readCrypto = needs('read_only', 'crypto_processing');
const changeCrypto = needs('full', 'crypto_processing');
const changeFiat = needs('full', 'fiat_processing');
const readP2p = needs('read_only', 'p2p');
const changeP2p = needs('full', 'p2p');
const readDictionary = needs('read_only', 'dictionary');

// prettier-ignore
const identity = [
  { name: 'login', method: 'POST', path: '/api/v1/auth/login', area: 'identity', access: open, effect: 'mutating', provenance: 'assumed', purpose: 'log in with password and 2FA code, answers a JWT', answersSecret: true },
  { name: 'me', method: 'GET', path: '/api/v1/auth/me', area: 'identity', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'current user' },
  { name: 'createApiKey', method: 'POST', path: '/api/v1/identity/client/api-key/create', area: 'identity', access: jwtOnly, effect: 'mutating', provenance: 'documented', purpose: 'create an API key', answersSecret: true },
  { name: 'apiKeys', method: 'GET', path: '/api/v1/identity/client/api-key/list', area: 'identity', access: jwtOnly, effect: 'read', provenance: 'assumed', purpose: 'own keys' },
  { name: 'deleteApiKey', method: 'DELETE', path: '/api/v1/identity/client/api-key/{publicKey}', area: 'identity', access: jwtOnly, effect: 'mutating', provenance: 'assumed', purpose: 'delete a key' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const marketData = [
  { name: 'time', method: 'GET', path: '/api/v2/exchange/public/time', area: 'market-data', access: open, effect: 'read', provenance: 'assumed', purpose: 'server time' },
  { name: 'spotInstruments', method: 'GET', path: '/api/v2/exchange/public/asset/instrument/spot/list', area: 'market-data', access: open, effect: 'read', provenance: 'documented', purpose: 'spot instruments' },
  { name: 'derivativeInstruments', method: 'GET', path: '/api/v2/exchange/public/asset/instrument/derivative/list', area: 'market-data', access: open, effect: 'read', provenance: 'assumed', purpose: 'perpetual instruments' },
  { name: 'ticker', method: 'GET', path: '/api/v2/exchange/public/ticker', area: 'market-data', access: open, effect: 'read', provenance: 'documented', purpose: 'tickers' },
  { name: 'orderBook', method: 'GET', path: '/api/v2/exchange/public/orderbook', area: 'market-data', access: open, effect: 'read', provenance: 'documented', purpose: 'order book' },
  { name: 'candles', method: 'GET', path: '/api/v2/exchange/public/candle', area: 'market-data', access: open, effect: 'read', provenance: 'documented', purpose: 'candles' },
  { name: 'riskTiers', method: 'GET', path: '/api/v2/exchange/public/derivative/risk-tiers', area: 'market-data', access: open, effect: 'read', provenance: 'assumed', purpose: 'risk tiers of a perpetual' },
  { name: 'fundingRate', method: 'GET', path: '/api/v2/exchange/public/derivative/funding-rate', area: 'market-data', access: open, effect: 'read', provenance: 'assumed', purpose: 'funding rate and its history' },
  { name: 'markPrice', method: 'GET', path: '/api/v2/exchange/public/derivative/mark-price', area: 'market-data', access: open, effect: 'read', provenance: 'assumed', purpose: 'mark and index price' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const trading = [
  { name: 'createSpotOrder', method: 'POST', path: '/api/v2/exchange/client/order/spot', area: 'orders', access: changeSpot, effect: 'mutating', provenance: 'documented', purpose: 'create spot order' },
  { name: 'createDerivativeOrder', method: 'POST', path: '/api/v2/exchange/client/order/derivative', area: 'orders', access: changeFutures, effect: 'mutating', provenance: 'documented', purpose: 'create futures order' },
  { name: 'activeOrders', method: 'GET', path: '/api/v2/exchange/client/order/active', area: 'orders', access: readTrading, effect: 'read', provenance: 'assumed', purpose: 'active orders' },
  { name: 'orderHistory', method: 'GET', path: '/api/v2/exchange/client/order/history', area: 'orders', access: readTrading, effect: 'read', provenance: 'assumed', purpose: 'order history, newest first' },
  { name: 'order', method: 'GET', path: '/api/v2/exchange/client/order/{orderId}', area: 'orders', access: readTrading, effect: 'read', provenance: 'assumed', purpose: 'one order' },
  { name: 'cancelOrder', method: 'DELETE', path: '/api/v2/exchange/client/order/{orderId}', area: 'orders', access: changeTrading, effect: 'mutating', provenance: 'assumed', purpose: 'cancel one order' },
  { name: 'cancelManyOrders', method: 'POST', path: '/api/v2/exchange/client/order/cancel-many', area: 'orders', access: changeTrading, effect: 'mutating', provenance: 'assumed', purpose: 'cancel several orders, those of a symbol, or all' },
  { name: 'spotTrades', method: 'GET', path: '/api/v2/exchange/client/trade/spot/list/my', area: 'orders', access: readSpot, effect: 'read', provenance: 'documented', purpose: 'own spot trades' },
  { name: 'derivativeTrades', method: 'GET', path: '/api/v2/exchange/client/trade/derivative/list/my', area: 'orders', access: readFutures, effect: 'read', provenance: 'assumed', purpose: 'own futures trades' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const positions = [
  { name: 'positions', method: 'GET', path: '/api/v2/exchange/client/positions/list', area: 'positions', access: readFutures, effect: 'read', provenance: 'assumed', purpose: 'open positions' },
  { name: 'closedPositions', method: 'GET', path: '/api/v2/exchange/client/positions/history/closed/positions', area: 'positions', access: readFutures, effect: 'read', provenance: 'documented', purpose: 'history of closed positions' },
  { name: 'closedPositionOrders', method: 'GET', path: '/api/v2/exchange/client/positions/history/closed/orders', area: 'positions', access: readFutures, effect: 'read', provenance: 'documented', purpose: 'history of orders of positions' },
  { name: 'closePosition', method: 'POST', path: '/api/v2/exchange/client/positions/close', area: 'positions', access: changeFutures, effect: 'mutating', provenance: 'assumed', purpose: 'close a position at market' },
  { name: 'setLeverage', method: 'POST', path: '/api/v2/exchange/client/positions/leverage', area: 'positions', access: changeFutures, effect: 'mutating', provenance: 'assumed', purpose: 'change leverage' },
  { name: 'setMarginType', method: 'POST', path: '/api/v2/exchange/client/positions/margin-type', area: 'positions', access: changeFutures, effect: 'mutating', provenance: 'assumed', purpose: 'isolated or cross margin' },
  { name: 'setPositionMode', method: 'POST', path: '/api/v2/exchange/client/positions/mode', area: 'positions', access: changeFutures, effect: 'mutating', provenance: 'assumed', purpose: 'one-way or hedge mode' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const account = [
  { name: 'balances', method: 'GET', path: '/api/v1/accounting/client/report-account/accounts/overview', area: 'account', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'balances of all accounts' },
  { name: 'transactions', method: 'GET', path: '/api/v1/wallet/transactions/list/my', area: 'account', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'transaction history' },
  { name: 'fees', method: 'GET', path: '/api/v2/exchange/client/fee/personal', area: 'account', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'personal trading fees' },
  { name: 'referralLink', method: 'GET', path: '/api/v2/referral-program/client/link', area: 'account', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'referral invite link' },
  { name: 'referralReward', method: 'GET', path: '/api/v2/referral-program/client/reward/{linkId}', area: 'account', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'referral reward balance' },
  { name: 'transferRoutes', method: 'GET', path: '/api/v1/accounting/client/transfer/account/transfer-routes/list', area: 'account', access: needs('read_only', 'transfer'), effect: 'read', provenance: 'documented', purpose: 'available transfer routes' },
  { name: 'transfer', method: 'POST', path: '/api/v1/accounting/client/transfer/account', area: 'account', access: needs('full', 'transfer'), effect: 'mutating', provenance: 'documented', purpose: 'transfer between own accounts' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const fiat = [
  { name: 'createFiatApplication', method: 'POST', path: '/api/v1/processing/fiat-application', area: 'fiat', access: changeFiat, effect: 'mutating', provenance: 'documented', purpose: 'create fiat application as draft' },
  { name: 'confirmFiatApplication', method: 'PATCH', path: '/api/v1/processing/fiat-application', area: 'fiat', access: changeFiat, effect: 'mutating', provenance: 'documented', purpose: 'confirm a draft' },
  { name: 'submitFiatApplication', method: 'POST', path: '/api/v1/processing/create-and-submit-fiat-application', area: 'fiat', access: changeFiat, effect: 'mutating', provenance: 'documented', purpose: 'create and submit fiat application' },
  { name: 'deleteFiatApplication', method: 'DELETE', path: '/api/v1/processing/fiat-application', area: 'fiat', access: changeFiat, effect: 'mutating', provenance: 'documented', purpose: 'delete a no-longer-relevant application' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const crypto = [
  { name: 'cryptoAddress', method: 'GET', path: '/api/v1/wallet/crypto/address', area: 'crypto', access: readCrypto, effect: 'read', provenance: 'documented', purpose: 'an already issued deposit address' },
  { name: 'newCryptoAddress', method: 'POST', path: '/api/v1/wallet/get-new-crypto-address', area: 'crypto', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'generate a new deposit address' },
  { name: 'withdrawalCurrencies', method: 'GET', path: '/api/v2/withdrawals/currencies', area: 'crypto', access: readCrypto, effect: 'read', provenance: 'documented', purpose: 'networks available for withdrawal' },
  { name: 'createWithdrawal', method: 'POST', path: '/api/v1/wallet/create-and-submit-crypto-out', area: 'crypto', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'create crypto withdrawal request' },
  { name: 'cancelWithdrawal', method: 'DELETE', path: '/api/v1/wallet/create-crypto-out/{transactionId}', area: 'crypto', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'cancel withdrawal request before processing starts' },
  { name: 'networks', method: 'GET', path: '/api/v1/currency-network/list', area: 'dictionary', access: readDictionary, effect: 'read', provenance: 'documented', purpose: 'networks' },
  { name: 'assets', method: 'GET', path: '/api/v2/exchange/client/asset/list', area: 'dictionary', access: readDictionary, effect: 'read', provenance: 'documented', purpose: 'assets' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const codes = [
  { name: 'createCode', method: 'POST', path: '/api/v1/code/create-api', area: 'codes', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'create a code', answersSecret: true },
  { name: 'redeemCode', method: 'POST', path: '/api/v1/code/redeem', area: 'codes', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'redeem a code' },
  { name: 'codes', method: 'GET', path: '/api/v1/code/my', area: 'codes', access: readCrypto, effect: 'read', provenance: 'documented', purpose: 'own codes' },
  { name: 'codeDetail', method: 'POST', path: '/api/v1/code/full', area: 'codes', access: readCrypto, effect: 'read', provenance: 'documented', purpose: 'full information on a code', answersSecret: true },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const overdraft = [
  { name: 'overdraft', method: 'GET', path: '/api/v2/credit/client/overdraft/me', area: 'overdraft', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'overdraft status' },
  { name: 'overdraftLoan', method: 'GET', path: '/api/v2/credit/client/overdraft/loan', area: 'overdraft', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'loan information' },
  { name: 'overdraftFee', method: 'GET', path: '/api/v2/credit/client/overdraft/credit-fee', area: 'overdraft', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'fee calculation' },
  { name: 'overdraftDocuments', method: 'GET', path: '/api/v2/credit/client/overdraft/documents', area: 'overdraft', access: anyKey, effect: 'read', provenance: 'documented', purpose: 'agreements' },
  { name: 'overdraftPay', method: 'POST', path: '/api/v2/credit/client/overdraft/pay', area: 'overdraft', access: changeCrypto, effect: 'mutating', provenance: 'documented', purpose: 'repayment' },
] as const satisfies readonly EndpointRow[];

// prettier-ignore
const p2p = [
  { name: 'p2pAdvertisements', method: 'GET', path: '/api/v1/p2p/client/advertisement/list', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'active advertisements' },
  { name: 'p2pMyAdvertisements', method: 'GET', path: '/api/v1/p2p/client/advertisement/my', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'own advertisements' },
  { name: 'p2pAdvertisement', method: 'GET', path: '/api/v1/p2p/client/advertisement/{id}', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'the documented detail object; its method and path are assumed' },
  { name: 'p2pCreateAdvertisement', method: 'POST', path: '/api/v1/p2p/client/advertisement', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'create an advertisement' },
  { name: 'p2pEditAdvertisement', method: 'PATCH', path: '/api/v1/p2p/client/advertisement/{id}', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'edit a deactivated advertisement' },
  { name: 'p2pActivateAdvertisement', method: 'POST', path: '/api/v1/p2p/client/advertisement/{id}/activate', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'show in the list' },
  { name: 'p2pDeactivateAdvertisement', method: 'POST', path: '/api/v1/p2p/client/advertisement/{id}/deactivate', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'hide from the list' },
  { name: 'p2pDeleteAdvertisement', method: 'DELETE', path: '/api/v1/p2p/client/advertisement/{id}', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'delete: canceled' },
  { name: 'p2pCreateTrade', method: 'POST', path: '/api/v1/p2p/client/trade', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'respond to an advertisement' },
  { name: 'p2pMyTrades', method: 'GET', path: '/api/v1/p2p/client/trade/list/my', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'own P2P trades' },
  { name: 'p2pTrade', method: 'GET', path: '/api/v1/p2p/client/trade/{id}', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'one P2P trade' },
  { name: 'p2pStartTrade', method: 'POST', path: '/api/v1/p2p/client/trade/start', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'maker confirms the start' },
  { name: 'p2pPayTrade', method: 'POST', path: '/api/v1/p2p/client/trade/pay', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'buyer pays' },
  { name: 'p2pCancelTrade', method: 'POST', path: '/api/v1/p2p/client/trade/cancel', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'assumed', purpose: 'cancel a trade' },
  { name: 'p2pConfirmTrade', method: 'POST', path: '/api/v1/p2p/client/trade/confirm', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'documented', purpose: 'confirm receipt of payment' },
  { name: 'p2pDisputeTrade', method: 'POST', path: '/api/v1/p2p/client/trade/dispute', area: 'p2p', access: changeP2p, effect: 'mutating', provenance: 'documented', purpose: 'open an appeal' },
  { name: 'p2pMarkets', method: 'GET', path: '/api/v1/p2p/client/market/list', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'pair specifications' },
  { name: 'p2pProfile', method: 'GET', path: '/api/v1/p2p/client/profile', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'own profile' },
  { name: 'p2pPaymentMethods', method: 'GET', path: '/api/v1/p2p/client/payment-method/list', area: 'p2p', access: readP2p, effect: 'read', provenance: 'assumed', purpose: 'payment methods' },
] as const satisfies readonly EndpointRow[];

export const endpointRows = [
  ...identity,
  ...marketData,
  ...trading,
  ...positions,
  ...account,
  ...fiat,
  ...crypto,
  ...codes,
  ...overdraft,
  ...p2p,
] as const;
