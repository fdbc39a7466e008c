/** Recordings on disk: what they hold, how long, what is missing. */
import type { VNode } from 'preact';
import { href } from '../state/route.ts';
import { useResource } from '../state/resource.ts';
import type { RecordingList, RecordingRow } from '../wire/types.ts';
import { bytes, NONE, plural, shortPath } from '../ui/number.ts';
import { Badge, Card, Figure } from '../ui/parts.tsx';
import { WhenThere } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { length, stamp, zoneName } from '../ui/time.ts';

export function Recordings(): VNode {
  const list = useResource<RecordingList>('recordings');
  return (
    <>
      <div class="head">
        <h1>Recordings</h1>
        <span class="muted">raw frames as received: what backtests and time travel read</span>
      </div>
      <WhenThere of={list} what="The list of recordings">
        {({ recordings }) => (
          <>
            <Totals of={recordings} />
            <Card title="On disk" note={`times in ${zoneName(Date.now())}`}>
              <Table
                name="Recordings"
                columns={
                  recordings.some(({ channels }) => channels.length > 0)
                    ? COLUMNS
                    : COLUMNS.filter(({ head }) => head !== 'Channels')
                }
                rows={recordings.toSorted((a, b) => (b.to ?? 0) - (a.to ?? 0))}
                keyOf={({ path }) => path}
                empty="Nothing is recorded yet"
                emptyNote={<code>npx tidewire record --symbols BTCUSDT --for 1h</code>}
              />
            </Card>
          </>
        )}
      </WhenThere>
    </>
  );
}

function Totals({ of }: { readonly of: readonly RecordingRow[] }): VNode {
  const damaged = of.filter(({ problems }) => problems.length > 0).length;
  const span = of.reduce((sum, { from, to }) => sum + (from === null || to === null ? 0 : to - from), 0);
  return (
    <dl class="figures">
      <Figure
        name="Recordings"
        value={of.length}
        note={plural(of.filter(({ running }) => running).length, 'grows now', 'grow now')}
      />
      <Figure name="Together" value={length(span)} />
      <Figure name="On disk" value={bytes(of.reduce((sum, row) => sum + row.bytes, 0))} />
      <Figure name="With gaps or damage" value={damaged} tone={damaged > 0 ? 'warn' : ''} />
    </dl>
  );
}

const COLUMNS: readonly Column<RecordingRow>[] = [
  {
    head: 'Recording',
    cell: ({ path, session, running }) => (
      <>
        {session === null ? (
          <span class="mono" title={path}>
            {shortPath(path)}
          </span>
        ) : (
          <a class="mono" href={href('travel', [session])} title={path}>
            {session}
          </a>
        )}{' '}
        {running ? <Badge tone="ok">grows</Badge> : null}
      </>
    ),
    isText: true,
  },
  { head: 'Symbols', cell: ({ symbols }) => symbols.join(', '), isText: true },
  { head: 'From', cell: ({ from }) => stamp(from), isNumber: true },
  { head: 'Length', cell: ({ from, to }) => (from === null || to === null ? NONE : length(to - from)), isNumber: true },
  { head: 'Size', cell: (row) => bytes(row.bytes), isNumber: true },
  { head: 'Channels', cell: ({ channels }) => channels.join(', '), isText: true, isMinor: true },
  { head: 'Source', cell: ({ source }) => source, isText: true, isMinor: true },
  {
    head: 'Gaps and damage',
    cell: ({ problems }) =>
      problems.length === 0 ? (
        <span class="muted">none</span>
      ) : (
        <details>
          <summary class="warn">{plural(problems.length, 'problem')}</summary>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      ),
    isText: true,
  },
];
