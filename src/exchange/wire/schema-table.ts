/** Schemas of endpoints and channels. */
import type { z } from 'zod';
import type { ChannelKind } from '../interface/channels.ts';
import type { Provenance } from '../interface/endpoint-row.ts';
import type { EndpointName } from '../interface/endpoints.ts';
import { feeSchema, meSchema, timeSchema } from './account.ts';
import { apiKeySchema, deletedApiKeySchema, loginSchema, newApiKeySchema } from './api-keys.ts';
import { balanceSchema } from './balances.ts';
import { codeDetailSchema, codeSchema, newCodeSchema } from './money/codes.ts';
import {
  canceledWithdrawalSchema,
  cryptoAddressSchema,
  withdrawalCurrencySchema,
  withdrawalSchema,
} from './money/crypto.ts';
import { depthSchema } from './market/depth.ts';
import { assetSchema, networkSchema } from './market/dictionaries.ts';
import { fiatApplicationSchema, movedFiatApplicationSchema } from './money/fiat.ts';
import { fillSchema } from './fills.ts';
import { derivativeInstrumentSchema, spotInstrumentSchema } from './market/instruments.ts';
import { candleSchema, tickerSchema } from './market/market-data.ts';
import { cancelManySchema, orderSchema } from './orders.ts';
import {
  overdraftDocumentSchema,
  overdraftFeeSchema,
  overdraftLoanSchema,
  overdraftSchema,
} from './money/overdraft.ts';
import { advertisementSchema, p2pTradeSchema, p2pUserSchema, paymentMethodSchema } from './p2p/p2p.ts';
import { p2pMarketSchema } from './p2p/p2p-market.ts';
import { fundingRateSchema, markPriceSchema, riskTierSchema } from './market/perpetual-data.ts';
import {
  closedPositionSchema,
  leverageSchema,
  marginTypeSchema,
  positionModeSchema,
  positionSchema,
} from './positions.ts';
import { referralLinkSchema, referralRewardSchema } from './money/referrals.ts';
import { tradeSchema } from './market/trades.ts';
import { transactionSchema, transferRouteSchema, transferSchema } from './money/transfers.ts';

export interface SchemaRow {
  readonly resource: string;
  readonly schema: z.ZodType;
  readonly provenance: Provenance;
  /** One or a list of these. */
  readonly endpoints: readonly EndpointName[];
  /** One or a list of these. */
  readonly channels: readonly ChannelKind[];
}

