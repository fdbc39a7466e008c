/** What answers mean where the documents leave it open: forms, order, refusals. */
import { isRecord } from '../../exchange/wire/decoded.ts';
import { unwrapped } from '../../exchange/wire/body.ts';
import { judged, seen, unasked, type Ask, type Question, type Seen } from './question.ts';
import type { Symbols } from './shapes.ts';

const LEVELS = 3;
const CANDLES = 3;
const HISTORY = { query: { market: 'spot', limit: 50 } } as const;

function timeForm(value: unknown): string {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return 'text, ISO 8601 or another';
  const unit = Number(value) > 1e14 ? 'Unix µs' : Number(value) > 1e11 ? 'Unix ms' : 'Unix s';
  return `${typeof value === 'string' ? 'text' : typeof value}, ${unit}`;
}

function fieldOf(json: unknown, name: string): unknown {
  const inner = unwrapped(json);
  return isRecord(inner) ? inner[name] : undefined;
}

function listIn(json: unknown): readonly unknown[] | null {
  const inner = unwrapped(json);
  const list = isRecord(inner) ? inner['items'] : inner;
  return Array.isArray(list) ? list : null;
}

function pageForm(json: unknown): string {
  const inner = unwrapped(json);
  if (Array.isArray(inner)) return 'a bare list';
  if (!isRecord(inner) || !Array.isArray(inner['items'])) return 'no list';
  return 'nextCursor' in inner ? 'items and nextCursor' : 'items without nextCursor';
}

/** Prices of one side. */
function pricesIn(json: unknown, side: 'bids' | 'asks'): readonly number[] {
  const rows = fieldOf(json, side);
  return Array.isArray(rows) ? rows.map((row: unknown) => Number(Array.isArray(row) ? row[0] : Number.NaN)) : [];
}

function isSorted(values: readonly number[], direction: 1 | -1): boolean {
  return values.every((value, at) => at === 0 || direction * (value - values[at - 1]!) > 0);
}

function bookForm(json: unknown): Seen {
  const bids = pricesIn(json, 'bids');
  const asks = pricesIn(json, 'asks');
  if (bids.length === 0 && asks.length === 0) return unasked('the book is empty');
  const order = isSorted(bids, -1) && isSorted(asks, 1) ? 'best first' : 'not best first';
  const levels = Math.max(bids.length, asks.length) <= LEVELS ? 'as many as asked for' : 'more than asked for';
  return seen(`${order}, ${levels}, ${fieldOf(json, 'seq') === undefined ? 'without seq' : 'with seq'}`, json);
}

function candleForm(json: unknown): Seen {
  const rows = listIn(json) ?? [];
  if (rows.length < 2) return unasked('there are no two candles');
  const times = rows.map((row) => Number(isRecord(row) ? row['openTime'] : Number.NaN));
  const order = isSorted(times, 1) ? 'oldest first' : isSorted(times, -1) ? 'newest first' : 'in no order';
  return seen(`${order}, ${rows.length <= CANDLES ? 'as many as asked for' : 'more than asked for'}`, times);
}

/** Of trades of resting orders. */
function tradeSide(trades: unknown, orders: unknown): Seen {
  const sides = new Map(
    (listIn(orders) ?? []).map((row) => (isRecord(row) ? [row['orderId'], row['side']] : [null, null])),
  );
  const told = (listIn(trades) ?? []).flatMap((row) =>
    isRecord(row) && row['liquidity'] === 'maker' && sides.has(row['orderId']) ? [row] : [],
  );
  if (told.length === 0) return unasked('no resting order of this account was filled lately');
  const own = told.filter((row) => row['side'] === sides.get(row['orderId'])).length;
  const meaning = own === told.length ? 'own' : own === 0 ? 'taker' : 'now one, now the other';
  return seen(meaning, `${own} of ${told.length} trades bear the side of their order`);
}

