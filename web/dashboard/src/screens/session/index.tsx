/** One session: market, own orders, result, streams, log. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { askFlatten, askKill, askPause, askResume } from '../../state/asking.ts';
import { useKeys } from '../../state/keys.ts';
import { go, href } from '../../state/route.ts';
import type { SessionStore } from '../../state/session-store.ts';
import type { SessionDetail } from '../../wire/types.ts';
import { Card, Choice, Tabs } from '../../ui/parts.tsx';
import { Empty } from '../../ui/states.tsx';
import { EquityCard } from './equity.tsx';
import { isHeld, SessionFigures, SessionHead } from './head.tsx';
import { LatencyCard, StreamsCard, TroubleCard } from './health.tsx';
import { LogCard } from './log.tsx';
import { LadderCard, PriceCard } from './market.tsx';
import { BalancesTable, FillsTable, OrdersTable, PositionsTable, ProgramsTable } from './tables.tsx';

interface SessionProps {
  readonly store: SessionStore;
  readonly detail: SessionDetail;
}

export function useCommandKeys(detail: SessionDetail): void {
  const { id, running, commandable } = detail;
  const isOn = running && commandable;
  const held = isHeld(detail);
  useKeys(
    isOn
      ? [
          { key: 'p', about: 'Pause', group: 'Session', run: () => askPause(id) },
          { key: 'r', about: 'Resume', group: 'Session', run: () => askResume(id) },
          { key: 'f', about: 'Flatten', group: 'Session', run: () => askFlatten(id) },
          { key: 'k', about: 'Kill', group: 'Session', run: () => askKill(id) },
        ]
      : [],
    [id, isOn, held],
  );
}

export function Session({ store, detail }: SessionProps): VNode {
  const [symbol, setSymbol] = useState<string | null>(null);
  const { symbols } = detail;
  const shown = symbols.find((row) => row.symbol === symbol) ?? symbols[0];
  useCommandKeys(detail);
  useKeys([{ key: 'w', about: 'Why: the last fill', group: 'Session', run: () => whyLast(store) }], [store.id]);
  return (
    <>
      <SessionHead of={detail} />
      <SessionFigures of={detail} openOrders={store.orders.value.length} />
      {symbols.length > 1 && shown !== undefined ? (
        <div class="symbol-row">
          <Choice
            name="Symbol"
            tabs={symbols.map((row) => ({ id: row.symbol, text: row.symbol }))}
            selected={shown.symbol}
            onSelect={setSymbol}
          />
        </div>
      ) : null}
      {shown === undefined ? (
        <section class="card">
          <Empty title="No symbol yet">The strategy has not asked for a market.</Empty>
        </section>
      ) : (
        <div class="market-grid">
          <PriceCard key={`price ${shown.symbol}`} store={store} symbol={shown.symbol} tickSize={shown.tickSize} />
          <LadderCard key={`book ${shown.symbol}`} store={store} symbol={shown.symbol} tickSize={shown.tickSize} />
        </div>
      )}
      <div class="session-grid">
        <div class="stack">
          <OwnCard store={store} detail={detail} />
          <LogCard store={store} />
        </div>
        <div class="stack">
          <EquityCard store={store} />
          <TroubleCard store={store} />
          <StreamsCard store={store} />
          <LatencyCard store={store} />
        </div>
      </div>
    </>
  );
}

function whyLast(store: SessionStore): void {
  const last = store.fills.peek().findLast(({ ref }) => ref !== null);
  if (last?.ref !== undefined && last.ref !== null) go(href('why', [store.id, last.ref]));
}

type Own = 'orders' | 'programs' | 'fills' | 'positions' | 'balances';

function OwnCard({ store, detail }: SessionProps): VNode {
  const [tab, setTab] = useState<Own>('fills');
  const tabs = [
    { id: 'orders', text: 'Orders', count: store.orders.value.length },
    { id: 'fills', text: 'Fills', count: Math.max(detail.fills, store.fills.value.length) },
    {
      id: 'positions',
      text: 'Positions',
      count: detail.positions.filter(({ quantity }) => Number(quantity) !== 0).length,
    },
    { id: 'programs', text: 'Programs', count: detail.programs.length },
    { id: 'balances', text: 'Balances', count: detail.balances.length },
  ] as const;
  useKeys(
    tabs.map(({ id, text }, index) => ({
      key: `${'oixgb'[index]}`,
      about: text,
      group: 'Session',
      run: () => setTab(id),
    })),
    [store.id],
  );
  return (
    <Card
      title="Own"
      actions={<Tabs name="What is shown" tabs={tabs} selected={tab} onSelect={setTab} />}
      class="own-card"
    >
      <div class="own-body">
        {tab === 'orders' ? <OrdersTable store={store} /> : null}
        {tab === 'programs' ? <ProgramsTable store={store} /> : null}
        {tab === 'fills' ? <FillsTable store={store} /> : null}
        {tab === 'positions' ? <PositionsTable store={store} /> : null}
        {tab === 'balances' ? <BalancesTable store={store} /> : null}
      </div>
    </Card>
  );
}
