/** Several results beside each other: curves in percent of their start, and the figures that differ. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Columns, PlotSpec } from '../../charts/curve-plot.ts';
import { css } from '../../charts/palette.ts';
import { href } from '../../state/route.ts';
import { ApiError, read } from '../../wire/api.ts';
import type { ResultList, ResultRow } from '../../wire/types.ts';
import { grouped } from '../../ui/number.ts';
import { Card } from '../../ui/parts.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { length } from '../../ui/time.ts';
import type { RunDocument } from './documents.ts';
import { metricRows } from '../../../../../src/research/report/metric-table.ts';
import { flatParams, paramText } from './parts-of.ts';
import { statText } from './stats.ts';

const LETTERS = 'ABCDEF';
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [3, 6]];
/** Points of a joined curve. */
const POINTS = 600;

export function Compare({
  ids,
  results,
}: {
  readonly ids: readonly string[];
  readonly results: ResultList['results'];
}): VNode {
  const [documents, setDocuments] = useState<readonly RunDocument[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    Promise.all(ids.map((id) => read<RunDocument>(`results/${encodeURIComponent(id)}`))).then(
      setDocuments,
      (thrown: unknown) => {
        if (thrown instanceof ApiError) setError(thrown);
      },
    );
  }, [ids.join()]);
  const rows = ids.map((id) => results.find((row) => row.id === id));
  return (
    <>
      <div class="head">
        <h1>{`Compare ${ids.length} results`}</h1>
        <a class="push" href={href('research')}>
          all results
        </a>
      </div>
      {error === null ? null : <Failed error={error} what="A result" />}
      {documents === null && error === null ? <Loading what="results" /> : null}
      {documents === null ? null : (
        <div class="stack">
          <Curves of={documents} />
          <Differences documents={documents} rows={rows} />
        </div>
      )}
    </>
  );
}

function Curves({ of }: { readonly of: readonly RunDocument[] }): VNode {
  const columns = useMemo<Columns>(() => {
    const longest = Math.max(...of.map(({ period }) => period.to - period.from));
    const times = Array.from({ length: POINTS }, (_, index) => (index / (POINTS - 1)) * longest);
    return [times, ...of.map((document) => rebased(document, times))];
  }, [of]);
  const spec = (): PlotSpec => ({
    height: 300,
    unit: '%',
    showTime: false,
    series: of.map((_, index) => ({
      stroke: css(`--c${index}`),
      width: 1.75,
      dash: DASHES[index] ?? [],
      points: { show: false },
    })),
    describe: (index, [ts, ...values]) =>
      [
        `after ${length(ts?.[index])}`,
        ...values.flatMap((value, of) =>
          value[index] === null || value[index] === undefined ? [] : [`${LETTERS[of]} ${grouped(value[index], 3)} %`],
        ),
      ].join('   '),
  });
  return (
    <Card title="Equity" note="percent of each start, over the time since it">
      <Plot name="Equity of the compared results" columns={columns} spec={spec} height={300} />
      <div class="foot legend">
        {of.map(({ strategy }, index) => (
          <span key={LETTERS[index]} style={{ color: `var(--c${index})` }}>
            <i class={index === 0 ? '' : 'dash'} />
            {`${LETTERS[index]} ${strategy}`}
          </span>
        ))}
      </div>
    </Card>
  );
}

/** Read at times since the start; nothing after its end. */
function rebased({ equity, period }: RunDocument, times: readonly number[]): (number | null)[] {
  const first = equity[0]?.[1] ?? 1;
  let at = 0;
  return times.map((time) => {
    const ts = period.from + time;
    if (ts > period.to) return null;
    while (at + 1 < equity.length && (equity[at + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= ts) at++;
    return ((equity[at]?.[1] ?? first) / first - 1) * 100;
  });
}

function Differences({
  documents,
  rows,
}: {
  readonly documents: readonly RunDocument[];
  readonly rows: readonly (ResultRow | undefined)[];
}): VNode {
  const given = documents.map(flatParams);
  const parameters = [...new Set(given.flatMap((params) => Object.keys(params)))].filter(
    (name) => new Set(given.map((params) => JSON.stringify(params[name]))).size > 1,
  );
  const metrics = metricRows.filter(({ name }) => documents.some(({ stats }) => typeof stats[name] === 'number'));
  return (
    <Card title="Figures" note="parameters that differ first">
      <div class="scroll" tabIndex={0} role="region" aria-label="Figures">
        <table class="compared">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {documents.map(({ strategy }, index) => (
                <th
                  key={LETTERS[index]}
                  scope="col"
                  class="num"
                  title={rows[index]?.file}
                >{`${LETTERS[index]} ${strategy}`}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parameters.map((name) => (
              <tr key={`parameter ${name}`}>
                <td class="mono">{name}</td>
                {given.map((params, index) => (
                  <td key={LETTERS[index]} class="num mono">
                    {paramText(params[name])}
                  </td>
                ))}
              </tr>
            ))}
            {metrics.map(({ name, label, convention }) => (
              <tr key={name}>
                <td title={convention}>{label}</td>
                {documents.map(({ stats }, index) => (
                  <td key={LETTERS[index]} class="num">
                    {statText(name, stats[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
