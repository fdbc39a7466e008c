/** The shapes of the API, from its own schemas; types alone, so no schema is in the page. */
export type {
  BridgeCommand,
  CommandAccepted,
  CommandName,
  PlanAnswer,
} from '../../../../src/bridge/schemas/command.ts';
export type { ConfirmAnswer, ErrorAnswer } from '../../../../src/bridge/schemas/common.ts';
export type {
  EntryPage,
  EntryRow,
  FillPage,
  LogLine,
  LogPage,
  Why,
  WhyNot,
} from '../../../../src/bridge/schemas/entries.ts';
export type {
  Book,
  Candle,
  CandlePage,
  EquityCurve,
  EquityPoint,
  HeatColumn,
  HeatPage,
} from '../../../../src/bridge/schemas/market.ts';
export type { BalanceRow, FillRow, OrderRow, PositionRow, ProgramRow } from '../../../../src/bridge/schemas/orders.ts';
export type {
  DriftAnswer,
  DriftReport,
  RecordingList,
  RecordingRow,
  ResultList,
  ResultRow,
  SettingsAnswer,
  SweepProgress,
} from '../../../../src/bridge/schemas/research.ts';
export type {
  AlarmRow,
  GateRow,
  Health,
  LatencyRow,
  LimitRow,
  SessionDetail,
  SessionList,
  SessionSummary,
  StreamRow,
} from '../../../../src/bridge/schemas/session.ts';
export type { StreamMessage, SubscribeMessage } from '../../../../src/bridge/schemas/stream.ts';
