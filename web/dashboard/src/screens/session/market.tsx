/** Prices with the book's heat, own orders, programs and fills; beside it the ladder. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Ladder } from '../../charts/ladder.ts';
import { PriceChart } from '../../charts/price-chart.ts';
import { sessionPath } from '../../wire/api.ts';
import type { CandlePage, HeatPage } from '../../wire/types.ts';
import type { SessionStore } from '../../state/session-store.ts';
import { useResource } from '../../state/resource.ts';
import { scheme } from '../../state/theme.ts';
import { Card, Choice } from '../../ui/parts.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { decimalsIn, decimalText } from '../../ui/number.ts';
import { zone, zoneName } from '../../ui/time.ts';

/** Short bars are made of the recorded mids; an exchange has none of them. */
const INTERVALS = [
  { id: '1s', text: '1 s' },
  { id: '5s', text: '5 s' },
  { id: '1m', text: '1 min' },
  { id: '5m', text: '5 min' },
  { id: '1h', text: '1 h' },
] as const;
type Interval = (typeof INTERVALS)[number]['id'];

interface MarketProps {
  readonly store: SessionStore;
  readonly symbol: string;
  readonly tickSize: string;
}

export function PriceCard({ store, symbol, tickSize }: MarketProps): VNode {
  const [interval, setInterval] = useState<Interval>('5s');
  const page = useResource<CandlePage>(`${sessionPath(store.id)}/bars`, { symbol, interval, limit: 1_000 });
  return (
    <Card
      title={`${symbol} price`}
      note={`${zoneName(Date.now())}, ${page.state === 'there' && page.value.source === 'exchange' ? 'bars of the exchange' : 'bars of mids'}`}
      actions={<Choice name="Bar length" tabs={INTERVALS} selected={interval} onSelect={setInterval} />}
      class="price-card"
    >
      {page.state === 'loading' ? <Loading what="prices" /> : null}
      {page.state === 'failed' ? <Failed error={page.error} what="Prices" /> : null}
      {page.state === 'there' ? <PriceBox store={store} symbol={symbol} tickSize={tickSize} page={page.value} /> : null}
      <div class="foot legend">
        <span class="buy">▲ bought</span>
        <span class="sell">▼ sold</span>
        <span>
          <i /> own order
        </span>
        <span>
          <i class="dash" /> on its way
        </span>
        <span class="warn">
          <i class="block" /> program
        </span>
        <span>
          <i class="block" /> book: stronger is more
        </span>
      </div>
    </Card>
  );
}

function PriceBox({ store, symbol, tickSize, page }: MarketProps & { readonly page: CandlePage }): VNode {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart | null>(null);
  const [point, setPoint] = useState<string | null>(null);
  useEffect(() => {
    if (box.current === null) return undefined;
    chart.current = new PriceChart(box.current, decimalsIn(tickSize), page.intervalMs, setPoint);
    chart.current.load(page.candles);
    return () => chart.current?.remove();
  }, [page, zone.value]);
  useEffect(() => chart.current?.recolour(), [scheme.value]);
  const heat = useResource<HeatPage>(`${sessionPath(store.id)}/heat`, { symbol });
  useEffect(() => {
    if (heat.state === 'there') store.books.backfill(symbol, heat.value.columns);
  }, [heat]);
  const books = store.books.version.value;
  const detail = store.detail.value;
  useEffect(() => {
    const book = store.books.of(symbol);
    const [bid, ask] = [Number(book?.bids[0]?.[0]), Number(book?.asks[0]?.[0])];
    if (book !== undefined && Number.isFinite(bid + ask)) chart.current?.tick(book.ts, (bid + ask) / 2);
    chart.current?.mark({
      orders: store.orders.value.filter((row) => row.symbol === symbol),
      programs: (detail?.programs ?? []).filter((row) => row.symbol === symbol),
      fills: store.fills.value.filter((row) => row.symbol === symbol),
      heat: store.books.heat(symbol),
    });
  }, [page, books, store.orders.value, store.fills.value, detail?.programs, zone.value]);
  return (
    <div
      class="chart price"
      ref={box}
      role="img"
      aria-label={`Prices of ${symbol}, with own orders and fills; the same stand in the tables below`}
    >
      {point === null ? null : <div class="readout left">{point}</div>}
    </div>
  );
}

export function LadderCard({ store, symbol, tickSize }: MarketProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ladder = useRef<Ladder | null>(null);
  const isThere = store.books.of(symbol) !== undefined;
  const version = store.books.version.value;
  useEffect(() => {
    if (canvas.current === null) return undefined;
    ladder.current = new Ladder(canvas.current);
    return () => ladder.current?.remove();
  }, [isThere]);
  useEffect(() => ladder.current?.recolour(), [scheme.value]);
  const book = store.books.of(symbol);
  useEffect(() => {
    if (book !== undefined)
      ladder.current?.show({ book, orders: store.orders.value.filter((row) => row.symbol === symbol), tickSize });
  }, [version, store.orders.value, isThere]);
  const levels = book === undefined ? '' : `${book.bids.length} bids, ${book.asks.length} asks`;
  const best = `Order book of ${symbol}: best bid ${decimalText(book?.bids[0]?.[0])}, best ask ${decimalText(book?.asks[0]?.[0])}`;
  const onKey = (event: KeyboardEvent): void => {
    const rows = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (rows === undefined && event.key !== 'Home') return;
    event.preventDefault();
    if (rows === undefined) ladder.current?.centre();
    else ladder.current?.scroll(rows);
  };
  return (
    <Card
      title="Order book"
      note={levels}
      class="ladder-card"
      actions={
        <button type="button" class="button small" onClick={() => ladder.current?.centre()}>
          Centre
        </button>
      }
    >
      {isThere ? (
        <div
          class="chart ladder"
          role="group"
          aria-label="Order book, scrolls with the arrow keys"
          tabIndex={0}
          onKeyDown={onKey}
        >
          <canvas ref={canvas} role="img" aria-label={best} />
        </div>
      ) : (
        <Empty title="No book yet">
          <span>
            {store.detail.value?.running === true
              ? 'It comes with the next message of the market.'
              : 'The session does not run. Time travel shows its book as it was.'}
          </span>
        </Empty>
      )}
    </Card>
  );
}
