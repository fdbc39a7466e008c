/** Streams with their ages, how long the stages of an order take, gates and alarms. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { now } from '../../state/now.ts';
import type { SessionStore } from '../../state/session-store.ts';
import type { AlarmRow, LatencyRow, StreamRow } from '../../wire/types.ts';
import { NONE, whole } from '../../ui/number.ts';
import { Badge, Card, type Tone } from '../../ui/parts.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { clock, length } from '../../ui/time.ts';

const STREAM_TONES: Readonly<Record<StreamRow['state'], Tone>> = {
  fresh: 'ok',
  waiting: 'plain',
  stale: 'warn',
  down: 'bad',
};

export function StreamsCard({ store }: { readonly store: SessionStore }): VNode {
  const detail = store.detail.value;
  const isLost = store.link.value === 'lost';
  const columns: readonly Column<StreamRow>[] = [
    {
      head: 'Stream',
      cell: ({ name, symbol }) => (symbol === null || name.includes(symbol) ? name : `${name} ${symbol}`),
    },
    {
      head: 'State',
      cell: ({ state }) => <Badge tone={isLost ? 'plain' : STREAM_TONES[state]}>{isLost ? 'unknown' : state}</Badge>,
    },
    { head: 'Age', cell: ({ ageMs }) => length(ageMs), isNumber: true },
    {
      head: 'Gaps',
      cell: ({ gaps }) => <span class={gaps > 0 ? 'warn' : 'muted'}>{whole(gaps)}</span>,
      isNumber: true,
    },
  ];
  const note = detail?.running === true ? undefined : 'the session does not run';
  return (
    <Card title="Streams" note={note}>
      <Table
        name="Streams"
        columns={columns}
        rows={detail?.streams ?? []}
        keyOf={({ name, symbol }) => `${name} ${symbol ?? ''}`}
        empty="No stream"
        class="short"
      />
    </Card>
  );
}

export function LatencyCard({ store }: { readonly store: SessionStore }): VNode {
  const rows = (store.detail.value?.latency ?? []).filter(({ count }) => count > 0);
  const [stage, setStage] = useState<string | null>(null);
  // At first the one that takes longest.
  const [longest] = rows.toSorted((a, b) => (b.p50 ?? 0) - (a.p50 ?? 0));
  const shown = rows.find((row) => row.stage === stage) ?? longest;
  return (
    <Card
      title="Latency"
      note={
        shown === undefined
          ? undefined
          : `${whole(shown.count)} samples, p50 ${length(shown.p50)}, p99 ${length(shown.p99)}, max ${length(shown.max)}`
      }
      actions={
        rows.length < 2 ? undefined : (
          <select
            class="input compact"
            aria-label="Stage"
            value={shown?.stage}
            onChange={(event) => setStage(event.currentTarget.value)}
          >
            {rows.map((row) => (
              <option key={row.stage} value={row.stage}>
                {row.stage}
              </option>
            ))}
          </select>
        )
      }
    >
      {shown === undefined ? (
        <Empty title="No order yet">It is measured from the event to the durable order.</Empty>
      ) : (
        <Histogram of={shown} />
      )}
    </Card>
  );
}

function Histogram({ of }: { readonly of: LatencyRow }): VNode {
  const used = of.buckets.findLastIndex(([, count]) => count > 0);
  const first = Math.max(
    0,
    of.buckets.findIndex(([, count]) => count > 0),
  );
  const rows = of.buckets.slice(first, used + 1);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <ul class="bars body" aria-label={`Latency of ${of.stage}`}>
      {rows.map(([upTo, count]) => (
        <li key={upTo}>
          <span class="num muted">{Number.isFinite(upTo) && upTo !== null ? `≤ ${length(upTo)}` : 'longer'}</span>
          <i style={{ width: `${(count / most) * 100}%` }} />
          <span class="num">{whole(count)}</span>
        </li>
      ))}
    </ul>
  );
}

export function TroubleCard({ store }: { readonly store: SessionStore }): VNode | null {
  const detail = store.detail.value;
  if (detail === null) return null;
  const halts = Object.entries(detail.halts);
  const { gates, alarms, unprotected } = detail;
  if (gates.length + alarms.length + halts.length + unprotected.length === 0)
    return (
      <Card title="Gates and alarms">
        <Empty title="All gates are open">No alarm since the start.</Empty>
      </Card>
    );
  return (
    <Card title="Gates and alarms">
      <ul class="troubles">
        {halts.map(([symbol, reason]) => (
          <li key={`halt ${symbol}`}>
            <Badge tone="bad">{`${symbol} halted`}</Badge>
            <span>{reason}</span>
          </li>
        ))}
        {unprotected.map(({ strategy, symbol, quantity }) => (
          <li key={`bare ${strategy} ${symbol}`}>
            <Badge tone="bad">unprotected</Badge>
            <span>{`${quantity} of ${symbol} of ${strategy} have no exit`}</span>
          </li>
        ))}
        {gates.map(({ gate, symbol, message, since }) => (
          <li key={`gate ${gate} ${symbol}`}>
            <Badge tone="warn">{symbol === '' ? gate : `${gate} ${symbol}`}</Badge>
            <span>{`${message}${since === null ? '' : `, for ${length(Math.max(0, now.value - since))}`}`}</span>
          </li>
        ))}
        {alarms.toReversed().map((alarm) => (
          <Alarm key={alarm.seq} of={alarm} />
        ))}
      </ul>
    </Card>
  );
}

function Alarm({ of: { ts, code, message } }: { readonly of: AlarmRow }): VNode {
  return (
    <li>
      <Badge>{code}</Badge>
      <span>
        <span class="muted">{clock(ts) || NONE}</span> {message}
      </span>
    </li>
  );
}
