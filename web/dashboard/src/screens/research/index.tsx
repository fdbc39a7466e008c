/** Results, searches and validations on disk: the list, one of them, or several beside each other. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go, href, route } from '../../state/route.ts';
import { useResource } from '../../state/resource.ts';
import type { ResultList, ResultRow } from '../../wire/types.ts';
import { bytes, plural, shortPath } from '../../ui/number.ts';
import { Badge, Card, Choice } from '../../ui/parts.tsx';
import { WhenThere } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { length, stamp } from '../../ui/time.ts';
import { Compare } from './compare.tsx';
import { ResultView } from './result.tsx';
import { statText } from './stats.ts';
import { SearchBadge } from './search-badge.tsx';

const READ_EVERY_MS = 5_000;
const COMPARED_MAX = 6;

const KINDS = [
  { id: 'all', text: 'All' },
  { id: 'backtest', text: 'Backtests' },
  { id: 'session', text: 'Sessions' },
  { id: 'sweep', text: 'Searches' },
  { id: 'validate', text: 'Validations' },
] as const;
type Kind = (typeof KINDS)[number]['id'];

const isOf = (kind: Kind, row: ResultRow): boolean =>
  kind === 'all' || (kind === 'session' ? row.kind === 'paper' || row.kind === 'run' : row.kind === kind);

export function Research(): VNode {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && setTurn((before) => before + 1),
      READ_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, []);
  const list = useResource<ResultList>('results', {}, turn);
  const [id] = route.value.parts;
  const compared = route.value.query.get('with');
  return (
    <WhenThere of={list} what="The list of results">
      {({ results }) =>
        compared !== null ? (
          <Compare ids={compared.split(',').slice(0, COMPARED_MAX)} results={results} />
        ) : id !== undefined ? (
          <ResultView key={id} id={id} row={results.find((row) => row.id === id)} />
        ) : (
          <List results={results} />
        )
      }
    </WhenThere>
  );
}

function List({ results }: ResultList): VNode {
  const [kind, setKind] = useState<Kind>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = results.filter((row) => isOf(kind, row));
  const choose = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id) && next.size < COMPARED_MAX) next.add(id);
    setChosen(next);
  };
  const canCompare = (row: ResultRow): boolean => row.kind !== 'sweep' && row.kind !== 'validate';
  const columns: readonly Column<ResultRow>[] = [
    {
      head: '✓',
      cell: (row) =>
        canCompare(row) ? (
          <input
            type="checkbox"
            aria-label={`Compare ${row.id}`}
            checked={chosen.has(row.id)}
            onChange={() => choose(row.id)}
          />
        ) : null,
    },
    { head: 'Strategy', cell: ({ id, strategy }) => <a href={href('research', [id])}>{strategy}</a>, isText: true },
    { head: 'Kind', cell: ({ kind: of }) => <Badge>{of}</Badge> },
    { head: 'Written', cell: ({ at }) => stamp(at), isNumber: true },
    {
      head: 'Data',
      cell: ({ from, to }) => <span title={`${stamp(from)} to ${stamp(to)}`}>{length(to - from)}</span>,
      isNumber: true,
    },
    {
      head: 'Net P&L',
      cell: ({ stats, currency }) => <Pnl value={stats['netPnl']} currency={currency} />,
      isNumber: true,
    },
    { head: 'Sharpe', cell: ({ stats }) => statText('sharpe', stats['sharpe']), isNumber: true, isMinor: true },
    {
      head: 'Deepest fall',
      cell: ({ stats }) => statText('maxDrawdownPct', stats['maxDrawdownPct']),
      isNumber: true,
      isMinor: true,
    },
    { head: 'Trades', cell: ({ stats }) => statText('trades', stats['trades']), isNumber: true },
    {
      head: 'Verdict',
      cell: ({ verdict, warnings, progress }) =>
        progress === null ? (
          (verdict ?? (warnings > 0 ? <span class="warn">{plural(warnings, 'warning')}</span> : ''))
        ) : (
          <SearchBadge of={progress} />
        ),
      isText: true,
    },
    {
      head: 'File',
      cell: ({ file, bytes: size }) => (
        <span class="mono muted" title={`${file}, ${bytes(size)}`}>
          {shortPath(file)}
        </span>
      ),
      isText: true,
      isMinor: true,
    },
  ];
  return (
    <>
      <div class="head">
        <h1>Research</h1>
        <span class="muted">figures are of own trading, after fees</span>
        <span class="push row">
          <Choice name="Kind" tabs={KINDS} selected={kind} onSelect={setKind} />
          <button
            type="button"
            class="button small main"
            disabled={chosen.size < 2}
            onClick={() => go(href('research', [], { with: [...chosen].join(',') }))}
          >
            {`Compare ${chosen.size < 2 ? '' : chosen.size}`}
          </button>
        </span>
      </div>
      <Card title="On disk" note={`${rows.length}, newest first`}>
        <Table
          name="Results"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty="No result yet"
          emptyNote={
            <>
              <span>Those written with --result below the data folder are shown.</span>
              <code>
                npx tidewire backtest strategies/spread-maker.ts --data data/sample --result data/results/first.json
              </code>
            </>
          }
        />
      </Card>
    </>
  );
}

function Pnl({ value, currency }: { readonly value: unknown; readonly currency: string | null }): VNode {
  const tone = typeof value === 'number' ? (value > 0 ? 'gain' : value < 0 ? 'lost' : '') : 'muted';
  return (
    <span
      class={tone}
    >{`${statText('netPnl', value)}${typeof value === 'number' && currency !== null ? ` ${currency}` : ''}`}</span>
  );
}
