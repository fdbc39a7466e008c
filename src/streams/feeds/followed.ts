/** The prices of a symbol as triggers follow them: of its book and prints, on bars along each bar. */
import type { CandleEvent } from '../../model/market/market-event.ts';
import type { Cancel, MarketReader } from '../../model/ports.ts';
import type { Subscription } from 'rxjs';
import type { SymbolMarket } from '../symbol-market.ts';

export type Followed = Parameters<NonNullable<MarketReader['follow']>>[1];
/** Price in quote units, quantity in base units. */
export type Hear = Parameters<NonNullable<MarketReader['follow']>>[2];

export const FEED_OF = { quote: 'depth', trade: 'trades', mark: 'mark' } as const;

/** See `MarketReader`. `isMidMark`: before the first mark the mid counts. */
export function followed(market: SymbolMarket, kind: Followed, hear: Hear, isMidMark: boolean): Cancel {
  const { top, trades, bars, owns } = market;
  const own = () => owns.subscribe((price) => hear(price, 0));
  const streams =
    kind === 'quote'
      ? [top.subscribe(() => hear(Number.NaN, 0)), bars.subscribe((bar) => barPath(bar, 0, hear)), own()]
      : kind === 'trade'
        ? [
            trades.subscribe(({ price, quantity }) => hear(price, quantity)),
            bars.subscribe((bar) => barPath(bar, bar.volume, hear)),
            own(),
          ]
        : marks(market, hear, isMidMark);
  return () => {
    for (const stream of streams) stream.unsubscribe();
  };
}

function marks(market: SymbolMarket, hear: Hear, isMidMark: boolean): readonly Subscription[] {
  const { mark, top, bars } = market;
  let isMarked = !isMidMark;
  const unlessMarked = (run: () => void): void => {
    if (!isMarked) run();
  };
  const recorded = mark.values.subscribe(({ markPrice }) => {
    isMarked = true;
    hear(markPrice, 0);
  });
  if (!isMidMark) return [recorded];
  return [
    recorded,
    top.subscribe(() => unlessMarked(() => hear(market.mid() ?? Number.NaN, 0))),
    bars.subscribe((bar) => unlessMarked(() => barPath(bar, 0, hear))),
  ];
}

/** As matching on bars takes it: the nearer extreme first. The volume comes with the close. */
function barPath({ open, high, low, close }: CandleEvent, volume: number, hear: Hear): void {
  const isUpFirst = Math.abs(high - open) <= Math.abs(open - low);
  hear(open, 0, true);
  hear(isUpFirst ? high : low, 0);
  hear(isUpFirst ? low : high, 0);
  hear(close, volume);
}
