/** Used parts of limits of the account, as the risk checks and `limits show` count them: of those now in force. */
import type { Executor } from '../../execution/executor.ts';
import { LimitBook } from '../../risk/limit-book.ts';
import type { RiskOptions } from '../../risk/options.ts';

export interface UsedLimit {
  readonly name: string;
  /** 0 to 1. */
  readonly used: number;
}

/** Without the daily loss while it is not known. */
export function usedLimits(
  executor: Pick<Executor, 'lossOfDay' | 'state'>,
  risk: RiskOptions,
  openOrders: number,
  now: number,
): readonly UsedLimit[] {
  const { state } = executor;
  const { dailyLossFraction, maxOpenOrders } = new LimitBook({ risk, strategies: new Map() }, state.overrides).at(
    now,
  ).risk;
  const lost = lostPart(executor);
  return [
    ...(lost === null ? [] : [{ name: 'daily loss', used: partOf(lost, dailyLossFraction) }]),
    { name: 'open orders', used: partOf(openOrders, maxOpenOrders) },
  ];
}

/** As a part of the equity that the UTC day began with; a gain is none. */
function lostPart(executor: Pick<Executor, 'lossOfDay' | 'state'>): number | null {
  const loss = executor.lossOfDay();
  const { day } = executor.state;
  if (loss === undefined || day?.day !== loss.day || !(Number(day.equity) > 0)) return null;
  return Math.max(0, loss.amount) / Number(day.equity);
}

/** 0 sets no limit. */
function partOf(used: number, limit: number): number {
  return limit > 0 ? used / limit : 0;
}