export function meaningQuestions(ask: Ask, { spot }: Symbols): readonly Question[] {
  const tickerPath = `GET …/ticker?symbol=${spot}`;
  return [
    {
      id: 'form/time',
      question: 'in which form are times reported',
      asked: 'GET …/public/time',
      assumed: 'number, Unix ms',
      ask: async () => judged(await ask('time'), (json) => seen(timeForm(fieldOf(json, 'serverTime')), json)),
    },
    {
      id: 'form/decimal',
      question: 'in which form are decimals reported',
      asked: tickerPath,
      assumed: 'text',
      ask: async () =>
        judged(await ask('ticker', { query: { symbol: spot } }), (json) => {
          const form = typeof fieldOf(json, 'last');
          return seen(form === 'string' ? 'text' : form, { last: fieldOf(json, 'last') });
        }),
    },
    {
      id: 'form/body',
      question: 'is an answer bare or wrapped',
      asked: tickerPath,
      assumed: 'bare',
      ask: async () =>
        judged(await ask('ticker', { query: { symbol: spot } }), (json) =>
          seen(isRecord(json) && 'data' in json ? 'in {"data"}' : 'bare', isRecord(json) ? Object.keys(json) : json),
        ),
    },
    {
      id: 'form/page',
      question: 'how are lists with pages reported',
      asked: 'GET …/order/history?limit=50',
      assumed: 'items and nextCursor',
      ask: async () =>
        judged(await ask('orderHistory', HISTORY), (json) =>
          seen(pageForm(json), isRecord(json) ? Object.keys(json) : 'a list'),
        ),
    },
    {
      id: 'ticker/all',
      question: 'does the ticker without a symbol answer all',
      asked: 'GET …/ticker',
      assumed: 'a list of all',
      ask: async () =>
        judged(await ask('ticker'), (json) => {
          const count = listIn(json)?.length ?? 0;
          return seen(count > 0 ? 'a list of all' : 'no list', `${count} tickers`);
        }),
    },
    {
      id: 'book/form',
      question: 'in which order is a book, does limit bound it, does it say where the channel is',
      asked: `GET …/orderbook?symbol=${spot}&limit=${LEVELS}`,
      assumed: 'best first, as many as asked for, with seq',
      ask: async () => judged(await ask('orderBook', { query: { symbol: spot, limit: LEVELS } }), bookForm),
    },
    {
      id: 'candles/form',
      question: 'in which order are candles, does limit bound them',
      asked: `GET …/candle?symbol=${spot}&interval=1m&limit=${CANDLES}`,
      assumed: 'oldest first, as many as asked for',
      ask: async () =>
        judged(await ask('candles', { query: { symbol: spot, interval: '1m', limit: CANDLES } }), candleForm),
    },
    {
      id: 'refusal/symbol',
      question: 'how is an unknown symbol refused',
      asked: 'GET …/ticker?symbol=NOSUCHPAIR',
      assumed: '404 unknown_symbol',
      ask: async () =>
        judged(await ask('ticker', { query: { symbol: 'NOSUCHPAIR' } }), (json) => seen('an answer', json)),
    },
    {
      id: 'refusal/order',
      question: 'how is an unknown order refused',
      asked: 'GET …/order/0',
      assumed: '404 unknown_order',
      ask: async () => judged(await ask('order', { params: { orderId: '0' } }), (json) => seen('an answer', json)),
    },
    {
      id: 'trades/side',
      question: 'whose side does an own trade bear (exchange.ownTradeSide)',
      asked: 'GET …/trade/spot/list/my and …/order/history',
      assumed: 'own',
      ask: async () => {
        const orders = await ask('orderHistory', HISTORY);
        if (orders === 'no-key' || orders.kind !== 'ok') return judged(orders, () => unasked('no orders'));
        return judged(await ask('spotTrades', { query: { limit: 50 } }), (json) => tradeSide(json, orders.json));
      },
    },
  ];
}
