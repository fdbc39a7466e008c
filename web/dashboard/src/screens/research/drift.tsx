/** Why a session made something else than its backtest: the gap by cause, and the orders that weigh most. */
import type { VNode } from 'preact';
import { href } from '../../state/route.ts';
import { useResource } from '../../state/resource.ts';
import type { DriftAnswer, DriftReport } from '../../wire/types.ts';
import { plural, signed, whole } from '../../ui/number.ts';
import { Card, Figure, toneOf } from '../../ui/parts.tsx';
import { Empty, WhenThere } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { stamp } from '../../ui/time.ts';

/** In the words of docs/drift.md. */
const CAUSES: Readonly<Record<string, readonly [name: string, about: string]>> = {
  signal: ['Signal', 'other orders than the backtest, or at other times'],
  latency: ['Latency', 'orders arrived at other times than the configured latency says'],
  missedFills: ['Missed fills', 'orders that the market reached or met were filled less, or more'],
  queue: ['Queue', 'resting orders were nearer to or farther from the front'],
  fees: ['Fees', 'other rates were charged, or maker was taker'],
  funding: ['Funding', 'paid or received'],
  rest: ['Rest', 'other prices for the same quantity, liquidations, fills of orders from before'],
};

const causeOf = (part: string): readonly [name: string, about: string] => CAUSES[part] ?? [part, ''];

/** As many digits as tell the parts apart. */
function decimalsFor(parts: readonly number[]): number {
  const largest = Math.max(...parts.map(Math.abs));
  return largest === 0 ? 2 : Math.max(2, Math.min(8, 2 - Math.floor(Math.log10(largest))));
}

export function DriftOf({ session }: { readonly session: string }): VNode {
  const answer = useResource<DriftAnswer>(`sessions/${encodeURIComponent(session)}/drift`);
  return (
    <WhenThere of={answer} what="The drift">
      {({ report, command }) =>
        report === null ? (
          <Card title="Drift" note="session less its backtest">
            <Empty title="Not compared with its backtest yet">
              <span>
                This command runs the strategy again over the recording of the session, and splits the gap by cause.
              </span>
              <code>{command}</code>
            </Empty>
          </Card>
        ) : (
          <Report of={report} />
        )
      }
    </WhenThere>
  );
}

function Report({ of }: { readonly of: DriftReport }): VNode {
  const { currency, result, gap, orders } = of;
  const decimals = decimalsFor([gap, ...Object.values(of.parts)].map(Number));
  const money = (text: string): string => signed(Number(text), decimals);
  return (
    <Card title="Drift" note={`session less its backtest, compared ${stamp(of.at)}`}>
      <dl class="figures inside">
        <Figure
          name="Session made"
          value={money(result.session.pnl)}
          unit={currency}
          tone={toneOf(Number(result.session.pnl))}
          note={plural(result.session.fills, 'fill')}
        />
        <Figure
          name="Backtest makes"
          value={money(result.backtest.pnl)}
          unit={currency}
          tone={toneOf(Number(result.backtest.pnl))}
          note={plural(result.backtest.fills, 'fill')}
        />
        <Figure name="Gap" value={money(gap)} unit={currency} tone={toneOf(Number(gap))} note="all causes together" />
        <Figure
          name="Filled otherwise"
          value={`${whole(orders.differ)} of ${whole(orders.sent)}`}
          note="orders, against the simulation"
        />
      </dl>
      <Causes of={of.parts} money={money} />
      {orders.largest.length === 0 ? null : <Largest of={of} money={money} />}
    </Card>
  );
}

interface CausesProps {
  readonly of: DriftReport['parts'];
  readonly money: (text: string) => string;
}

/** Bars from the middle: to the right what the session gained on its backtest, to the left what it lost. */
function Causes({ of, money }: CausesProps): VNode {
  const largest = Math.max(...Object.values(of).map((amount) => Math.abs(Number(amount))));
  return (
    <ul class="causes body">
      {Object.entries(of).map(([part, amount]) => {
        const [name, about] = causeOf(part);
        const value = Number(amount);
        const width = largest > 0 ? (Math.abs(value) / largest) * 50 : 0;
        const from = value < 0 ? 50 - width : 50;
        return (
          <li key={part}>
            <span>{name}</span>
            <span class={`from-middle ${toneOf(value)}`} aria-hidden="true">
              <i style={{ left: `${from}%`, width: `${width}%` }} />
            </span>
            <span class={`num ${value === 0 ? 'muted' : ''}`}>{money(amount)}</span>
            <span class="muted">{about}</span>
          </li>
        );
      })}
    </ul>
  );
}

type Order = DriftReport['orders']['largest'][number];

function Largest({ of, money }: { readonly of: DriftReport; readonly money: (text: string) => string }): VNode {
  const columns: readonly Column<Order>[] = [
    {
      head: 'Order',
      cell: ({ strategy, ref }) => <a href={href('why', [of.session, `${strategy}/${ref}`])}>{ref}</a>,
      isText: true,
    },
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    {
      head: 'Causes',
      cell: ({ effects }) =>
        Object.entries(effects)
          .map(([part, amount]) => `${causeOf(part)[0].toLowerCase()} ${money(amount)}`)
          .join(', '),
      isText: true,
    },
  ];
  return (
    <Table
      name="Orders that weigh most"
      rows={of.orders.largest}
      keyOf={({ strategy, ref }) => `${strategy}/${ref}`}
      empty="No order differs"
      columns={columns}
    />
  );
}
