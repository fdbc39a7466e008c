/** Parallel coordinates, coloured by the first objective. */
import { general } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import type { SweepResult } from '../result.ts';
import { spaceOf } from '../space.ts';
import { colourOf, round, type Scored } from './scale.ts';

const WIDTH = 1120;
const HEIGHT = 320;
const TOP = 28;
const SIDE = 60;
/** The best, and an even choice of the others. */
const LINES_MAX = 600;

interface Axis {
  readonly name: string;
  readonly low: string;
  readonly high: string;
  readonly shareOf: (line: Scored) => number;
}

export function parallelCoordinates(result: SweepResult, scored: readonly Scored[]): Html {
  const axes = axesOf(result, scored);
  const step = (WIDTH - 2 * SIDE) / Math.max(1, axes.length - 1);
  const place = (at: number): number => round(SIDE + at * step);
  const level = (share: number): number => round(HEIGHT - TOP - share * (HEIGHT - 2 * TOP));
  const lines = chosen(scored).map((line) => {
    const points = axes.map((axis, at) => `${place(at)},${level(axis.shareOf(line))}`).join(' ');
    const opacity = line.share > 0.9 ? 0.9 : 0.25;
    return html`<polyline
      points="${points}"
      fill="none"
      stroke="${colourOf(line.share)}"
      stroke-opacity="${opacity}"
    />`;
  });
  return html`<svg class="parallel" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Parallel coordinates">
    ${lines}
    ${axes.map(
      ({ name, low, high }, at) =>
        html`<line x1="${place(at)}" x2="${place(at)}" y1="${TOP}" y2="${HEIGHT - TOP}" class="rule" />
          <text x="${place(at)}" y="${HEIGHT - 12}" class="tick" text-anchor="middle">${low}</text>
          <text x="${place(at)}" y="${TOP - 4}" class="tick" text-anchor="middle">${high}</text>
          <text x="${place(at)}" y="11" class="axis" text-anchor="middle">${name}</text>`,
    )}
  </svg>`;
}

function axesOf({ space }: SweepResult, scored: readonly Scored[]): readonly Axis[] {
  const label = (value: unknown): string => (typeof value === 'number' ? general(value) : String(value)).slice(0, 12);
  const parameters = spaceOf(space).dimensions.map(({ name, valueAt }, at): Axis => ({
    name,
    low: label(valueAt(0)),
    high: label(valueAt(1 - 1e-9)),
    shareOf: ({ trial }) => trial.point[at] ?? 0,
  }));
  const objectives = space.objectives.map(({ metric }): Axis => {
    const values = scored.flatMap(({ trial }) => trial.metrics[metric] ?? []);
    const low = Math.min(...values);
    const span = Math.max(...values) - low;
    return {
      name: metric,
      low: label(low),
      high: label(low + span),
      shareOf: ({ trial }) => (span > 0 ? ((trial.metrics[metric] ?? low) - low) / span : 0.5),
    };
  });
  return [...parameters, ...objectives];
}

/** Worst first, so that the best lie on top. */
function chosen(scored: readonly Scored[]): readonly Scored[] {
  const sorted = scored.toSorted((a, b) => a.share - b.share);
  if (sorted.length <= LINES_MAX) return sorted;
  const best = sorted.slice(-LINES_MAX / 2);
  const others = sorted.slice(0, -LINES_MAX / 2);
  const every = others.length / (LINES_MAX / 2);
  return [...Array.from({ length: LINES_MAX / 2 }, (_, index) => others[Math.floor(index * every)]!), ...best];
}
