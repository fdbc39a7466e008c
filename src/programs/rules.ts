/** The table of programs. */
import type { ProgramAction, ProgramKind } from '../model/trading/program.ts';
import { bracket } from './bracket.ts';
import { chase } from './chase.ts';
import { dca } from './dca.ts';
import { grid } from './grid.ts';
import { iceberg } from './iceberg.ts';
import { oco } from './oco.ts';
import { pair } from './pair.ts';
import { pov } from './pov.ts';
import { rebalance } from './rebalance.ts';
import type { ProgramRule } from './rule.ts';
import { twap, vwap } from './slices.ts';
import { stop, trailingStop } from './stop.ts';

const RULES = {
  stop,
  trailingStop,
  oco,
  bracket,
  twap,
  vwap,
  pov,
  iceberg,
  chase,
  grid,
  dca,
  rebalance,
  pair,
} satisfies Record<ProgramKind, unknown>;

export type AnyRule = ProgramRule<ProgramAction, unknown, unknown>;

/** Each rule reads only terms and data that it has made itself, so one type serves all. */
export function ruleOf(kind: ProgramKind): AnyRule {
  return RULES[kind];
}

export function isProgram(kind: string): kind is ProgramKind {
  return Object.hasOwn(RULES, kind);
}
