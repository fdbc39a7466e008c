/**
 * `tidewire wallet addresses` and `wallet new-address`. Currency and network are always shown: money sent on another
 * network is lost.
 */
import { Command } from 'commander';
import type { CryptoAddress, WithdrawalCurrency } from '../../../exchange/wire/money/crypto.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { currencyOption, networkOption, withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { accepted, outcomeOf } from '../../operations/outcome.ts';
import { table } from '../../terminal/table.ts';

interface AddressOptions extends OperationOptions {
  readonly currency?: string;
  readonly network?: string;
}

interface Issued {
  readonly currency: string;
  readonly network: string;
  /** Null: none issued yet. */
  readonly address: string | null;
  readonly memo: string | null;
}

const NO_ADDRESS = 'no_address';

async function issuedOn({ exchange }: OpenExchange, currency: string, network: string): Promise<Issued> {
  const answer = await exchange.money.crypto.address(currency, network);
  if (answer.kind === 'failed' && answer.error.details['code'] === NO_ADDRESS) {
    return { currency, network, address: null, memo: null };
  }
  const { address, memo } = answered('the address', answer);
  return { currency, network, address, memo };
}

function wanted(all: readonly WithdrawalCurrency[], options: AddressOptions): readonly [string, string][] {
  const currency = options.currency === undefined ? null : currencyOption('currency', options.currency);
  const network = options.network === undefined ? null : networkOption('network', options.network);
  return all
    .filter((row) => currency === null || row.currency === currency)
    .flatMap((row) => row.networks.map((each): [string, string] => [row.currency, each.network]))
    .filter(([, name]) => network === null || name === network);
}

export function buildAddresses(io: CliIo): Command {
  return withConfig(new Command('addresses').description('Show the deposit addresses that were issued.'))
    .option('--currency <CURRENCY>', 'only of this one')
    .option('--network <NETWORK>', 'only on this one')
    .addHelpText(
      'after',
      operationHelp(
        ['wallet addresses --currency USDT --config config/sandbox.yaml'],
        ['cryptoAddress', 'withdrawalCurrencies'],
      ),
    )
    .action(
      action(io, (options: AddressOptions) =>
        withExchange(io, options, 'key', async (open) => {
          const all = answered('the currencies', await open.exchange.money.crypto.currencies());
          const items: Issued[] = [];
          for (const [currency, network] of wanted(all, options)) items.push(await issuedOn(open, currency, network));
          const rows = items.map(({ currency, network, address, memo }) => [
            currency,
            network,
            address ?? 'none yet: `tidewire wallet new-address`',
            memo ?? '',
          ]);
          const text =
            rows.length === 0 ? 'no such network' : table(rows, { head: ['currency', 'network', 'address', 'memo'] });
          return { json: { command: 'wallet addresses', complete: true, items }, text };
        }),
      ),
    );
}

export function buildNewAddress(io: CliIo): Command {
  return withConfig(new Command('new-address').description('Have a new deposit address issued.'))
    .argument('<currency>', 'for example USDT')
    .requiredOption('--network <NETWORK>', 'as `wallet currencies` lists it')
    .addHelpText(
      'after',
      operationHelp(['wallet new-address USDT --network TRC20 --config config/sandbox.yaml'], ['newCryptoAddress']),
    )
    .action(
      action(io, (text: string, options: OperationOptions & { readonly network: string }) => {
        const currency = currencyOption('CURRENCY', text);
        const network = networkOption('network', options.network);
        return withExchange(io, options, 'key', async ({ exchange }) => {
          const outcome = await outcomeOf<CryptoAddress>((dispatch, done) =>
            exchange.money.crypto.newAddress(currency, network, dispatch, done),
          );
          const issued = accepted('the new address', outcome, 'see `tidewire wallet addresses`');
          const memo = issued.memo === null ? [] : [`memo ${issued.memo}: without it the money cannot be attributed`];
          const head = `${issued.address}\nfor ${currency} on ${network} alone`;
          return { json: { command: 'wallet new-address', ...issued }, text: [head, ...memo].join('\n') };
        });
      }),
    );
}
