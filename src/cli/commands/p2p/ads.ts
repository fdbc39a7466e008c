/** `tidewire p2p ads|my-ads|ad`. */
import { Command, Option } from 'commander';
import { advertisementStatuses } from '../../../exchange/interface/states.ts';
import { dec } from '../../../model/numbers/money.ts';
import type { Advertisement, AdvertisementStatus } from '../../../model/funds/p2p.ts';
import type { Reading } from '../../../model/result.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { advertisementDocument } from './documents.ts';
import { advertisementsText, advertisementText, nextText, partOf, tradeText } from './text.ts';

interface AdsOptions extends OperationOptions {
  readonly market?: string;
  readonly side?: 'buy' | 'sell';
}

/** Cheapest for a taker first. */
function sorted(reading: Reading<Advertisement>): Reading<Advertisement> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items.toSorted((a, b) => {
    if (a.side !== b.side) return a.side === 'sell' ? -1 : 1;
    const rise = dec(a.price).cmp(dec(b.price));
    return a.side === 'sell' ? rise : -rise;
  });
  return { ...reading, items };
}

export function buildAds(io: CliIo): Command {
  return withConfig(new Command('ads').description('List active advertisements, the best price first.'))
    .option('--market <PAIR>', 'only of this pair, for example USDTRUB')
    .addOption(new Option('--side <SIDE>', 'only makers who sell or who buy').choices(['buy', 'sell']))
    .addHelpText(
      'after',
      operationHelp(['p2p ads --market USDTRUB --side sell --config config/sandbox.yaml'], ['p2pAdvertisements']),
    )
    .action(
      action(io, (options: AdsOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const { market, side } = options;
          const filter = {
            ...(market === undefined ? {} : { marketId: market.toUpperCase() }),
            ...(side === undefined ? {} : { side }),
          };
          return listing({
            command: 'p2p ads',
            what: 'advertisements',
            reading: sorted(await exchange.money.p2p.advertisements(filter)),
            text: (items) => advertisementsText(items, false),
            row: advertisementDocument,
          });
        }),
      ),
    );
}

interface MyAdsOptions extends OperationOptions {
  readonly status?: AdvertisementStatus;
}

export function buildMyAds(io: CliIo): Command {
  return withConfig(new Command('my-ads').description('List your own advertisements.'))
    .addOption(new Option('--status <STATUS>', 'only in this state').choices(advertisementStatuses))
    .addHelpText(
      'after',
      operationHelp(['p2p my-ads --status active --config config/sandbox.yaml'], ['p2pMyAdvertisements']),
    )
    .action(
      action(io, (options: MyAdsOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'p2p my-ads',
            what: 'advertisements',
            reading: await exchange.money.p2p.myAdvertisements(options.status),
            text: (items) => advertisementsText(items, true),
            row: advertisementDocument,
          }),
        ),
      ),
    );
}

export function buildAd(io: CliIo): Command {
  return withConfig(new Command('ad').description('Show one advertisement, and your trades of it.'))
    .argument('<id>', 'id of the advertisement')
    .addHelpText('after', operationHelp(['p2p ad 17 --config config/sandbox.yaml'], ['p2pAdvertisement', 'me']))
    .action(
      action(io, (advertisementId: string, options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange, clock }) => {
          const ad = answered('the advertisement', await exchange.money.p2p.advertisement(advertisementId));
          const { userId } = answered('the current user', await exchange.account.me());
          const trades = ad.trades.map((trade) => {
            const part = partOf(trade, userId);
            return `trade ${trade.tradeId}: ${tradeText(trade, part)}, ${trade.status}\n  next: ${nextText(trade, part, clock.now()).replaceAll('\n', ' ')}`;
          });
          return {
            json: { command: 'p2p ad', ...advertisementDocument(ad) },
            text: [advertisementText(ad), ...trades].join('\n'),
          };
        }),
      ),
    );
}
