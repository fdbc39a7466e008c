/** Mutants of instruments that change while a session trades, or while nothing runs. */
import { ticksAlone } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const WATCH = 'src/exchange/instrument-watch.ts';

export const instrumentMutants: readonly Mutant[] = [
  {
    id: 'other-steps-unnoticed',
    catalogue: 'M02',
    what: 'a session goes on in steps that are not those of the instrument any more',
    file: WATCH,
    find: '  if (steps.length > 0) return',
    replace: '  if (steps.length > 99) return',
    calm: true,
    faults: { 'instrument-changes': 0.03 },
  },
  {
    id: 'halt-unnoticed',
    catalogue: 'M02',
    what: 'a session takes new risk in a symbol that it was told to be halted',
    file: WATCH,
    find: "  return now.status === 'halted' ? { reason",
    replace: "  return now.status !== 'halted' && now.status !== 'trading' ? { reason",
    calm: true,
    faults: { 'instrument-changes': 0.03 },
  },
  {
    id: 'delisted-unnoticed',
    catalogue: 'M02',
    what: 'a session takes new risk in a symbol that is not listed any more',
    file: WATCH,
    find: '      else if (missing >= MISSING_MIN)',
    replace: '      else if (missing >= MISSING_MIN * 1000)',
    calm: true,
    faults: { 'instrument-changes': 0.03 },
  },
  {
    id: 'finer-steps-unnoticed',
    catalogue: 'M02',
    what: 'public frames off the grid of the session are no reason to ask for the instrument',
    file: WATCH,
    find: '    this.#rest = this.#deps.clock.after(SHUT_MS, () => (this.#rest = null));',
    replace: '    if (this.#cancels.length > 0) return;',
    calm: true,
    faults: { 'instrument-changes': 0.02, kill: 0.01 },
    knobs: [ticksAlone],
  },
  {
    id: 'halted-at-the-start-for-ever',
    catalogue: 'M02',
    what: 'what was halted at the start takes no order for as long as the session runs, reductions neither',
    file: 'src/execution/rules/placement.ts',
    find: '    const { symbol } = instrument;\n    const { stopping, flattening',
    replace:
      "    const { symbol } = instrument;\n    if (instrument.spec.status === 'halted') return denied('symbol_halted', symbol);\n    const { stopping, flattening",
    calm: true,
    faults: { 'instrument-changes': 0.02, kill: 0.02 },
  },
  {
    id: 'old-grid-kept',
    catalogue: 'M02',
    what: 'a start counts what the journal holds in lots of before as if they were those of now',
    file: 'src/spine/regrid.ts',
    find: '    if (now !== undefined && !isSameGrid(instrument, now)) changed.set(now.symbol, now);',
    replace: '    if (now !== undefined && changed.size > 99) changed.set(now.symbol, now);',
    calm: true,
    faults: { 'instrument-changes-while-down': 0.2, kill: 0.02 },
  },
];