// prettier-ignore
export const schemaRows: readonly SchemaRow[] = [
  { resource: 'spot instrument', schema: spotInstrumentSchema, provenance: 'assumed', endpoints: ['spotInstruments'], channels: [] },
  { resource: 'perpetual instrument', schema: derivativeInstrumentSchema, provenance: 'assumed', endpoints: ['derivativeInstruments'], channels: [] },
  { resource: 'server time', schema: timeSchema, provenance: 'assumed', endpoints: ['time'], channels: [] },
  { resource: 'ticker', schema: tickerSchema, provenance: 'assumed', endpoints: ['ticker'], channels: ['ticker'] },
  { resource: 'depth', schema: depthSchema, provenance: 'assumed', endpoints: [], channels: ['depth'] },
  { resource: 'trade', schema: tradeSchema, provenance: 'assumed', endpoints: [], channels: ['trades'] },
  { resource: 'candle', schema: candleSchema, provenance: 'assumed', endpoints: ['candles'], channels: ['candles'] },
  { resource: 'order', schema: orderSchema, provenance: 'assumed', endpoints: ['createSpotOrder', 'createDerivativeOrder', 'order', 'cancelOrder', 'activeOrders', 'orderHistory', 'closePosition', 'closedPositionOrders'], channels: ['orderInfo', 'orderHistory'] },
  { resource: 'canceled orders', schema: cancelManySchema, provenance: 'assumed', endpoints: ['cancelManyOrders'], channels: [] },
  { resource: 'own trade', schema: fillSchema, provenance: 'assumed', endpoints: ['spotTrades', 'derivativeTrades'], channels: ['myTrades'] },
  { resource: 'balance', schema: balanceSchema, provenance: 'assumed', endpoints: ['balances'], channels: ['spotBalances', 'futuresBalances'] },
  { resource: 'position', schema: positionSchema, provenance: 'assumed', endpoints: ['positions'], channels: ['positions'] },
  { resource: 'closed position', schema: closedPositionSchema, provenance: 'assumed', endpoints: ['closedPositions'], channels: [] },
  { resource: 'leverage', schema: leverageSchema, provenance: 'assumed', endpoints: ['setLeverage'], channels: [] },
  { resource: 'margin type', schema: marginTypeSchema, provenance: 'assumed', endpoints: ['setMarginType'], channels: [] },
  { resource: 'position mode', schema: positionModeSchema, provenance: 'assumed', endpoints: ['setPositionMode'], channels: [] },
  { resource: 'risk tier', schema: riskTierSchema, provenance: 'assumed', endpoints: ['riskTiers'], channels: [] },
  { resource: 'funding rate', schema: fundingRateSchema, provenance: 'assumed', endpoints: ['fundingRate'], channels: [] },
  { resource: 'mark price', schema: markPriceSchema, provenance: 'assumed', endpoints: ['markPrice'], channels: [] },
  { resource: 'fee', schema: feeSchema, provenance: 'assumed', endpoints: ['fees'], channels: [] },
  { resource: 'current user', schema: meSchema, provenance: 'assumed', endpoints: ['me'], channels: [] },
  { resource: 'login', schema: loginSchema, provenance: 'assumed', endpoints: ['login'], channels: [] },
  { resource: 'new API key', schema: newApiKeySchema, provenance: 'documented', endpoints: ['createApiKey'], channels: [] },
  { resource: 'API key', schema: apiKeySchema, provenance: 'assumed', endpoints: ['apiKeys'], channels: [] },
  { resource: 'deleted API key', schema: deletedApiKeySchema, provenance: 'assumed', endpoints: ['deleteApiKey'], channels: [] },
  { resource: 'transfer route', schema: transferRouteSchema, provenance: 'assumed', endpoints: ['transferRoutes'], channels: [] },
  { resource: 'transfer', schema: transferSchema, provenance: 'assumed', endpoints: ['transfer'], channels: [] },
  { resource: 'transaction', schema: transactionSchema, provenance: 'assumed', endpoints: ['transactions'], channels: [] },
  { resource: 'referral link', schema: referralLinkSchema, provenance: 'assumed', endpoints: ['referralLink'], channels: [] },
  { resource: 'referral reward', schema: referralRewardSchema, provenance: 'assumed', endpoints: ['referralReward'], channels: [] },
  { resource: 'asset', schema: assetSchema, provenance: 'assumed', endpoints: ['assets'], channels: [] },
  { resource: 'network', schema: networkSchema, provenance: 'assumed', endpoints: ['networks'], channels: [] },
  { resource: 'deposit address', schema: cryptoAddressSchema, provenance: 'assumed', endpoints: ['cryptoAddress', 'newCryptoAddress'], channels: [] },
  { resource: 'withdrawal currency', schema: withdrawalCurrencySchema, provenance: 'assumed', endpoints: ['withdrawalCurrencies'], channels: [] },
  { resource: 'withdrawal', schema: withdrawalSchema, provenance: 'assumed', endpoints: ['createWithdrawal'], channels: [] },
  { resource: 'canceled withdrawal', schema: canceledWithdrawalSchema, provenance: 'assumed', endpoints: ['cancelWithdrawal'], channels: [] },
  { resource: 'new code', schema: newCodeSchema, provenance: 'assumed', endpoints: ['createCode'], channels: [] },
  { resource: 'code', schema: codeSchema, provenance: 'assumed', endpoints: ['redeemCode', 'codes'], channels: [] },
  { resource: 'code in full', schema: codeDetailSchema, provenance: 'assumed', endpoints: ['codeDetail'], channels: [] },
  { resource: 'fiat application', schema: fiatApplicationSchema, provenance: 'assumed', endpoints: ['createFiatApplication', 'submitFiatApplication'], channels: [] },
  { resource: 'moved fiat application', schema: movedFiatApplicationSchema, provenance: 'assumed', endpoints: ['confirmFiatApplication', 'deleteFiatApplication'], channels: [] },
  { resource: 'overdraft', schema: overdraftSchema, provenance: 'assumed', endpoints: ['overdraft'], channels: [] },
  { resource: 'overdraft loan', schema: overdraftLoanSchema, provenance: 'assumed', endpoints: ['overdraftLoan', 'overdraftPay'], channels: [] },
  { resource: 'overdraft fee', schema: overdraftFeeSchema, provenance: 'assumed', endpoints: ['overdraftFee'], channels: [] },
  { resource: 'overdraft document', schema: overdraftDocumentSchema, provenance: 'assumed', endpoints: ['overdraftDocuments'], channels: [] },
  { resource: 'P2P advertisement', schema: advertisementSchema, provenance: 'documented', endpoints: ['p2pAdvertisements', 'p2pMyAdvertisements', 'p2pAdvertisement', 'p2pCreateAdvertisement', 'p2pEditAdvertisement', 'p2pActivateAdvertisement', 'p2pDeactivateAdvertisement', 'p2pDeleteAdvertisement'], channels: [] },
  { resource: 'P2P trade', schema: p2pTradeSchema, provenance: 'documented', endpoints: ['p2pCreateTrade', 'p2pMyTrades', 'p2pTrade', 'p2pStartTrade', 'p2pPayTrade', 'p2pCancelTrade', 'p2pConfirmTrade', 'p2pDisputeTrade'], channels: [] },
  { resource: 'P2P pair', schema: p2pMarketSchema, provenance: 'documented', endpoints: ['p2pMarkets'], channels: [] },
  { resource: 'P2P user', schema: p2pUserSchema, provenance: 'documented', endpoints: ['p2pProfile'], channels: [] },
  { resource: 'P2P payment method', schema: paymentMethodSchema, provenance: 'documented', endpoints: ['p2pPaymentMethods'], channels: [] },
];
