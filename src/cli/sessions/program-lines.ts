/** Order programs as lines of a terminal. */
import type { ProgramUpdate } from '../../model/trading/program.ts';
import { clip } from '../terminal/clip.ts';
import { table, type Colour } from '../terminal/table.ts';

export type ShownProgram = Pick<
  ProgramUpdate,
  'averagePrice' | 'filled' | 'next' | 'quantity' | 'reason' | 'ref' | 'state' | 'symbol' | 'waitsFor'
> & { readonly kind: string };

type Paint = (colour: Colour, text: string) => string;

const COLOURS = { working: 'green', done: 'dim', canceled: 'yellow', failed: 'red' } as const;
/** What an end says at most; `why` shows all of it. */
const REASON_WIDTH = 60;

export function filledText({ filled, quantity }: Pick<ShownProgram, 'filled' | 'quantity'>): string {
  return quantity === null ? filled : `${filled}/${quantity}`;
}

/** Of a working one what it waits for and what fires next, of an ended one why. */
export function waitText({ waitsFor, next, reason }: ShownProgram): string {
  if (waitsFor === null) return clip(reason ?? '', REASON_WIDTH);
  const trigger = next.trigger === undefined ? '' : `, trigger ${next.trigger}`;
  const at = next.at === undefined ? '' : `, next ${new Date(next.at).toISOString().slice(11, 19)}`;
  return `${waitsFor}${trigger}${at}`;
}

export function programTable(programs: readonly ShownProgram[], paint: Paint): string {
  const rows = programs.map((program) => [
    program.ref,
    program.kind,
    program.symbol,
    paint(COLOURS[program.state], program.state),
    filledText(program),
    program.averagePrice ?? '-',
    waitText(program),
  ]);
  return table(rows, {
    head: ['ref', 'kind', 'symbol', 'state', 'filled', 'average', 'waits for, or why it ended'],
    right: [4, 5],
  });
}
