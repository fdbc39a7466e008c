/** The order ladder: asks above, bids below, depth as bars, own orders marked. Pure. */
import type { Book } from '../../bridge/schemas/market.ts';
import type { SessionDetail } from '../../bridge/schemas/session.ts';
import type { Paint } from '../sessions/strategy-lines.ts';
import { grid } from './columns.ts';

const BAR = 12;

type Level = Book['bids'][number];

export function ladderLines(
  paint: Paint,
  book: Book,
  orders: SessionDetail['orders'],
  levels: number,
): readonly string[] {
  const asks = book.asks.slice(0, levels).toReversed();
  const bids = book.bids.slice(0, levels);
  const most = Math.max(...[...asks, ...bids].map(([, quantity]) => Number(quantity)), 0);
  const own = new Map<number, string>();
  for (const { symbol, price, side, quantity } of orders)
    if (symbol === book.symbol && price !== null) own.set(Number(price), `${side} ${quantity}`);
  const line = (colour: 'red' | 'green', [price, quantity]: Level): readonly string[] => {
    const full = most === 0 ? 0 : Math.round((Number(quantity) / most) * BAR);
    const mine = own.get(Number(price));
    return [
      paint(colour, price),
      quantity,
      paint('dim', '█'.repeat(full)),
      mine === undefined ? '' : paint('bold', `◄ ${mine}`),
    ];
  };
  const lines = grid(
    [...asks.map((level) => line('red', level)), ...bids.map((level) => line('green', level))],
    [0, 1],
  );
  const title = `${paint('bold', book.symbol)}${book.synced ? '' : paint('yellow', ' is being rebuilt')}`;
  const [ask, bid] = [Number(asks.at(-1)?.[0]), Number(bids[0]?.[0])];
  const spread = ask - bid > 0 ? [paint('dim', `  spread ${+(ask - bid).toPrecision(4)}`)] : [];
  return [title, ...lines.slice(0, asks.length), ...spread, ...lines.slice(asks.length)];
}
