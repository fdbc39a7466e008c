/** `tidewire spot instruments|ticker|book|candles|time`: public data, no key. */
import { Command, Option } from 'commander';
import { readSnapshot } from '../../../bridge/operations-table/market-snapshot.ts';
import { limits } from '../../../exchange/interface/limits.ts';
import { candleIntervalsMs, type CandleInterval } from '../../../exchange/wire/market/market-data.ts';
import type { Ticker } from '../../../model/market/views.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { action, type CliIo } from '../../command.ts';
import { timeOption } from '../../config-option.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { countOption, withConfig } from '../../operations/options.ts';
import { minuteText, timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

const BOOK_MAX = 200;
const intervals = Object.keys(candleIntervalsMs);

interface LimitOptions extends OperationOptions {
  readonly limit: string;
}

interface CandleOptions extends LimitOptions {
  readonly interval: CandleInterval;
  readonly from?: string;
  readonly to?: string;
}

export function buildInstruments(io: CliIo): Command {
  return withConfig(new Command('instruments').description('List the spot pairs.'))
    .addHelpText('after', operationHelp(['spot instruments --config config/sandbox.yaml'], ['spotInstruments']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'public', async ({ exchange }) => {
          const items = answered('the spot pairs', await exchange.marketData.spotInstruments());
          const rows = items.map((spec) => [
            spec.symbol,
            spec.status,
            spec.tickSize,
            spec.lotSize,
            spec.minQuantity,
            spec.maxQuantity,
            spec.minNotional,
          ]);
          const head = ['symbol', 'status', 'tick', 'lot', 'min', 'max', 'min notional'];
          const text = rows.length === 0 ? 'no spot pairs' : table(rows, { head, right: [2, 3, 4, 5, 6] });
          return { json: { command: 'spot instruments', items }, text };
        }),
      ),
    );
}

async function tickersOf({ exchange }: OpenExchange, symbol: string | undefined): Promise<readonly Ticker[]> {
  const { marketData } = exchange;
  if (symbol === undefined) return answered('the tickers', await marketData.tickers());
  return [answered('the ticker', await marketData.ticker(symbol.toUpperCase()))];
}

export function buildTicker(io: CliIo): Command {
  return withConfig(new Command('ticker').description('Show last and best prices, and the last 24 hours.'))
    .argument('[symbol]', 'of this symbol alone, also of a perpetual')
    .addHelpText('after', operationHelp(['spot ticker BTCUSDT --config config/sandbox.yaml'], ['ticker']))
    .action(
      action(io, (symbol: string | undefined, options: OperationOptions) =>
        withExchange(io, options, 'public', async (open) => {
          const items = await tickersOf(open, symbol);
          const rows = items.map((each) => [
            each.symbol,
            ...[each.last, each.bid, each.ask, each.low, each.high, each.volume].map(String),
          ]);
          const head = ['symbol', 'last', 'bid', 'ask', 'low', 'high', 'volume'];
          const text = rows.length === 0 ? 'no tickers' : table(rows, { head, right: [1, 2, 3, 4, 5, 6] });
          return { json: { command: 'spot ticker', items }, text };
        }),
      ),
    );
}

export function buildBook(io: CliIo): Command {
  return withConfig(new Command('book').description('Show the order book.'))
    .argument('<symbol>', 'for example BTCUSDT')
    .option('--limit <N>', `levels a side, at most ${BOOK_MAX}`, '10')
    .addHelpText(
      'after',
      operationHelp(['spot book BTCUSDT --limit 5 --config config/sandbox.yaml'], ['orderBook', 'spotInstruments']),
    )
    .action(
      action(io, async (symbol: string, options: LimitOptions) => {
        const limit = countOption('limit', options.limit, BOOK_MAX);
        return withExchange(io, options, 'public', async ({ exchange }) => {
          const book = answered('the book', await readSnapshot(exchange, symbol.toUpperCase(), limit));
          const { bids, asks } = book;
          const rows = Array.from({ length: Math.max(bids.length, asks.length) }, (_, at) => {
            const [bid = '', has = ''] = bids[at] ?? [];
            const [ask = '', wants = ''] = asks[at] ?? [];
            return [has, bid, ask, wants];
          });
          const head = ['quantity', 'bid', 'ask', 'quantity'];
          const text = rows.length === 0 ? 'the book is empty' : table(rows, { head, right: [0, 1, 2, 3] });
          return { json: { command: 'spot book', ...book }, text };
        });
      }),
    );
}

export function buildCandles(io: CliIo): Command {
  return withConfig(new Command('candles').description('Show candles, oldest first.'))
    .argument('<symbol>', 'for example BTCUSDT')
    .addOption(new Option('--interval <INTERVAL>', 'of a candle').choices(intervals).default('1m'))
    .option('--from <TIME>', 'opened at or after, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'opened at or before')
    .option('--limit <N>', `how many, at most ${limits.pageLimitMax}`, '20')
    .addHelpText(
      'after',
      operationHelp(['spot candles BTCUSDT --interval 1h --limit 24 --config config/sandbox.yaml'], ['candles']),
    )
    .action(
      action(io, async (symbol: string, options: CandleOptions) => {
        const from = timeOption('from', options.from);
        const to = timeOption('to', options.to);
        const { interval } = options;
        const request = {
          symbol: symbol.toUpperCase(),
          interval,
          limit: countOption('limit', options.limit, limits.pageLimitMax),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        };
        return withExchange(io, options, 'public', async ({ exchange }) => {
          const items = answered('the candles', await exchange.marketData.candles(request));
          const rows = items.map((each) => [
            minuteText(each.openTime),
            ...[each.open, each.high, each.low, each.close, each.volume].map(String),
            each.closed ? '' : 'open',
          ]);
          const head = ['opened', 'open', 'high', 'low', 'close', 'volume', ''];
          const text = rows.length === 0 ? 'no candles' : table(rows, { head, right: [1, 2, 3, 4, 5] });
          return { json: { command: 'spot candles', symbol: request.symbol, interval, items }, text };
        });
      }),
    );
}

export function buildTime(io: CliIo): Command {
  return withConfig(new Command('time').description('Show the time of the exchange.'))
    .addHelpText('after', operationHelp(['spot time --config config/sandbox.yaml'], ['time']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'public', async ({ exchange }) => {
          const serverTime = answered('the time', await exchange.marketData.serverTime());
          return { json: { command: 'spot time', serverTime }, text: timeText(serverTime) };
        }),
      ),
    );
}
