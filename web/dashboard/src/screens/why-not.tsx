/** Why there was no order at a moment. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../state/resource.ts';
import { sessionPath } from '../wire/api.ts';
import type { SessionDetail, WhyNot } from '../wire/types.ts';
import { Card } from '../ui/parts.tsx';
import { WhenThere } from '../ui/states.tsx';
import { shifted, stampSeconds, zone, zoneName } from '../ui/time.ts';

/** What the field shows, in the chosen zone, as a time. */
function timeOf(text: string): number {
  const asUtc = Date.parse(`${text}Z`);
  return zone.value === 'UTC' ? asUtc : asUtc - (shifted(asUtc) - asUtc);
}

const fieldText = (ms: number): string => new Date(shifted(ms)).toISOString().slice(0, 19);

export function WhyNotCard({ detail }: { readonly detail: SessionDetail }): VNode {
  const [symbol, setSymbol] = useState(detail.symbols[0]?.symbol ?? '');
  const [text, setText] = useState(() =>
    fieldText(detail.running ? Date.now() - 5_000 : (detail.endedAt ?? detail.startedAt)),
  );
  const [asked, setAsked] = useState<{ readonly symbol: string; readonly at: number } | null>(null);
  const at = timeOf(text);
  const submit = (event: Event): void => {
    event.preventDefault();
    setAsked({ symbol, at });
  };
  return (
    <Card title="Why not" note="no order at a moment">
      <form class="body stack" onSubmit={submit}>
        <label class="field">
          <span>Symbol</span>
          <select class="input" value={symbol} onChange={(event) => setSymbol(event.currentTarget.value)}>
            {detail.symbols.map((row) => (
              <option key={row.symbol} value={row.symbol}>
                {row.symbol}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{`Moment, ${zoneName(Date.now())}`}</span>
          <input
            class="input"
            type="datetime-local"
            step="1"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button" disabled={symbol === '' || Number.isNaN(at)}>
          Why was there none?
        </button>
      </form>
      {asked === null ? null : <Reasons session={detail.id} {...asked} />}
    </Card>
  );
}

function Reasons({
  session,
  symbol,
  at,
}: {
  readonly session: string;
  readonly symbol: string;
  readonly at: number;
}): VNode {
  const answer = useResource<WhyNot>(`${sessionPath(session)}/why-not`, { symbol, at });
  return (
    <WhenThere of={answer} what="The answer">
      {({ because }) => (
        <ol class="reasons body">
          <li class="muted">{`${symbol} at ${stampSeconds(at)}, strongest reason first`}</li>
          {because.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ol>
      )}
    </WhenThere>
  );
}
