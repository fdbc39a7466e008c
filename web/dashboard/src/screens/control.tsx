/** Everything that steers a session: strategies, limits with what is used of each, halted symbols with their choices. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, askCancelAll, askFlatten, askKill, askPause, askResume, askStop } from '../state/asking.ts';
import { now } from '../state/now.ts';
import { useResource } from '../state/resource.ts';
import type { SessionStore } from '../state/session-store.ts';
import { sessionPath } from '../wire/api.ts';
import type { LimitRow, PlanAnswer, SessionDetail } from '../wire/types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { decimalsIn, decimalText, NONE, percent, signed, whole } from '../ui/number.ts';
import { Badge, Card, Meter, toneOf } from '../ui/parts.tsx';
import { StrategyBadge } from '../ui/session-words.tsx';
import { Empty, WhenThere } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { length } from '../ui/time.ts';
import { SessionHead } from './session/head.tsx';
import { useCommandKeys } from './session/index.tsx';

interface ControlProps {
  readonly store: SessionStore;
  readonly detail: SessionDetail;
}

export function Control({ store, detail }: ControlProps): VNode {
  useCommandKeys(detail);
  const isOff = !detail.commandable;
  return (
    <>
      <SessionHead of={detail} title="Control" />
      {isOff ? (
        <p class="hint">
          {detail.running
            ? 'This server cannot bring commands to the session: open the link that its own process printed.'
            : 'The session does not run: nothing can be commanded.'}
        </p>
      ) : null}
      {detail.killed === null ? null : (
        <p class="hint bad" role="status">
          <strong>The kill switch is on.</strong> {detail.killed}
        </p>
      )}
      <div class="control-grid">
        <BigButtons id={detail.id} isOff={isOff} />
        <Strategies detail={detail} />
        <Limits detail={detail} />
        <Plan store={store} isOff={isOff} />
        <Overrides detail={detail} />
      </div>
    </>
  );
}

function BigButtons({ id, isOff }: { readonly id: string; readonly isOff: boolean }): VNode {
  const rows = [
    { text: 'Pause', about: 'No new risk. Exits and cancels go on.', run: () => askPause(id), tone: '' },
    { text: 'Resume', about: 'New risk again. After a kill with a code.', run: () => askResume(id), tone: '' },
    { text: 'Cancel all', about: 'Working orders go; strategies go on.', run: () => askCancelAll(id), tone: '' },
    { text: 'Flatten', about: 'Positions close at market.', run: () => askFlatten(id), tone: '' },
    { text: 'Stop', about: 'Strategies end by their stop policy.', run: () => askStop(id), tone: '' },
    {
      text: 'Kill',
      about: 'Orders go at once; nothing new until a human resumes.',
      run: () => askKill(id),
      tone: 'danger solid',
    },
  ];
  return (
    <Card title="Whole session" note="what removes risk needs no code" class="wide">
      <ul class="big-buttons body">
        {rows.map(({ text, about, run, tone }) => (
          <li key={text}>
            <button type="button" class={`button ${tone}`} disabled={isOff} onClick={run}>
              {text}
            </button>
            <span class="muted">{about}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Strategies({ detail }: { readonly detail: SessionDetail }): VNode {
  const { id, commandable, currency } = detail;
  const columns: readonly Column<SessionDetail['strategies'][number]>[] = [
    { head: 'Strategy', cell: (row) => <StrategyBadge tag={row.tag} state={row.state} /> },
    {
      head: 'Why',
      cell: ({ paused, latched, error, onTrial }) =>
        latched ?? paused ?? error ?? (onTrial ? 'on trial: smaller limits' : NONE),
      isText: true,
    },
    { head: 'Fills', cell: ({ fills }) => whole(fills), isNumber: true },
    {
      head: `PnL ${currency}`,
      cell: (row) => <Pnl value={row.netPnl} />,
      isNumber: true,
    },
    { head: 'Denied', cell: ({ denials }) => <Denied of={denials} />, isNumber: true },
    {
      head: '',
      cell: ({ tag, state }) => (
        <span class="row end">
          {state === 'paused' || state === 'latched' ? (
            <button
              type="button"
              class="button small"
              disabled={!commandable}
              aria-label={`Resume ${tag}`}
              onClick={() => askResume(id, tag)}
            >
              Resume
            </button>
          ) : (
            <button
              type="button"
              class="button small"
              disabled={!commandable || state === 'stopped'}
              aria-label={`Pause ${tag}`}
              onClick={() => askPause(id, tag)}
            >
              Pause
            </button>
          )}
          <button
            type="button"
            class="button small"
            disabled={!commandable}
            aria-label={`Flatten ${tag}`}
            onClick={() => askFlatten(id, tag)}
          >
            Flatten
          </button>
        </span>
      ),
    },
  ];
  return (
    <Card title="Strategies" class="wide">
      <Table
        name="Strategies"
        columns={columns}
        rows={detail.strategies}
        keyOf={({ tag }) => tag}
        empty="No strategy"
      />
    </Card>
  );
}

function Pnl({ value }: { readonly value: number | null }): VNode {
  return <span class={toneOf(value)}>{signed(value)}</span>;
}

function Denied({ of }: { readonly of: SessionDetail['strategies'][number]['denials'] }): VNode {
  const count = of.reduce((sum, each) => sum + each.count, 0);
  const text = of.map(({ reason, count: times, last }) => `${times} × ${reason}: ${last}`).join('\n');
  return (
    <span class={count > 0 ? 'warn' : 'muted'} title={text}>
      {count === 0 ? 'none' : `${count} (${of[0]?.reason ?? ''})`}
    </span>
  );
}

function Plan({ store, isOff }: { readonly store: SessionStore; readonly isOff: boolean }): VNode {
  const halts = Object.keys(store.detail.value?.halts ?? {}).join(' ');
  const plan = useResource<PlanAnswer>(
    `${sessionPath(store.id)}/plan`,
    {},
    `${halts} ${store.detail.value?.unresolved ?? 0}`,
  );
  return (
    <Card title="Plan" note="what only a human can decide">
      <WhenThere of={plan} what="The plan">
        {(answer) =>
          answer.decisions.length + answer.halts.length === 0 ? (
            <Empty title="Nothing to decide">A symbol halts here when two explanations fit what was read.</Empty>
          ) : (
            <div class="body plan">
              {answer.halts.map(({ symbol, reason }) => (
                <p key={symbol}>
                  <Badge tone="bad">{`${symbol} halted`}</Badge> {reason}
                </p>
              ))}
              {answer.decisions.map((decision) => (
                <Decision key={decision.id} session={store.id} of={decision} isOff={isOff} />
              ))}
            </div>
          )
        }
      </WhenThere>
    </Card>
  );
}

function Decision({
  session,
  of: { id, what, choices },
  isOff,
}: {
  readonly session: string;
  readonly of: PlanAnswer['decisions'][number];
  readonly isOff: boolean;
}): VNode {
  const choose = (choice: string, text: string): void =>
    ask({
      session,
      command: { command: 'plan/apply', decision: `${id}=${choice}` },
      title: `Decide on ${id}`,
      about: text,
      button: 'Decide',
    });
  return (
    <section>
      <p>{what}</p>
      <ul>
        {choices.map((choice) => (
          <li key={choice.id} class="row">
            <button type="button" class="button small" disabled={isOff} onClick={() => choose(choice.id, choice.text)}>
              {choice.id}
            </button>
            <span class="soft">{choice.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limits({ detail }: { readonly detail: SessionDetail }): VNode {
  const [changed, setChanged] = useState<LimitRow | null>(null);
  const rows = detail.limits.toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1));
  const columns: readonly Column<LimitRow>[] = [
    { head: 'Of', cell: ({ scope }) => scope },
    { head: 'Limit', cell: ({ name }) => <span class="mono">{name}</span> },
    { head: 'Used', cell: ({ used }) => <span title={used ?? undefined}>{usedText(used)}</span>, isNumber: true },
    {
      head: 'At most',
      cell: ({ value, configured }) => (
        <span
          title={configured === null ? undefined : `configured: ${configured}`}
        >{`${decimalText(value)}${configured === null ? '' : ' *'}`}</span>
      ),
      isNumber: true,
    },
    {
      head: 'Share',
      cell: ({ share, scope, name }) =>
        share === null ? (
          <span class="muted">{NONE}</span>
        ) : (
          <span class="share">
            <Meter share={share} name={`${name} of ${scope}`} />
            <span class={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : ''}>{percent(share, share < 0.1 ? 1 : 0)}</span>
          </span>
        ),
    },
    {
      head: '',
      cell: (row) =>
        row.overridable ? (
          <button
            type="button"
            class="button small"
            disabled={!detail.commandable}
            aria-label={`Change ${row.path}`}
            onClick={() => setChanged(row)}
          >
            Change
          </button>
        ) : null,
    },
  ];
  return (
    <Card title="Limits" note="those nearest to their limit first; * overridden" class="wide">
      <Table name="Limits" columns={columns} rows={rows} keyOf={({ path }) => path} empty="No limit is configured" />
      {changed === null ? null : <LimitDialog session={detail.id} of={changed} onClose={() => setChanged(null)} />}
    </Card>
  );
}

/** A share of equity has dozens of digits; six tell enough beside a limit. */
function usedText(used: string | null): string {
  return used !== null && decimalsIn(used) > 8 ? String(Number(Number(used).toPrecision(3))) : decimalText(used);
}

