/** What an earlier process of the session left at the exchange, by its journal. */
import { sharedOf } from '../../execution/programs/program-terms.ts';
import type { Market } from '../../model/market/instrument.ts';
import type { Replay } from '../../spine/replay.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';

/** Symbols in which an order lives, a position is open or a program works, whatever the strategies name now. */
export function standingSymbols({ state }: Pick<Replay, 'state'>): readonly string[] {
  const orders = state.orders.allLive().map(({ instrument }) => instrument.symbol);
  const held = state.positions.all().flatMap(({ lots, instrument }) => (lots === 0 ? [] : [instrument.symbol]));
  const programs = [...state.programs.working].flatMap(symbolsOf);
  return [...new Set([...orders, ...held, ...programs])];
}

/** Of every symbol that the session ever traded: reports of orders that ended there may be late. */
export function tradedMarkets({ instruments }: Pick<Replay, 'instruments'>): readonly Market[] {
  return [...new Set(instruments.all().map(({ market }) => market))];
}

/** A pair and a rebalance work in several. */
function symbolsOf(program: ProgramState): readonly string[] {
  return [program.symbol, ...sharedOf(program).grids.map(([name]) => name)];
}
