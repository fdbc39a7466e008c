/**
 * Futures over REST: perpetual instruments and their public data, open and closed positions, own trades, and what changes
 * positions without an order of ours. Orders themselves are created and cancelled in `orders.ts`. What changes something
 * ends in a `MoneyOutcome` and is never repeated here: after `unknown` read `positions` before anything else, since a
 * position may be closed or a setting changed already.
 */
import type { VenuePosition } from '../../../model/account.ts';
import type { VenueFill } from '../../../model/fill.ts';
import type { InstrumentSpec } from '../../../model/instrument.ts';
import type { OrderReport, PositionSide } from '../../../model/order.ts';
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { fillSchema } from '../../wire/fills.ts';
import { derivativeInstrumentSchema } from '../../wire/instruments.ts';
import { orderSchema } from '../../wire/orders.ts';
import {
  fundingRateSchema,
  markPriceSchema,
  riskTierSchema,
  type FundingRates,
  type MarkPrices,
  type RiskTier,
} from '../../wire/perpetual-data.ts';
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
import { checkedAmount, invalidField, sendMoney, type MoneyPorts, type OnMoneyOutcome, type Refused } from './money.ts';
import type { Dispatch } from './orders.ts';
import { readPages } from './pages.ts';

export interface ClosePositionRequest {
  readonly symbol: string;
  /** `both` in one-way mode. */
  readonly positionSide: PositionSide;
  /** Decimal text above zero, base units; the whole position when left out. */
  readonly quantity?: string;
}

export interface PositionHistoryFilter {
  readonly symbol?: string;
  /** Unix ms on creation time, inclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface FuturesOperations {
  instruments(): Promise<Answer<readonly InstrumentSpec[]>>;
  /** Lowest tier first. Error `exchange_refused` with `unknown_symbol`, as of the next two. */
  riskTiers(symbol: string): Promise<Answer<readonly RiskTier[]>>;
  /** The running rate and at most `limit` (1 to 1000) settlements, newest first. */
  fundingRate(symbol: string, limit?: number): Promise<Answer<FundingRates>>;
  markPrice(symbol: string): Promise<Answer<MarkPrices>>;
  positions(symbol?: string): Promise<Reading<VenuePosition>>;
  /** Newest first; pages to the end. */
  closedPositions(filter: PositionHistoryFilter): Promise<Reading<ClosedPosition>>;
  /** Orders that opened or closed these positions, newest first; pages to the end. */
  closedPositionOrders(filter: PositionHistoryFilter): Promise<Reading<OrderReport>>;
  ownTrades(filter: PositionHistoryFilter): Promise<Reading<VenueFill>>;
  /**
   * At market; answers the order. Refusals: `reduce_only_violation` (nothing to close, or less), `below_minimum`,
   * `off_lot`, `unknown_symbol`, `symbol_halted`.
   */
  close(request: ClosePositionRequest, dispatch: Dispatch, done: OnMoneyOutcome<OrderReport>): void;
  /** Whole times of the margin. Refusals: `leverage_too_high`, `insufficient_balance`, `unknown_symbol`. */
  setLeverage(request: LeverageSetting, dispatch: Dispatch, done: OnMoneyOutcome<LeverageSetting>): void;
  /** Refusals: `illegal_transition` while a position or an order stands, `unknown_symbol`. */
  setMarginType(request: MarginTypeSetting, dispatch: Dispatch, done: OnMoneyOutcome<MarginTypeSetting>): void;
  /** Of the whole account. Refusal: `illegal_transition` while a position or an order stands. */
  setMode(mode: PositionMode, dispatch: Dispatch, done: OnMoneyOutcome<PositionModeSetting>): void;
}

/** The bounds of the profile are unknown; no exchange goes beyond this, and typing errors do. */
const LEVERAGE_MAX = 1000;
const FUNDING_LIMIT_MAX = 1000;
const POSITION_SIDES: ReadonlySet<string> = new Set<PositionSide>(['both', 'long', 'short']);
const MARGIN_TYPES: ReadonlySet<string> = new Set<MarginType>(['isolated', 'cross']);
const MODES: ReadonlySet<string> = new Set<PositionMode>(['one-way', 'hedge']);

/** Whole ms that lose nothing. */
function queryOf({ symbol, from, to }: PositionHistoryFilter): Query {
  return {
    symbol,
    from: from === undefined ? undefined : Math.floor(from),
    to: to === undefined ? undefined : Math.ceil(to),
  };
}

function oneOf(field: string, value: string, known: ReadonlySet<string>): Refused | null {
  return known.has(value) ? null : invalidField(field, `${field} ${value} is none of ${[...known].join(', ')}`);
}

function named(symbol: string): Refused | null {
  return symbol === '' ? invalidField('symbol', 'the symbol is empty') : null;
}

function checkedQuantity(asked: string | undefined): { readonly quantity?: string; readonly invalid: Refused | null } {
  if (asked === undefined) return { invalid: null };
  const { amount, invalid } = checkedAmount(asked);
  if (invalid === null) return { quantity: amount, invalid };
  return { quantity: amount, invalid: invalidField('quantity', invalid.message.replace('amount', 'quantity')) };
}

function wrongLeverage(leverage: number): Refused | null {
  if (Number.isInteger(leverage) && leverage >= 1 && leverage <= LEVERAGE_MAX) return null;
  return invalidField('leverage', `leverage ${leverage} is not a whole number from 1 to ${LEVERAGE_MAX}`);
}

type Changes = Pick<FuturesOperations, 'close' | 'setLeverage' | 'setMarginType' | 'setMode'>;

function createChanges(ports: MoneyPorts): Changes {
  return {
    close({ symbol, positionSide, quantity: asked }, dispatch, done) {
      const { quantity, invalid: wrong } = checkedQuantity(asked);
      const body = { symbol, positionSide, ...(quantity === undefined ? {} : { quantity }) };
      const invalid = named(symbol) ?? oneOf('positionSide', positionSide, POSITION_SIDES) ?? wrong;
      const repeats = { symbol, ...(quantity === undefined ? {} : { quantity }) };
      sendMoney(ports, { endpoint: 'closePosition', body, schema: orderSchema, repeats, invalid }, dispatch, done);
    },
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

/** `lane`: of the account's own readings; public data has the public lane. */
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
