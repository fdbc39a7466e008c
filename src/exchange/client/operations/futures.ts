/** Futures except orders (`orders.ts`). Changes are never repeated: after `unknown` read `positions` first. */
import type { VenuePosition } from '../../../model/trading/account.ts';
import type { VenueFill } from '../../../model/trading/fill.ts';
import type { InstrumentSpec } from '../../../model/market/instrument.ts';
import type { OrderReport } from '../../../model/trading/order.ts';
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { fillSchema } from '../../wire/fills.ts';
import { derivativeInstrumentSchema } from '../../wire/market/instruments.ts';
import { orderSchema } from '../../wire/orders.ts';
import {
  fundingRateSchema,
  markPriceSchema,
  riskTierSchema,
  type FundingRates,
  type MarkPrices,
  type RiskTier,
} from '../../wire/market/perpetual-data.ts';
import {
  closedPositionSchema,
  leverageSchema,
  marginTypeSchema,
  positionModeSchema,
  positionSchema,
  type ClosedPosition,
  type LeverageSetting,
  type MarginType,
  type MarginTypeSetting,
  type PositionMode,
  type PositionModeSetting,
} from '../../wire/positions.ts';
import type { Query } from '../prepare-request.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { invalidField, oneOf, sendMoney, type MoneyPorts, type OnMoneyOutcome, type Refused } from './money.ts';
import type { Dispatch } from './orders.ts';
import { readPages } from './pages.ts';

export interface PositionHistoryFilter {
  readonly symbol?: string;
  /** Unix ms on creation time, inclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface FuturesOperations {
  instruments(): Promise<Answer<readonly InstrumentSpec[]>>;
  /** Lowest tier first. Like the next two, `exchange_refused` for `unknown_symbol`. */
  riskTiers(symbol: string): Promise<Answer<readonly RiskTier[]>>;
  /** Running rate and at most `limit` (1 to 1000) settlements, newest first. */
  fundingRate(symbol: string, limit?: number): Promise<Answer<FundingRates>>;
  markPrice(symbol: string): Promise<Answer<MarkPrices>>;
  positions(symbol?: string): Promise<Reading<VenuePosition>>;
  closedPositions(filter: PositionHistoryFilter): Promise<Reading<ClosedPosition>>;
  /** Orders that opened or closed them, newest first. */
  closedPositionOrders(filter: PositionHistoryFilter): Promise<Reading<OrderReport>>;
  ownTrades(filter: PositionHistoryFilter): Promise<Reading<VenueFill>>;
  /** Refusals: `leverage_too_high`, `insufficient_balance`, `unknown_symbol`. */
  setLeverage(request: LeverageSetting, dispatch: Dispatch, done: OnMoneyOutcome<LeverageSetting>): void;
  /** Refusals: `illegal_transition` with an open position or order, `unknown_symbol`. */
  setMarginType(request: MarginTypeSetting, dispatch: Dispatch, done: OnMoneyOutcome<MarginTypeSetting>): void;
  /** Whole account. Refusal: `illegal_transition` with an open position or order. */
  setMode(mode: PositionMode, dispatch: Dispatch, done: OnMoneyOutcome<PositionModeSetting>): void;
}

const LEVERAGE_MAX = 1000;
const FUNDING_LIMIT_MAX = 1000;
const MARGIN_TYPES: ReadonlySet<string> = new Set<MarginType>(['isolated', 'cross']);
const MODES: ReadonlySet<string> = new Set<PositionMode>(['one-way', 'hedge']);

/** Rounds outwards to whole ms. */
function queryOf({ symbol, from, to }: PositionHistoryFilter): Query {
  return {
    symbol,
    from: from === undefined ? undefined : Math.floor(from),
    to: to === undefined ? undefined : Math.ceil(to),
  };
}

function named(symbol: string): Refused | null {
  return symbol === '' ? invalidField('symbol', 'the symbol is empty') : null;
}

function wrongLeverage(leverage: number): Refused | null {
  if (Number.isInteger(leverage) && leverage >= 1 && leverage <= LEVERAGE_MAX) return null;
  return invalidField('leverage', `leverage ${leverage} is not a whole number from 1 to ${LEVERAGE_MAX}`);
}

type Changes = Pick<FuturesOperations, 'setLeverage' | 'setMarginType' | 'setMode'>;

function createChanges(ports: MoneyPorts): Changes {
  return {
    setLeverage({ symbol, leverage }, dispatch, done) {
      const body = { symbol, leverage };
      const invalid = named(symbol) ?? wrongLeverage(leverage);
      sendMoney(
        ports,
        { endpoint: 'setLeverage', body, schema: leverageSchema, repeats: body, invalid },
        dispatch,
        done,
      );
    },
    setMarginType({ symbol, marginType }, dispatch, done) {
      const body = { symbol, marginType };
      const invalid = named(symbol) ?? oneOf('marginType', marginType, MARGIN_TYPES);
      const call = { endpoint: 'setMarginType', body, schema: marginTypeSchema, repeats: body, invalid } as const;
      sendMoney(ports, call, dispatch, done);
    },
    setMode(mode, dispatch, done) {
      const body = { mode };
      const invalid = oneOf('mode', mode, MODES);
      const call = { endpoint: 'setPositionMode', body, schema: positionModeSchema, repeats: body, invalid } as const;
      sendMoney(ports, call, dispatch, done);
    },
  };
}

export function createFuturesOperations(ports: MoneyPorts, lane: Lane): FuturesOperations {
  const { http, clock } = ports;
  const open = { lane: 'public' } as const;
  const limitOf = (limit: number | undefined): number | undefined =>
    limit === undefined ? undefined : Math.min(FUNDING_LIMIT_MAX, Math.max(1, Math.floor(limit)));
  return Object.freeze({
    ...createChanges(ports),
    instruments: () => readList(http, { endpoint: 'derivativeInstruments', ...open }, derivativeInstrumentSchema),
    riskTiers: (symbol: string) =>
      readList(http, { endpoint: 'riskTiers', ...open, query: { symbol } }, riskTierSchema),
    fundingRate: (symbol: string, limit?: number) =>
      readObject(
        http,
        { endpoint: 'fundingRate', ...open, query: { symbol, limit: limitOf(limit) } },
        fundingRateSchema,
        { symbol },
      ),
    markPrice: (symbol: string) =>
      readObject(http, { endpoint: 'markPrice', ...open, query: { symbol } }, markPriceSchema, { symbol }),
    positions: (symbol?: string) =>
      readPages(http, clock, { endpoint: 'positions', lane, query: { symbol }, paged: false }, positionSchema),
    closedPositions: (filter: PositionHistoryFilter) =>
      readPages(
        http,
        clock,
        { endpoint: 'closedPositions', lane, query: queryOf(filter), paged: true },
        closedPositionSchema,
      ),
    closedPositionOrders: (filter: PositionHistoryFilter) =>
      readPages(
        http,
        clock,
        { endpoint: 'closedPositionOrders', lane, query: queryOf(filter), paged: true },
        orderSchema,
      ),
    ownTrades: (filter: PositionHistoryFilter) =>
      readPages(http, clock, { endpoint: 'derivativeTrades', lane, query: queryOf(filter), paged: true }, fillSchema),
  });
}
