/** The log of the session and the newest entries of its journal. All of it is text. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { entryText } from '../../../../../src/operations/why/entry-text.ts';
import { useResource } from '../../state/resource.ts';
import type { SessionStore } from '../../state/session-store.ts';
import { sessionPath } from '../../wire/api.ts';
import type { EntryRow, LogPage } from '../../wire/types.ts';
import { Card, Tabs } from '../../ui/parts.tsx';
import { Empty, WhenThere } from '../../ui/states.tsx';
import { clockMs } from '../../ui/time.ts';
import { now } from '../../state/now.ts';

const LINES = 200;
const READ_EVERY_S = 3;

const VIEWS = [
  { id: 'journal', text: 'Journal' },
  { id: 'log', text: 'Log' },
] as const;

export function LogCard({ store }: { readonly store: SessionStore }): VNode {
  const [view, setView] = useState<(typeof VIEWS)[number]['id']>('journal');
  return (
    <Card title="What happens" actions={<Tabs name="Feed" tabs={VIEWS} selected={view} onSelect={setView} />}>
      {view === 'journal' ? <Journal rows={store.entries.value} /> : <Log store={store} />}
    </Card>
  );
}

function Journal({ rows }: { readonly rows: readonly EntryRow[] }): VNode {
  if (rows.length === 0) return <Empty title="No entry since this page opened" />;
  return (
    <div class="scroll feed" tabIndex={0} role="region" aria-label="Newest entries of the journal">
      <ol class="log">
        {rows
          .slice(-LINES)
          .toReversed()
          .map((row) => (
            <li key={row.seq} title={`entry ${row.seq}`}>
              <span class="muted">{clockMs(row.ts)}</span>
              <span class={toneOf(row.kind)}>{row.kind}</span>
              <span>{textOf(row)}</span>
            </li>
          ))}
      </ol>
    </div>
  );
}

function toneOf(kind: string): string {
  if (['kill', 'halt', 'alarm', 'latch'].includes(kind)) return 'bad';
  if (['denial', 'gate', 'pause', 'withheld'].includes(kind)) return 'warn';
  return kind === 'fill' ? 'gain' : 'soft';
}

/** An entry of a newer build may have a shape that this page does not know. */
export function textOf({ entry, kind }: EntryRow): string {
  try {
    return entryText(entry as unknown as Parameters<typeof entryText>[0]);
  } catch {
    return kind;
  }
}

const TONES: Readonly<Record<string, string>> = { warn: 'warn', error: 'bad', fatal: 'bad' };

function Log({ store }: { readonly store: SessionStore }): VNode {
  const turn = store.detail.value?.running === true ? Math.floor(now.value / 1_000 / READ_EVERY_S) : 0;
  const page = useResource<LogPage>(`${sessionPath(store.id)}/log`, { limit: LINES }, turn);
  return (
    <WhenThere of={page} what="The log">
      {({ lines }) =>
        lines.length === 0 ? (
          <Empty title="The log is empty" />
        ) : (
          <div class="scroll feed" tabIndex={0} role="region" aria-label="Log of the session">
            <ol class="log">
              {lines.toReversed().map((line, index) => (
                <li key={`${line.ts} ${index}`}>
                  <span class="muted">{clockMs(line.ts)}</span>
                  <span class={TONES[line.level] ?? 'soft'}>{line.level}</span>
                  <span>{line.strategy === null ? line.text : `${line.strategy}: ${line.text}`}</span>
                </li>
              ))}
            </ol>
          </div>
        )
      }
    </WhenThere>
  );
}
