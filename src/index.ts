/**
 * The public API: what a strategy file imports, and nothing else. docs/strategy.md is its guide.
 */
export { z } from 'zod';

export { defineCandleStrategy, defineStrategy } from './strategy/define.ts';
export {
  advertise,
  cancel,
  cancelAll,
  flatten,
  note,
  p2pTrade,
  place,
  quote,
  target,
  transfer,
} from './strategy/actions.ts';
/** The same by one name: `programs.bracket`. */
export * as programs from './strategy/programs.ts';
export {
  bracket,
  chase,
  dca,
  grid,
  iceberg,
  oco,
  pair,
  pov,
  rebalance,
  stop,
  trailingStop,
  twap,
  vwap,
} from './strategy/programs.ts';

export type {
  AdvertiseOptions,
  P2pTradeOptions,
  PlaceOptions,
  QuoteOptions,
  QuoteSides,
  TargetOptions,
  TransferOptions,
} from './strategy/actions.ts';
export type {
  Bars,
  MarketStreams,
  StateFactory,
  StateValue,
  StrategyAccountContext,
  StrategyChart,
  StrategyClock,
  StrategyContext,
  StrategyMarket,
  StrategyP2pContext,
} from './strategy/context/context.ts';
export type { CandleContext, CandleSetupContext } from './strategy/context/context.ts';
export type { FreeBalance, OpenPosition } from './strategy/context/account-values.ts';
export type { CandleStrategySpec, CandleWarmup, StrategySpec } from './strategy/define.ts';
export type { WarmupSpec } from './strategy/context/history.ts';
export type { Decision, StopReason, StrategyDefinition } from './strategy/definition.ts';
export type { Indicator } from './strategy/indicators/indicator.ts';
export type { Indicators } from './strategy/indicators/indicators.ts';
export { file } from './strategy/inputs/file.ts';
export type { CsvRow } from './strategy/inputs/csv-rows.ts';
export type { InputFile } from './strategy/inputs/input-file.ts';
export { model } from './strategy/models/model.ts';
export type { Model } from './strategy/models/model-handle.ts';
export type { Tensor, TensorLike, TensorSlot } from './strategy/models/tensor.ts';
export { size } from './strategy/sizing/size.ts';
export type { FixedRiskInput, KellyInput, VolatilityInput } from './strategy/sizing/size.ts';

export type { AccountType, Balance, StrategyPosition } from './model/trading/account.ts';
export type {
  Action,
  AdvertiseAction,
  CancelAction,
  CancelAllAction,
  FlattenAction,
  NoteAction,
  P2pTradeAction,
  QuoteAction,
  QuoteLeg,
  QuoteTolerance,
  TargetAction,
  TargetVia,
  TransferAction,
} from './model/trading/action.ts';
export type { PlaceAction } from './model/trading/place.ts';
export type { Fill, FillSince } from './model/trading/fill.ts';
export type { InboundSignal } from './model/inbound-signal.ts';
export type { Instrument, InstrumentSpec } from './model/market/instrument.ts';
export type { DecimalLike } from './model/numbers/money.ts';
export type { OrderState, OrderType, OrderUpdate, PositionSide, Side, TimeInForce } from './model/trading/order.ts';
export type {
  BracketAction,
  ChaseAction,
  DcaAction,
  ExitPrice,
  GridAction,
  IcebergAction,
  OcoAction,
  OcoLeg,
  PairAction,
  PovAction,
  ProgramAction,
  ProgramKind,
  ProgramUpdate,
  RebalanceAction,
  StopAction,
  TrailingStopAction,
  TriggerSource,
  TwapAction,
  VwapAction,
} from './model/trading/program.ts';
export type { Advertisement, P2pMarket, P2pMarketView, P2pTrade } from './model/funds/p2p.ts';
export type { Logger } from './model/ports.ts';
export type {
  BookSnapshot,
  BookView,
  Candle,
  FundingRate,
  Gap,
  Level,
  MarkPrice,
  Ticker,
  MarketView,
  Top,
  Trade,
} from './model/market/views.ts';
