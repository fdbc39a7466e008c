/** A search over one parameter: the objective of each trial over its value, joined by the means of equal values. */
import type { VNode } from 'preact';
import { Card } from '../../ui/parts.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Trial } from './documents.ts';
import { meansOf, placesOf } from './profile-places.ts';
import { labelOf, statText } from './stats.ts';

const [WIDTH, HEIGHT] = [500, 300];
const FRAME = { left: 74, right: 484, top: 16, bottom: 250 };

interface ProfileProps {
  readonly trials: readonly Trial[];
  readonly name: string;
  readonly metric: string;
  readonly best: number | null;
  /** The ends of the range, as text. */
  readonly ends: readonly [from: string, to: string];
}

export function Profile({ trials, name, metric, best, ends }: ProfileProps): VNode {
  const places = placesOf(trials, metric);
  const values = places.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number): number => FRAME.left + at * (FRAME.right - FRAME.left);
  const y = (value: number): number =>
    FRAME.bottom - (high > low ? (value - low) / (high - low) : 0.5) * (FRAME.bottom - FRAME.top);
  const line = meansOf(places).map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const rule = (value: number): VNode => (
    <g key={value}>
      <line x1={FRAME.left} x2={FRAME.right} y1={y(value)} y2={y(value)} />
      <text class="axis" x={FRAME.left - 8} y={y(value) + 4} text-anchor="end">
        {statText(metric, value)}
      </text>
    </g>
  );
  return (
    <Card title={`${labelOf(metric)} over ${name}`} note="a point is a trial, the ring the best">
      {places.length === 0 ? (
        <Empty title="No trial is done" />
      ) : (
        <div class="body">
          <svg
            class="profile"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-label={`${labelOf(metric)} of ${places.length} trials over ${name}, from ${statText(metric, low)} to ${statText(metric, high)}`}
          >
            {[...new Set([low, high])].map(rule)}
            {low < 0 && high > 0 ? <line class="zero" x1={FRAME.left} x2={FRAME.right} y1={y(0)} y2={y(0)} /> : null}
            <polyline points={line.join(' ')} />
            {places.map(({ number, at, value, text, isFeasible }) => (
              <circle
                key={number}
                class={`${isFeasible ? '' : 'broken'} ${number === best ? 'best' : ''}`}
                cx={x(at)}
                cy={y(value)}
                r={number === best ? 6 : 3.5}
              >
                <title>{`trial ${number}: ${name} ${text}, ${labelOf(metric)} ${statText(metric, value)}`}</title>
              </circle>
            ))}
            <text class="axis" x={FRAME.left} y={FRAME.bottom + 24}>
              {ends[0]}
            </text>
            <text class="axis" x={FRAME.right} y={FRAME.bottom + 24} text-anchor="end">
              {ends[1]}
            </text>
            <text class="axis" x={(FRAME.left + FRAME.right) / 2} y={FRAME.bottom + 44} text-anchor="middle">
              {name}
            </text>
          </svg>
        </div>
      )}
    </Card>
  );
}
