/** How much stood in the book at each price and moment: a stronger shade is more, on a scale of roots so that one wall hides nothing. */
import type { HeatColumn } from '../wire/types.ts';
import { xOf, yOf, type Axis } from './axis.ts';
import type { Draw } from './layer.ts';

const ROW_PX = 3;
const STRONGEST = 0.42;

export interface HeatInput {
  readonly axis: Axis;
  readonly columns: readonly HeatColumn[];
  readonly colour: string;
}

export function heatDraw(input: () => HeatInput | null): Draw {
  return (context, { width, height }) => {
    const given = input();
    if (given === null || given.columns.length === 0) return;
    const { axis, columns, colour } = given;
    const most = strongest(columns);
    if (most <= 0) return;
    const rows = new Float64Array(Math.ceil(height / ROW_PX));
    context.fillStyle = colour;
    for (const [index, column] of columns.entries()) {
      const left = xOf(axis, column.ts);
      const right = xOf(axis, columns[index + 1]?.ts ?? column.ts + 1_000);
      if (left === null || right === null || right < 0 || left > width) continue;
      fillRows(rows, axis, column);
      for (let row = 0; row < rows.length; row++) {
        const quantity = rows[row] ?? 0;
        if (quantity === 0) continue;
        context.globalAlpha = Math.min(STRONGEST, 0.03 + STRONGEST * Math.sqrt(quantity / most) * 0.9);
        context.fillRect(left, row * ROW_PX, Math.max(1, right - left), ROW_PX);
      }
    }
    context.globalAlpha = 1;
  };
}

function fillRows(rows: Float64Array, axis: Axis, { prices, quantities }: HeatColumn): void {
  rows.fill(0);
  for (let i = 0; i < prices.length; i++) {
    const y = yOf(axis, prices[i] ?? 0);
    if (y === null || y < 0) continue;
    const row = Math.floor(y / ROW_PX);
    if (row < rows.length) rows[row] = Math.max(rows[row] ?? 0, quantities[i] ?? 0);
  }
}

/** Near the largest: one order of a giant does not fade all others. */
function strongest(columns: readonly HeatColumn[]): number {
  const last = columns.at(-1);
  if (last === undefined) return 0;
  const sorted = Float64Array.from(last.quantities).toSorted();
  return sorted[Math.floor(sorted.length * 0.97)] ?? 0;
}
