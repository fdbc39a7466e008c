/** Order programs as results and views show them. */
import type { ProgramUpdate } from '../../model/trading/program.ts';
import type { ResultProgram } from './result.ts';

export function programRow(program: ProgramUpdate): ResultProgram {
  const { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt, children } =
    program;
  return { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt, children };
}

/** With what it waits for. */
export function shownProgram(program: ProgramUpdate): ResultProgram & Pick<ProgramUpdate, 'next' | 'waitsFor'> {
  return { ...programRow(program), waitsFor: program.waitsFor, next: program.next };
}
