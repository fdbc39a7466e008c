/** First objective by trial, and the best feasible so far. */
import { general } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import type { SweepResult } from '../result.ts';
import { colourOf, round, type Scored } from './scale.ts';

const WIDTH = 1120;
const HEIGHT = 240;
const SIDE = 60;
const EDGE = 22;
const POINTS_MAX = 2_000;

export function searchHistory({ space }: SweepResult, scored: readonly Scored[]): Html {
  const [objective] = space.objectives;
  if (objective === undefined || scored.length === 0) return html`<p class="empty">No trial has a value.</p>`;
  const values = scored.map(({ value }) => value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const last = Math.max(1, ...scored.map(({ trial }) => trial.number));
  const x = (number: number): number => round(SIDE + (number / last) * (WIDTH - 2 * SIDE));
  const y = (value: number): number =>
    round(HEIGHT - EDGE - (span > 0 ? (value - low) / span : 0.5) * (HEIGHT - 2 * EDGE));
  const isBetter = (a: number, b: number): boolean => (objective.direction === 'maximize' ? a > b : a < b);
  let best = Number.NaN;
  const steps: string[] = [];
  for (const { trial, value } of scored) {
    if (!trial.feasible || (!Number.isNaN(best) && !isBetter(value, best))) continue;
    if (!Number.isNaN(best)) steps.push(`${x(trial.number)},${y(best)}`);
    best = value;
    steps.push(`${x(trial.number)},${y(best)}`);
  }
  if (steps.length > 0) steps.push(`${x(last)},${y(best)}`);
  const every = Math.max(1, Math.ceil(scored.length / POINTS_MAX));
  const dots = scored
    .filter((_, index) => index % every === 0)
    .map(
      ({ trial, value, share }) =>
        html`<circle
          cx="${x(trial.number)}"
          cy="${y(value)}"
          r="2.4"
          fill="${colourOf(share)}"
          opacity="${trial.feasible ? 1 : 0.3}"
        />`,
    );
  return html`<svg class="parallel" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Trials in order">
    ${dots}
    <polyline points="${steps.join(' ')}" fill="none" class="best" />
    <text x="${SIDE - 8}" y="${EDGE + 4}" class="tick" text-anchor="end">${general(low + span)}</text>
    <text x="${SIDE - 8}" y="${HEIGHT - EDGE}" class="tick" text-anchor="end">${general(low)}</text>
    <text x="${SIDE}" y="${HEIGHT - 4}" class="tick">trial 0</text>
    <text x="${WIDTH - SIDE}" y="${HEIGHT - 4}" class="tick" text-anchor="end">${`trial ${last}`}</text>
  </svg>`;
}
