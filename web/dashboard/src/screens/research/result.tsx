/** One result: of a run its curve and figures, of a search its map, of a validation its verdict. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Columns, PlotSpec } from '../../charts/curve-plot.ts';
import { css } from '../../charts/palette.ts';
import { metricGroups } from '../../../../../src/research/report/metric-table.ts';
import { href } from '../../state/route.ts';
import { useResource } from '../../state/resource.ts';
import type { ResultRow } from '../../wire/types.ts';
import { grouped, percent, shortPath, whole } from '../../ui/number.ts';
import { Badge, Card, Figure, toneOf, type Tone } from '../../ui/parts.tsx';
import { Plot } from '../../ui/plot.tsx';
import { WhenThere } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { length, stamp, stampSeconds, zoneName } from '../../ui/time.ts';
import type { ResultDocument, RunDocument, ValidationDocument } from './documents.ts';
import { DriftOf } from './drift.tsx';
import { RunFigures } from './run-figures.tsx';
import { statText } from './stats.ts';
import { SweepView } from './sweep.tsx';

const SEARCH_EVERY_MS = 1_000;
/** Of a search; ids of result files are longer. */
const STUDY = /^[0-9a-f]{12}$/;

function isRunningSearch(found: ResultDocument): boolean {
  return found.command === 'sweep' && found.progress?.state === 'running';
}

export function ResultView({ id, row }: { readonly id: string; readonly row: ResultRow | undefined }): VNode {
  // The list has no row of a search once its result is written; its progress stays.
  const isSearch = row === undefined ? STUDY.test(id) : row.kind === 'sweep';
  const path = isSearch ? `sweeps/${encodeURIComponent(id)}` : `results/${encodeURIComponent(id)}`;
  const [turn, setTurn] = useState(0);
  // The list says when a file was written again.
  const answer = useResource<ResultDocument>(path, {}, `${row?.at} ${turn}`);
  const isRunning = answer.state === 'there' && isRunningSearch(answer.value);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(
      () => document.visibilityState === 'visible' && setTurn((before) => before + 1),
      SEARCH_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <>
      <div class="head">
        <h1>{row?.strategy ?? id}</h1>
        {row === undefined ? null : <Badge>{row.kind}</Badge>}
        <a class="push" href={href('research')}>
          all results
        </a>
        <span class="sub">
          {row === undefined
            ? id
            : `${shortPath(row.file)}, data of ${stamp(row.from)} to ${stamp(row.to)} ${zoneName(row.to)}, ${length(row.to - row.from)}`}
        </span>
      </div>
      <WhenThere of={answer} what="The result">
        {(found) => (
          <div class="stack">
            {found.command === 'sweep' ? (
              <SweepView of={found} />
            ) : found.command === 'validate' ? (
              <ValidationView of={found} />
            ) : (
              <RunView of={found} session={row?.session ?? null} />
            )}
            <Warnings of={found.warnings ?? []} />
          </div>
        )}
      </WhenThere>
    </>
  );
}

function Warnings({ of }: { readonly of: readonly string[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul class="body reasons">
        {of.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Card>
  );
}

const HEADLINES = ['netPnl', 'sharpe', 'maxDrawdownPct', 'trades', 'winRate', 'fees'] as const;

interface RunViewProps {
  readonly of: RunDocument;
  /** Its id, where the run was one. */
  readonly session: string | null;
}

function RunView({ of, session }: RunViewProps): VNode {
  const { stats, currency = '', equity, ledger } = of;
  const columns = useMemo<Columns>(() => [equity.map(([ts]) => ts), equity.map(([, value]) => value)], [equity]);
  const spec = (): PlotSpec => ({
    height: 260,
    unit: currency,
    showTime: true,
    series: [{ stroke: css('--accent'), width: 1.5, points: { show: false } }],
    describe: (index, [ts, value]) => `${stampSeconds(ts?.[index])}   ${grouped(value?.[index] ?? 0, 2)} ${currency}`,
  });
  const shown = HEADLINES.filter((name) => name in stats);
  return (
    <>
      <dl class="figures">
        {shown.map((name) => (
          <Figure
            key={name}
            name={metricGroups.flatMap(({ rows }) => rows).find((row) => row.name === name)?.label ?? name}
            value={statText(name, stats[name])}
            tone={name === 'netPnl' && typeof stats[name] === 'number' ? toneOf(stats[name]) : ''}
          />
        ))}
        {ledger === undefined ? null : (
          <Figure name="Tries on these data" value={whole(ledger.trials)} note="the best of many looks good by luck" />
        )}
      </dl>
      <Card title="Equity" note={currency}>
        <Plot name="Equity" columns={columns} spec={spec} height={260} />
      </Card>
      {session === null ? null : <DriftOf session={session} />}
      <RunFigures of={of} />
    </>
  );
}

const LEVEL_TONES: Readonly<Record<string, Tone>> = { strong: 'ok', moderate: 'ok', weak: 'warn', none: 'bad' };

function ValidationView({ of }: { readonly of: ValidationDocument }): VNode {
  const { verdict, base, overfitting, stress, lookAhead } = of;
  const tone = LEVEL_TONES[verdict.level] ?? 'warn';
  return (
    <>
      <Card title="Verdict" actions={<Badge tone={tone}>{verdict.level}</Badge>}>
        <div class="body">
          <p class="verdict">{verdict.sentence}</p>
          <ul class="reasons">
            {verdict.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      </Card>
      <dl class="figures">
        <Figure name="Net P&L" value={statText('netPnl', base.metrics['netPnl'])} />
        <Figure
          name="p-value of the best try"
          value={base.maxTPValue === null ? '–' : grouped(base.maxTPValue, 3)}
          note={`of ${whole(base.trialsOnData)} tries on these data`}
        />
        <Figure
          name="Deflated Sharpe ratio"
          value={base.dsr === null ? '–' : grouped(base.dsr, 3)}
          note="probability that it is not luck"
        />
        <Figure
          name="Overfitting"
          value={'pbo' in overfitting ? percent(overfitting.pbo, 0) : '–'}
          note={'pbo' in overfitting ? 'chance that the best is below the median later' : overfitting.skipped}
        />
        <Figure
          name="Looks ahead"
          value={lookAhead.ok === null ? 'not checked' : lookAhead.ok ? 'no' : 'yes'}
          tone={lookAhead.ok === false ? 'bad' : ''}
        />
      </dl>
      <Card title="Under stress">
        <Table
          name="Stress"
          rows={stress}
          keyOf={({ name }) => name}
          empty="No stress run"
          columns={[
            { head: 'Run', cell: ({ name }) => name },
            { head: 'Change', cell: ({ change }) => change, isText: true },
            {
              head: 'Net P&L',
              cell: ({ metrics, reason }) =>
                metrics === null ? (reason ?? 'failed') : statText('netPnl', metrics['netPnl']),
              isNumber: true,
            },
            { head: 'Sharpe', cell: ({ metrics }) => statText('sharpe', metrics?.['sharpe']), isNumber: true },
            { head: 'Trades', cell: ({ metrics }) => statText('trades', metrics?.['trades']), isNumber: true },
          ]}
        />
      </Card>
    </>
  );
}
