/** `tidewire p2p markets|methods|profile`: the pairs with their limits and price bounds, payment methods, own profile. */
import { Command } from 'commander';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';
import { marketDocument, userDocument } from './documents.ts';
import { readBounds } from './price-bounds.ts';

async function marketsText(open: OpenExchange): Promise<{ documents: object[]; text: string }> {
  const markets = answered('the pairs', await open.exchange.money.p2p.markets());
  const parts: string[] = [];
  for (const market of markets) {
    const { text } = await readBounds(open, market);
    parts.push(
      table([
        [market.marketId, `${market.base} for ${market.quote}`],
        ['price', `${text}, ${market.pricePrecision} decimals`],
        ['advertisement', `${market.advertisementMin} to ${market.advertisementMax} ${market.base}`],
        ['deal', `${market.tradeMin} to ${market.tradeMax} ${market.quote}`],
        [
          'at once',
          `${market.activeSellMax} that sell, ${market.activeBuyMax} that buy, ${market.activeTradesMax} trades`,
        ],
      ]),
    );
  }
  return { documents: markets.map(marketDocument), text: parts.length === 0 ? 'no pairs' : parts.join('\n\n') };
}

export function buildMarkets(io: CliIo): Command {
  return withConfig(new Command('markets').description('List the pairs, their limits and the bounds of the price.'))
    .addHelpText('after', operationHelp(['p2p markets --config config/sandbox.yaml'], ['p2pMarkets', 'ticker']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async (open) => {
          const { documents, text } = await marketsText(open);
          return { json: { command: 'p2p markets', complete: true, items: documents }, text };
        }),
      ),
    );
}

export function buildMethods(io: CliIo): Command {
  return withConfig(new Command('methods').description('List the payment methods.'))
    .addHelpText('after', operationHelp(['p2p methods --config config/sandbox.yaml'], ['p2pPaymentMethods']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const items = answered('the payment methods', await exchange.money.p2p.paymentMethods());
          const rows = items.map(({ id, name }) => [id, name]);
          const text = rows.length === 0 ? 'no payment methods' : table(rows, { head: ['id', 'name'] });
          return { json: { command: 'p2p methods', complete: true, items }, text };
        }),
      ),
    );
}

export function buildProfile(io: CliIo): Command {
  return withConfig(new Command('profile').description('Show how other users see you.'))
    .addHelpText('after', operationHelp(['p2p profile --config config/sandbox.yaml'], ['p2pProfile']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const user = answered('the profile', await exchange.money.p2p.profile());
          const text = table([
            ['name', user.username],
            ['completed trades', String(user.tradesCount)],
            ['user id', user.userId],
          ]);
          return { json: { command: 'p2p profile', ...userDocument(user) }, text };
        }),
      ),
    );
}
