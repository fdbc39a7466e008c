/** Mean first objective over pairs of parameters. */
import { general } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import { spaceOf, type Dimension } from '../space.ts';
import type { SweepResult } from '../result.ts';
import { colourOf, round, type Scored } from './scale.ts';

const CELLS_MAX = 12;
const SIZE = 252;
const LEFT = 62;
const BOTTOM = 34;
/** The most important parameters. */
const DIMENSIONS_MAX = 4;

export function heatMaps(result: SweepResult, scored: readonly Scored[]): Html {
  const { dimensions } = spaceOf(result.space);
  const weight = (name: string): number => result.landscape.importance.find((row) => row.name === name)?.share ?? 0;
  const chosen = dimensions
    .map((dimension, at) => ({ dimension, at }))
    .filter(({ dimension }) => dimension.levels !== 1)
    .toSorted((a, b) => weight(b.dimension.name) - weight(a.dimension.name))
    .slice(0, DIMENSIONS_MAX);
  const pairs = chosen.flatMap((x, index) => chosen.slice(index + 1).map((y) => [x, y] as const));
  if (pairs.length === 0 || scored.length === 0) return html`<p class="empty">One parameter has no pairs.</p>`;
  return html`<div class="maps">${pairs.map(([x, y]) => heatMap(x.dimension, y.dimension, x.at, y.at, scored))}</div>`;
}

interface Cell {
  count: number;
  sum: number;
}

function heatMap(x: Dimension, y: Dimension, xAt: number, yAt: number, scored: readonly Scored[]): Html {
  const columns = Math.min(CELLS_MAX, x.levels ?? CELLS_MAX);
  const rows = Math.min(CELLS_MAX, y.levels ?? CELLS_MAX);
  const cells: Cell[] = Array.from({ length: columns * rows }, () => ({ count: 0, sum: 0 }));
  for (const { trial, value } of scored) {
    const column = Math.min(columns - 1, Math.floor(trial.point[xAt]! * columns));
    const row = Math.min(rows - 1, Math.floor(trial.point[yAt]! * rows));
    const cell = cells[row * columns + column]!;
    cell.count++;
    cell.sum += value;
  }
  const means = cells.filter(({ count }) => count > 0).map(({ count, sum }) => sum / count);
  const low = Math.min(...means);
  const span = Math.max(...means) - low;
  const width = (SIZE - LEFT) / columns;
  const height = (SIZE - BOTTOM) / rows;
  const label = (value: unknown): string => (typeof value === 'number' ? general(value) : String(value)).slice(0, 9);
  const squares = cells.map((cell, index) => {
    if (cell.count === 0) return null;
    const mean = cell.sum / cell.count;
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const fill = colourOf(span > 0 ? (mean - low) / span : 1);
    return html`<rect
      x="${round(LEFT + column * width)}"
      y="${round(SIZE - BOTTOM - (row + 1) * height)}"
      width="${round(width - 1)}"
      height="${round(height - 1)}"
      fill="${fill}"
    >
      <title>${`${general(mean)}, ${cell.count} trials`}</title>
    </rect>`;
  });
  const edge = 1 - 1e-9;
  return html`<figure>
    <svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="${`${x.name} and ${y.name}`}">
      ${squares}
      <text x="${LEFT}" y="${SIZE - 18}" class="tick">${label(x.valueAt(0))}</text>
      <text x="${SIZE}" y="${SIZE - 18}" class="tick" text-anchor="end">${label(x.valueAt(edge))}</text>
      <text x="${(LEFT + SIZE) / 2}" y="${SIZE - 4}" class="axis" text-anchor="middle">${x.name}</text>
      <text x="${LEFT - 6}" y="${SIZE - BOTTOM - 2}" class="tick" text-anchor="end">${label(y.valueAt(0))}</text>
      <text x="${LEFT - 6}" y="10" class="tick" text-anchor="end">${label(y.valueAt(edge))}</text>
      <text x="${-(SIZE - BOTTOM) / 2}" y="10" class="axis" text-anchor="middle" transform="rotate(-90)">
        ${y.name}
      </text>
    </svg>
    <figcaption>${`${general(low)} to ${general(low + span)}`}</figcaption>
  </figure>`;
}
