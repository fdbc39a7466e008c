/** Prices, book, orders and entries at a moment. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Ladder } from '../../charts/ladder.ts';
import { PriceChart } from '../../charts/price-chart.ts';
import { useResource } from '../../state/resource.ts';
import { scheme } from '../../state/theme.ts';
import { href } from '../../state/route.ts';
import type { Moment } from '../../state/history.ts';
import { sessionPath } from '../../wire/api.ts';
import type { Book, CandlePage, EntryRow, HeatPage, OrderRow, SessionDetail } from '../../wire/types.ts';
import { decimalsIn, decimalText } from '../../ui/number.ts';
import { Card, Side } from '../../ui/parts.tsx';
import { Empty, Failed, WhenThere } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { clockMs, length, zone } from '../../ui/time.ts';
import { textOf } from '../session/log.tsx';

interface ThenProps {
  readonly session: string;
  readonly symbol: SessionDetail['symbols'][number];
  readonly moment: Moment;
}

const DEPTH = 200;
const BARS_MAX = 1_000;

export function PricesThen({ session, symbol: { symbol, tickSize }, moment }: ThenProps): VNode {
  const page = useResource<CandlePage>(`${sessionPath(session)}/bars`, { symbol, interval: '5s', limit: BARS_MAX });
  const heat = useResource<HeatPage>(`${sessionPath(session)}/heat`, { symbol, limit: 400 });
  const columns = heat.state === 'there' ? heat.value.columns : [];
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart | null>(null);
  const candles = page.state === 'there' ? page.value.candles : [];
  useEffect(() => {
    if (box.current === null || page.state !== 'there') return undefined;
    chart.current = new PriceChart(box.current, decimalsIn(tickSize), page.value.intervalMs, () => undefined);
    return () => {
      chart.current?.remove();
      chart.current = null;
    };
  }, [page, zone.value]);
  useEffect(() => chart.current?.recolour(), [scheme.value]);
  useEffect(() => {
    chart.current?.load(candles.filter(([time]) => time <= moment.ts));
    chart.current?.mark({
      orders: moment.orders.filter((row) => row.symbol === symbol),
      programs: [],
      fills: moment.fills.filter((row) => row.symbol === symbol),
      heat: columns.filter(({ ts }) => ts <= moment.ts),
    });
  }, [page, heat, moment, zone.value]);
  return (
    <Card title={`${symbol} until then`} class="price-card">
      {page.state === 'there' && candles.length === 0 ? <Empty title="No prices were kept" /> : null}
      <WhenThere of={page} what="Prices">
        {() => (
          <div
            class="chart price"
            ref={box}
            role="img"
            aria-label={`Prices of ${symbol} until ${clockMs(moment.ts)}`}
          />
        )}
      </WhenThere>
    </Card>
  );
}

const SETTLE_MS = 120;

/** The moment once the slider rests: a book is read from the recording, which takes a while. */
function useSettled(ts: number): number {
  const [settled, setSettled] = useState(ts);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(ts), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ts]);
  return settled;
}

export function BookThen({ session, symbol: { symbol, tickSize }, moment }: ThenProps): VNode {
  const at = Math.round(useSettled(moment.ts));
  const answer = useResource<Book>(`${sessionPath(session)}/book-then`, { symbol, at, depth: DEPTH });
  const last = useRef<Book | null>(null);
  if (answer.state === 'there') last.current = answer.value;
  const book = answer.state === 'failed' ? null : last.current;
  const canvas = useRef<HTMLCanvasElement>(null);
  const ladder = useRef<Ladder | null>(null);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    ladder.current = new Ladder(canvas.current);
    return () => ladder.current?.remove();
  }, [book === null]);
  useEffect(() => ladder.current?.recolour(), [scheme.value]);
  useEffect(() => {
    if (book !== null)
      ladder.current?.show({ book, orders: moment.orders.filter((row) => row.symbol === symbol), tickSize });
  }, [book, moment]);
  return (
    <Card title="Order book then" note={book === null ? undefined : `as of ${clockMs(book.ts)}`} class="ladder-card">
      {answer.state === 'failed' ? <Failed error={answer.error} what="The book" /> : null}
      {book === null && answer.state !== 'failed' ? <Empty title="Reading the recording …" /> : null}
      {book === null ? null : (
        <div class="chart ladder">
          <canvas
            ref={canvas}
            role="img"
            aria-label={`Order book of ${symbol}: best bid ${decimalText(book.bids[0]?.[0])}, best ask ${decimalText(book.asks[0]?.[0])}`}
          />
        </div>
      )}
    </Card>
  );
}

export function OrdersThen({
  session,
  orders,
  ts,
}: {
  readonly session: string;
  readonly orders: readonly OrderRow[];
  readonly ts: number;
}): VNode {
  const columns: readonly Column<OrderRow>[] = [
    { head: 'Side', cell: ({ side }) => <Side side={side} /> },
    { head: 'Symbol', cell: ({ symbol }) => symbol },
    { head: 'Price', cell: ({ price }) => (price === null ? 'market' : decimalText(price)), isNumber: true },
    {
      head: 'Filled',
      cell: ({ filledQuantity, quantity }) => `${decimalText(filledQuantity)} / ${decimalText(quantity)}`,
      isNumber: true,
    },
    { head: 'State', cell: ({ state }) => state.replace('_', ' ') },
    { head: 'Age', cell: ({ createdAt }) => length(ts - createdAt), isNumber: true },
    {
      head: 'Order',
      cell: ({ ref }) => (
        <a class="mono" href={href('why', [session, ref])}>
          {ref}
        </a>
      ),
    },
  ];
  return (
    <Card title="Orders then">
      <Table name="Orders then" columns={columns} rows={orders} keyOf={({ ref }) => ref} empty="No order worked then" />
    </Card>
  );
}

export function RecentThen({ rows }: { readonly rows: readonly EntryRow[] }): VNode {
  return (
    <Card title="What had just happened" note="newest first">
      <div class="scroll feed" tabIndex={0} role="region" aria-label="Entries before the moment">
        <ol class="log">
          {rows.toReversed().map((row) => (
            <li key={row.seq}>
              <span class="muted">{clockMs(row.ts)}</span>
              <span class="soft">{row.kind}</span>
              <span>{textOf(row)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
