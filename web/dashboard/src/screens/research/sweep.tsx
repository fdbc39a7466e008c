/** A search: how far it is, a heat map of two parameters or a chart of the only one, all trials as lines over all parameters, and how much is luck. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { grouped, percent, whole } from '../../ui/number.ts';
import { Card, Figure } from '../../ui/parts.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { SweepDocument, Trial } from './documents.ts';
import { Profile } from './profile.tsx';
import { SearchBar } from './search-badge.tsx';
import { labelOf, statText } from './stats.ts';

export function SweepView({ of }: { readonly of: SweepDocument }): VNode {
  const { counts, luck, landscape, best, interrupted } = of;
  const [objective] = of.space.objectives;
  const metric = objective?.metric ?? 'netPnl';
  const names = Object.keys(of.space.parameters);
  const [only, ...others] = names;
  const sign = objective?.direction === 'minimize' ? -1 : 1;
  const done = of.trials.filter((trial) => typeof trial.metrics[metric] === 'number');
  const ranked = done.toSorted(
    (a, b) => Number(b.feasible) - Number(a.feasible) || sign * ((b.metrics[metric] ?? 0) - (a.metrics[metric] ?? 0)),
  );
  const { progress } = of;
  const isRunning = progress?.state === 'running';
  return (
    <>
      {progress === undefined || progress.state === 'ended' ? null : (
        <SearchBar of={progress} perMinute={of.trialsPerMinute} />
      )}
      <dl class="figures">
        <Figure
          name="Trials"
          value={`${whole(counts.done)} of ${whole(counts.asked)}`}
          note={`${of.method}${interrupted ? ', interrupted' : ''}, ${counts.failed} failed`}
        />
        <Figure
          name={`Best ${labelOf(metric)}`}
          value={statText(metric, best?.metrics[metric])}
          note={best === null ? '' : `trial ${best.number}`}
        />
        <Figure
          name="Plateau"
          value={landscape.plateauScore === null ? '–' : percent(landscape.plateauScore, 0)}
          note="near 100 %: its surroundings are as good"
        />
        <Figure
          name="Deflated Sharpe ratio"
          value={luck.dsr === null ? '–' : grouped(luck.dsr, 3)}
          note={isRunning ? 'known at the end' : `after ${whole(luck.trialsOnData)} tries on these data`}
        />
        <Figure
          name="Overfitting"
          value={luck.pbo === null ? '–' : percent(luck.pbo, 0)}
          note={isRunning ? 'known at the end' : 'chance that the best is below the median later'}
        />
      </dl>
      <div class="two">
        {only === undefined || others.length > 0 ? (
          <HeatMap trials={done} names={names} metric={metric} space={of.space} />
        ) : (
          <Profile
            trials={done}
            name={only}
            metric={metric}
            best={best?.number ?? null}
            ends={[endOf(of.space, only, 'from'), endOf(of.space, only, 'to')]}
          />
        )}
        <Importance of={landscape.importance} edges={landscape.edges} />
      </div>
      {others.length === 0 ? null : <Parallel ranked={ranked} names={names} metric={metric} space={of.space} />}
      <Card title="Best trials" note={`by ${labelOf(metric)}, those that break a constraint last`}>
        <Table
          name="Trials"
          rows={ranked.slice(0, 50)}
          keyOf={({ number }) => String(number)}
          empty="No trial is done"
          columns={columnsOf(names, metric)}
        />
      </Card>
    </>
  );
}

function columnsOf(names: readonly string[], metric: string): readonly Column<Trial>[] {
  return [
    { head: 'Trial', cell: ({ number }) => number, isNumber: true },
    { head: labelOf(metric), cell: ({ metrics }) => statText(metric, metrics[metric]), isNumber: true },
    ...names.map((name): Column<Trial> => ({
      head: name,
      cell: ({ params }) => <span class="mono">{valueText(params[name])}</span>,
      isNumber: true,
    })),
    { head: 'Trades', cell: ({ metrics }) => statText('trades', metrics['trades']), isNumber: true },
    {
      head: 'Deepest fall',
      cell: ({ metrics }) => statText('maxDrawdownPct', metrics['maxDrawdownPct']),
      isNumber: true,
    },
    { head: 'Constraints', cell: ({ feasible }) => (feasible ? 'hold' : <span class="warn">broken</span>) },
  ];
}

const valueText = (value: unknown): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value);

const CELLS = 10;

interface HeatMapProps {
  readonly trials: readonly Trial[];
  readonly names: readonly string[];
  readonly metric: string;
  readonly space: SweepDocument['space'];
}

/** The mean of the trials in each cell; the figure stands in it, so that the colour is not needed. */
function HeatMap({ trials, names, metric, space }: HeatMapProps): VNode {
  const [x, setX] = useState(names[0] ?? '');
  const [y, setY] = useState(names[1] ?? names[0] ?? '');
  const cells = useMemo(() => cellsOf(trials, names.indexOf(x), names.indexOf(y), metric), [trials, x, y, metric]);
  const means = [...cells.values()].map(({ sum, count }) => sum / count);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const pick = (name: string, value: string, set: (name: string) => void): VNode => (
    <select
      class="input compact"
      aria-label={`${name} axis`}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {names.map((each) => (
        <option key={each} value={each}>
          {`${name}: ${each}`}
        </option>
      ))}
    </select>
  );
  return (
    <Card
      title="Heat map"
      note={`mean ${labelOf(metric)}`}
      actions={
        <span class="row">
          {pick('across', x, setX)}
          {pick('up', y, setY)}
        </span>
      }
    >
      {cells.size === 0 ? (
        <Empty title="No trial is done" />
      ) : (
        <div class="body">
          <svg
            class="heat-map"
            viewBox="0 0 500 380"
            role="img"
            aria-label={`Mean ${labelOf(metric)} over ${x} and ${y}, from ${statText(metric, low)} to ${statText(metric, high)}`}
          >
            {[...cells].map(([key, { column, row, sum, count }]) => {
              const mean = sum / count;
              const share = high > low ? (mean - low) / (high - low) : 1;
              return (
                <g key={key}>
                  <rect
                    x={10 + column * 48}
                    y={330 - (row + 1) * 33}
                    width={47}
                    height={32}
                    rx={3}
                    fill="var(--accent)"
                    fill-opacity={0.08 + share * 0.42}
                  />
                  <text x={33.5 + column * 48} y={330 - (row + 1) * 33 + 20} text-anchor="middle">
                    {short(mean)}
                  </text>
                </g>
              );
            })}
            <text class="axis" x={10} y={352}>{`${x}: ${endOf(space, x, 'from')}`}</text>
            <text class="axis" x={490} y={352} text-anchor="end">
              {endOf(space, x, 'to')}
            </text>
            <text
              class="axis"
              x={10}
              y={372}
            >{`up, ${y}: ${endOf(space, y, 'from')} to ${endOf(space, y, 'to')}`}</text>
          </svg>
        </div>
      )}
    </Card>
  );
}

