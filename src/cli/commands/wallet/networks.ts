/** `tidewire wallet networks` (also `account networks`) and `wallet currencies`, with withdrawal fees. */
import { Command } from 'commander';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { currencyOption, withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';

export function buildNetworks(io: CliIo, group: 'account' | 'wallet'): Command {
  return withConfig(new Command('networks').description('List the networks of the exchange.'))
    .addHelpText('after', operationHelp([`${group} networks --config config/sandbox.yaml`], ['networks']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: `${group} networks`,
            what: 'networks',
            reading: await exchange.money.dictionaries.networks(),
            text: (items) =>
              table(
                items.map(({ network, title }) => [network, title]),
                { head: ['network', 'title'] },
              ),
          }),
        ),
      ),
    );
}

interface CurrencyOptions extends OperationOptions {
  readonly currency?: string;
}

const HEAD = ['currency', 'network', 'at least', 'fee', 'confirmations'];

export function buildCurrencies(io: CliIo): Command {
  return withConfig(
    new Command('currencies').description(
      'List what can be withdrawn on which network, from what amount, at what fee.',
    ),
  )
    .option('--currency <CURRENCY>', 'only this one')
    .addHelpText(
      'after',
      operationHelp(['wallet currencies --currency USDT --config config/sandbox.yaml'], ['withdrawalCurrencies']),
    )
    .action(
      action(io, (options: CurrencyOptions) => {
        const wanted = options.currency === undefined ? null : currencyOption('currency', options.currency);
        return withExchange(io, options, 'key', async ({ exchange }) => {
          const all = answered('the currencies', await exchange.money.crypto.currencies());
          const items = all.filter(({ currency }) => wanted === null || currency === wanted);
          const rows = items.flatMap(({ currency, networks }) =>
            networks.map(({ network, minAmount, fee, confirmations }) => [
              currency,
              network,
              minAmount,
              fee,
              String(confirmations),
            ]),
          );
          const text = rows.length === 0 ? 'nothing can be withdrawn' : table(rows, { head: HEAD, right: [2, 3, 4] });
          return { json: { command: 'wallet currencies', complete: true, items }, text };
        });
      }),
    );
}