const SPANS = [
  [300_000, '5 minutes'],
  [900_000, '15 minutes'],
  [3_600_000, '1 hour'],
] as const;

function LimitDialog({
  session,
  of,
  onClose,
}: {
  readonly session: string;
  readonly of: LimitRow;
  readonly onClose: () => void;
}): VNode {
  const [value, setValue] = useState(of.value);
  const [forMs, setForMs] = useState(900_000);
  const isRight = /^\d+(\.\d+)?$/.test(value.trim());
  const submit = (event: Event): void => {
    event.preventDefault();
    onClose();
    ask({
      session,
      command: { command: 'limits/override', limit: of.path, value: value.trim(), forMs },
      title: `Change ${of.name} of ${of.scope}`,
      about: `From ${of.value} to ${value.trim()} for ${length(forMs)}, then as configured again. A looser limit needs a code.`,
      button: 'Change it',
    });
  };
  return (
    <Dialog title={`${of.name} of ${of.scope}`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="field">
          <span>{`New value (now ${of.value}, used ${of.used ?? NONE})`}</span>
          <input
            class="input"
            inputMode="decimal"
            data-first
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
            aria-invalid={!isRight}
          />
        </label>
        <label class="field">
          <span>For</span>
          <select class="input" value={forMs} onChange={(event) => setForMs(Number(event.currentTarget.value))}>
            {SPANS.map(([ms, text]) => (
              <option key={ms} value={ms}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="button main" disabled={!isRight}>
            Next
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Overrides({ detail }: { readonly detail: SessionDetail }): VNode {
  const columns: readonly Column<SessionDetail['overrides'][number]>[] = [
    { head: 'Limit', cell: ({ limit }) => <span class="mono">{limit}</span> },
    { head: 'Value', cell: ({ value }) => decimalText(value), isNumber: true },
    { head: 'Left', cell: ({ until }) => length(Math.max(0, until - now.value)), isNumber: true },
    { head: 'Reason', cell: ({ reason }) => reason, isText: true },
    {
      head: '',
      cell: ({ limit }) => (
        <button
          type="button"
          class="button small"
          disabled={!detail.commandable}
          onClick={() =>
            ask({
              session: detail.id,
              command: { command: 'limits/override', limit, value: null },
              title: `Withdraw the override of ${limit}`,
              about: 'The configured value counts again.',
              button: 'Withdraw',
            })
          }
        >
          Withdraw
        </button>
      ),
    },
  ];
  return (
    <Card title="Overrides">
      <Table
        name="Overrides"
        columns={columns}
        rows={detail.overrides}
        keyOf={({ limit }) => limit}
        empty="All limits are as configured"
      />
    </Card>
  );
}
