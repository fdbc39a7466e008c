/** Polls mark price and funding rate of perpetuals, which have no channel. */
import type { PublicStream } from '../../streams/public.ts';
import type { FuturesOperations } from '../../exchange/client/operations/futures.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { usOf } from '../../model/time.ts';
import { fundingFrame, markFrame } from '../../recording/frames/polled-frame.ts';
import type { Recorder } from '../../recording/frames/recorder.ts';
import type { ReadFeed } from '../../streams/feed-polls.ts';

export interface PerpetualFeedDeps {
  readonly futures: FuturesOperations;
  readonly recorder: Pick<Recorder, 'frame'>;
  readonly clock: Pick<Clock, 'now' | 'nowUs'>;
  readonly logger: Logger;
  /** In session time. */
  readonly deliver?: (run: () => void) => void;
}

export function perpetualFeed({ futures, recorder, clock, logger, deliver }: PerpetualFeedDeps): ReadFeed {
  const arrived = deliver ?? ((run: () => void): void => run());
  return async (instrument, feed, hand) => {
    const { symbol } = instrument;
    const askedAt = clock.now();
    const answer = feed === 'mark' ? await futures.markPrice(symbol) : await futures.fundingRate(symbol, 1);
    if (answer.kind === 'failed') {
      logger.warn({ symbol, feed, code: answer.error.code }, answer.error.message);
      return;
    }
    const { value } = answer;
    // Recorded and delivered at one time, for replay.
    arrived(() => {
      const receiveUs = clock.nowUs();
      recorder.frame('public', 'markPrice' in value ? markFrame(value) : fundingFrame(value, askedAt), receiveUs, 0);
      hand(eventOf(instrument, value, askedAt, receiveUs));
    });
  };
}

type Polled = Extract<
  Awaited<ReturnType<FuturesOperations['markPrice'] | FuturesOperations['fundingRate']>>,
  { kind: 'value' }
>['value'];

function eventOf(instrument: Instrument, value: Polled, askedAt: number, receiveUs: number): MarketEvent {
  if ('markPrice' in value) {
    const { markPrice, indexPrice, ts } = value;
    const prices = { markPrice: Number(markPrice), indexPrice: Number(indexPrice) };
    return { kind: 'mark', instrument, exchangeUs: usOf(ts), receiveUs, ...prices };
  }
  const { rate, nextFundingTime } = value;
  return { kind: 'funding', instrument, exchangeUs: usOf(askedAt), receiveUs, rate, nextFundingTime };
}

/** Needed for perpetuals even if no strategy reads them. */
export function demandFeeds(stream: PublicStream, symbol: string): void {
  stream.demand(symbol, 'depth');
  if (stream.market.instrument(symbol).market !== 'derivative') return;
  stream.demand(symbol, 'mark');
  stream.demand(symbol, 'funding');
}
