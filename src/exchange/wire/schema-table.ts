/**
 * Which schema reads which endpoint and channel, with its provenance (wire profile, introduction): the interface shows
 * no payload of these, so all of them are assumed. Tests hold that each row's endpoint and channel exist; `probe`
 * samples them.
 */
import type { z } from 'zod';
import type { ChannelKind } from '../interface/channels.ts';
import type { Provenance } from '../interface/endpoint-row.ts';
import type { EndpointName } from '../interface/endpoints.ts';
import { feeSchema, meSchema, timeSchema } from './account.ts';
import { balanceSchema } from './balances.ts';
import { depthSchema } from './depth.ts';
import { fillSchema } from './fills.ts';
import { derivativeInstrumentSchema, spotInstrumentSchema } from './instruments.ts';
import { candleSchema, tickerSchema } from './market-data.ts';
import { cancelManySchema, orderSchema } from './orders.ts';
import { positionSchema } from './positions.ts';
import { tradeSchema } from './trades.ts';

export interface SchemaRow {
  readonly resource: string;
  readonly schema: z.ZodType;
  readonly provenance: Provenance;
  /** Endpoints that answer one of these or a list of them. */
  readonly endpoints: readonly EndpointName[];
  /** Channels that push one of these or a list of them. */
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
  { resource: 'order', schema: orderSchema, provenance: 'assumed', endpoints: ['createSpotOrder', 'createDerivativeOrder', 'order', 'cancelOrder', 'activeOrders', 'orderHistory'], channels: ['orderInfo', 'orderHistory'] },
  { resource: 'canceled orders', schema: cancelManySchema, provenance: 'assumed', endpoints: ['cancelManyOrders'], channels: [] },
  { resource: 'own trade', schema: fillSchema, provenance: 'assumed', endpoints: ['spotTrades', 'derivativeTrades'], channels: ['myTrades'] },
  { resource: 'balance', schema: balanceSchema, provenance: 'assumed', endpoints: ['balances'], channels: ['spotBalances', 'futuresBalances'] },
  { resource: 'position', schema: positionSchema, provenance: 'assumed', endpoints: ['positions'], channels: ['positions'] },
  { resource: 'fee', schema: feeSchema, provenance: 'assumed', endpoints: ['fees'], channels: [] },
  { resource: 'current user', schema: meSchema, provenance: 'assumed', endpoints: ['me'], channels: [] },
];
