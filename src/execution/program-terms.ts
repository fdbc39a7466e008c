/** What the terms of every program hold beside those of its rule, and which symbols they name. */
import type { ProgramAction } from '../model/program.ts';
import { ruleOf } from '../programs/rules.ts';
import { durationOf } from '../programs/terms.ts';
import type { ProgramState } from '../spine/programs/programs.ts';

export interface SharedTerms {
  /** Ms; 0: never. */
  readonly expire: number;
  readonly onStale: 'hold' | 'exit';
  readonly terms: unknown;
}

export function sharedOf({ spec }: ProgramState): SharedTerms {
  return spec as SharedTerms;
}

export function sharedTerms({ expire, onStale = 'hold' }: ProgramAction): Omit<SharedTerms, 'terms'> {
  return { expire: expire === undefined ? 0 : durationOf(expire, 'expire'), onStale };
}

export function symbolsOf(action: ProgramAction): readonly string[] {
  switch (action.kind) {
    case 'bracket':
      return [action.entry.symbol];
    case 'pair':
      return action.legs.map(({ symbol }) => symbol);
    case 'rebalance':
      return [];
    default:
      return [action.symbol];
  }
}

export function touches(program: ProgramState, symbol: string): boolean {
  if (program.symbol === symbol) return true;
  return ruleOf(program.kind)
    .hears(sharedOf(program).terms, program.symbol)
    .some((heard) => heard.symbol === symbol);
}