function endOf({ parameters }: SweepDocument['space'], name: string, end: 'from' | 'to'): string {
  const of = parameters[name];
  const choice = end === 'from' ? of?.of?.[0] : of?.of?.at(-1);
  return `${valueText(of?.[end] ?? choice ?? '')}${of?.log === true && end === 'to' ? ' (log)' : ''}`;
}

const short = (value: number): string =>
  Math.abs(value) >= 1_000
    ? `${grouped(value / 1_000, 1)}k`
    : grouped(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

interface Cell {
  readonly column: number;
  readonly row: number;
  sum: number;
  count: number;
}

function cellsOf(trials: readonly Trial[], x: number, y: number, metric: string): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const { point, metrics } of trials) {
    const [column, row] = [x, y].map((at) => Math.min(CELLS - 1, Math.floor((point[at] ?? 0) * CELLS)));
    if (column === undefined || row === undefined) continue;
    const key = `${column} ${row}`;
    const cell = cells.get(key) ?? { column, row, sum: 0, count: 0 };
    cell.sum += metrics[metric] ?? 0;
    cell.count++;
    cells.set(key, cell);
  }
  return cells;
}

function Importance({
  of,
  edges,
}: {
  readonly of: SweepDocument['landscape']['importance'];
  readonly edges: SweepDocument['landscape']['edges'];
}): VNode {
  return (
    <Card title="What matters" note="share of the variance that each parameter explains alone">
      <ul class="bars body wide-names">
        {of
          .toSorted((a, b) => b.share - a.share)
          .map(({ name, share }) => (
            <li key={name}>
              <span class="mono">{name}</span>
              <i style={{ width: `${Math.max(0, share) * 100}%` }} />
              <span class="num">{percent(share, 0)}</span>
            </li>
          ))}
      </ul>
      {edges.map(({ name, end }) => (
        <p
          key={name}
          class="foot warn"
        >{`The best values of ${name} lie at the ${end} end of its range: the search may have been too narrow.`}</p>
      ))}
    </Card>
  );
}

const LINES_MAX = 400;

/** The best fifth stands out, by width and by colour. */
function Parallel({
  ranked,
  names,
  metric,
  space,
}: {
  readonly ranked: readonly Trial[];
  readonly names: readonly string[];
  readonly metric: string;
  readonly space: SweepDocument['space'];
}): VNode {
  const width = 1_000;
  const x = (index: number): number => 50 + (index / Math.max(1, names.length - 1)) * (width - 100);
  const path = ({ point }: Trial): string =>
    names
      .map(
        (_, index) =>
          `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${(190 - (point[index] ?? 0) * 170).toFixed(1)}`,
      )
      .join('');
  const best = Math.max(1, Math.ceil(ranked.length / 5));
  return (
    <Card title="All trials" note={`each line is a trial; the best fifth by ${labelOf(metric)} is strong`}>
      <div class="body scroll" tabIndex={0} role="region" aria-label="All trials over all parameters">
        <svg
          class="parallel"
          viewBox={`0 0 ${width} 236`}
          role="img"
          aria-label={`${ranked.length} trials over ${names.join(', ')}`}
        >
          {ranked.slice(best, LINES_MAX).map((trial) => (
            <path key={trial.number} class="rest" d={path(trial)} />
          ))}
          {ranked.slice(0, best).map((trial) => (
            <path key={trial.number} class="best" d={path(trial)} />
          ))}
          {names.map((name, index) => (
            <g key={name}>
              <line x1={x(index)} x2={x(index)} y1={20} y2={190} />
              <text class="end" x={x(index)} y={14} text-anchor="middle">
                {endOf(space, name, 'to')}
              </text>
              <text class="end" x={x(index)} y={206} text-anchor="middle">
                {endOf(space, name, 'from')}
              </text>
              <text x={x(index)} y={226} text-anchor="middle">
                {name}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </Card>
  );
}
