/** Records raw public frames, and private ones with a key. */
import { createChannelTable } from '../exchange/interface/channels.ts';
import { privateChannels } from '../exchange/private-stream.ts';
import type { Credentials } from '../exchange/client/credentials.ts';
import type { Clock, Logger, Random } from '../model/ports.ts';
import { createRecorder, type Recorder } from '../recording/frames/recorder.ts';
import { nearest } from '../model/text/nearest.ts';
import { streamsErrors } from '../streams/errors.ts';
import { FeedPolls } from '../streams/feed-polls.ts';
import type { Config } from './config/schema.ts';
import { connect, type Connection, isEmbedded } from './connection/connection.ts';
import { perpetualFeed } from './feed/perpetual-feed.ts';
import { recordSocket } from './feed/record-socket.ts';

export interface RecordOptions {
  readonly config: Config;
  readonly symbols: readonly string[];
  readonly dir: string;
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly seed: number;
  readonly until: (clock: Clock, failed: Promise<void>) => Promise<unknown>;
  readonly progress?: (frames: number) => void;
}

export interface RecordSummary {
  readonly dir: string;
  readonly from: number;
  readonly to: number;
  readonly frames: number;
  readonly dropped: number;
}

const PUBLIC_FEEDS = ['depth', 'trades', 'ticker'] as const;

function instrumentsOf(connection: Connection, symbols: readonly string[]) {
  const { instruments } = connection;
  return symbols.map((symbol) => {
    const instrument = instruments.find(symbol);
    if (instrument !== undefined) return instrument;
    const known = instruments.symbols();
    const near = nearest(symbol, known, 3);
    const hint = near.length === 0 ? `it has ${known.join(', ')}` : `nearest: ${near.join(', ')}`;
    throw streamsErrors.make('unknown_symbol', `no instrument "${symbol}" on ${connection.name}; ${hint}`, {
      symbol,
      nearest: near,
    });
  });
}

export async function record(options: RecordOptions): Promise<RecordSummary> {
  const { config, credentials, random, logger, seed } = options;
  const connection = await connect({
    exchange: config.exchange,
    credentials,
    clock: options.clock,
    random,
    logger,
    seed,
  });
  const { clock, exchange } = connection;
  try {
    const instruments = instrumentsOf(connection, options.symbols);
    const channels = createChannelTable(config.exchange.overrides.channels);
    const failed = Promise.withResolvers<void>();
    const isPrivate = credentials !== null && config.recording.private && !isEmbedded(config.exchange);
    const recorder: Recorder = createRecorder({
      dir: options.dir,
      clock,
      instruments: instruments.map(({ spec }) => spec),
      compress: config.recording.compress,
      private: config.recording.private,
      onFailure: (failure) => {
        logger.error({ code: failure.code }, failure.message);
        if (recorder.failure !== null) failed.resolve();
      },
    });
    const from = clock.now();
    const open = [exchange.publicSocket()];
    recordSocket(open[0]!, recorder, 'public');
    open[0]!.subscribe(instruments.flatMap(({ symbol }) => PUBLIC_FEEDS.map((feed) => channels.name(feed, symbol))));
    if (isPrivate) {
      const own = exchange.privateSocket();
      recordSocket(own, recorder, 'private');
      own.subscribe(privateChannels(channels, instruments));
      open.push(own);
    }
    for (const socket of open) socket.start();
    const polls = new FeedPolls(
      clock,
      perpetualFeed({ futures: exchange.futures, recorder, clock, logger }),
      () => {},
      logger,
    );
    for (const instrument of instruments) {
      if (instrument.market !== 'derivative') continue;
      for (const feed of ['mark', 'funding'] as const) polls.add(instrument, feed);
    }
    const ticking = clock.every(1000, () => options.progress?.(recorder.frames));
    await options.until(clock, failed.promise);
    ticking();
    polls.stop();
    for (const socket of open) await socket.stop();
    const summary = await recorder.close();
    if (summary.failure !== null) throw summary.failure;
    return { dir: options.dir, from, to: clock.now(), frames: recorder.frames, dropped: recorder.dropped };
  } finally {
    await connection.close();
  }
}
