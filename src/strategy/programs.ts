/** Builders of order programs: plain frozen data, like all actions (docs/programs.md). */
import type {
  BracketAction,
  ChaseAction,
  DcaAction,
  GridAction,
  IcebergAction,
  OcoAction,
  PairAction,
  PovAction,
  ProgramAction,
  RebalanceAction,
  StopAction,
  TrailingStopAction,
  TwapAction,
  VwapAction,
} from '../model/trading/program.ts';
import { actionProblem } from './action-shape.ts';
import { strategyErrors } from './errors.ts';

type OptionsOf<A extends ProgramAction> = Omit<A, 'kind'>;

function built<A extends ProgramAction>(kind: A['kind'], options: OptionsOf<A>): A {
  // The options and the kind are the action.
  const action = { ...options, kind } as A;
  const problem = actionProblem(action);
  if (problem !== undefined) throw strategyErrors.make('strategy_action_invalid', problem, { action: kind });
  return Object.freeze(action);
}

/** A market order, or a limit order `limit` beyond, once the price reaches `trigger`. */
export function stop(options: OptionsOf<StopAction>): StopAction {
  return built<StopAction>('stop', options);
}

/** A stop that follows the best price at a distance. */
export function trailingStop(options: OptionsOf<TrailingStopAction>): TrailingStopAction {
  return built<TrailingStopAction>('trailingStop', options);
}

/** Two of `place`, `stop` and `trailingStop`, of equal quantity: what one fills the other loses. */
export function oco(options: OptionsOf<OcoAction>): OcoAction {
  return built<OcoAction>('oco', options);
}

/** An entry with its exits, sized by what it has filled. */
export function bracket(options: OptionsOf<BracketAction>): BracketAction {
  return built<BracketAction>('bracket', options);
}

/** A quantity in equal slices by the clock. */
export function twap(options: OptionsOf<TwapAction>): TwapAction {
  return built<TwapAction>('twap', options);
}

/** A quantity in slices by a curve of volume. */
export function vwap(options: OptionsOf<VwapAction>): VwapAction {
  return built<VwapAction>('vwap', options);
}

/** A share of the printed volume. */
export function pov(options: OptionsOf<PovAction>): PovAction {
  return built<PovAction>('pov', options);
}

/** A limit order of which only a part rests. */
export function iceberg(options: OptionsOf<IcebergAction>): IcebergAction {
  return built<IcebergAction>('iceberg', options);
}

/** One limit order at the touch that follows it. */
export function chase(options: OptionsOf<ChaseAction>): ChaseAction {
  return built<ChaseAction>('chase', options);
}

/** Orders on levels; each fill places its opposite one level away. */
export function grid(options: OptionsOf<GridAction>): GridAction {
  return built<GridAction>('grid', options);
}

/** Averages in, leaves at once from the average price. */
export function dca(options: OptionsOf<DcaAction>): DcaAction {
  return built<DcaAction>('dca', options);
}

/** The fewest trades to the weights. */
export function rebalance(options: OptionsOf<RebalanceAction>): RebalanceAction {
  return built<RebalanceAction>('rebalance', options);
}

/** Legs that fill together. */
export function pair(options: OptionsOf<PairAction>): PairAction {
  return built<PairAction>('pair', options);
}
