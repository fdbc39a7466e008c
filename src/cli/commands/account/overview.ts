/** `tidewire account overview`: balances of all accounts, and totals per currency. */
import { Command, Option } from 'commander';
import { accountTypes } from '../../../exchange/interface/permissions.ts';
import type { AccountType, Balance } from '../../../model/trading/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../../model/numbers/money.ts';
import type { Reading } from '../../../model/result.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { readAssets, requireCurrency } from '../../operations/assets.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { currencyOption, withConfig } from '../../operations/options.ts';
import { table } from '../../terminal/table.ts';

interface Options extends OperationOptions {
  readonly account?: AccountType;
  readonly currency?: string;
  readonly all?: boolean;
}

interface Total {
  readonly currency: string;
  readonly available: string;
  readonly locked: string;
  readonly total: string;
}

const HEAD = ['account', 'currency', 'available', 'locked', 'total'];

function sumOf(rows: readonly Balance[], field: 'available' | 'locked' | 'total'): string {
  return decimalText(rows.reduce<Decimal>((sum, row) => sum.plus(dec(row[field])), ZERO));
}

/** In order of first appearance. */
export function totalsOf(balances: readonly Balance[]): readonly Total[] {
  const currencies = [...new Set(balances.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const rows = balances.filter((row) => row.currency === currency);
    return {
      currency,
      available: sumOf(rows, 'available'),
      locked: sumOf(rows, 'locked'),
      total: sumOf(rows, 'total'),
    };
  });
}

function isEmpty({ available, locked, total }: Balance): boolean {
  return [available, locked, total].every((text) => dec(text).isZero());
}

function textOf(balances: readonly Balance[], all: boolean): string {
  const shown = all ? balances : balances.filter((balance) => !isEmpty(balance));
  const hidden = balances.length - shown.length;
  const rows = shown
    .toSorted((a, b) => accountTypes.indexOf(a.account) - accountTypes.indexOf(b.account))
    .map(({ account, currency, available, locked, total }) => [account, currency, available, locked, total]);
  const sums = totalsOf(shown).map(({ currency, available, locked, total }) => [
    'together',
    currency,
    available,
    locked,
    total,
  ]);
  const note = hidden === 0 ? '' : `\n${hidden} empty balances are not shown (--all shows them)`;
  if (rows.length === 0) return `no money anywhere${note}`;
  return `${table([...rows, ['', '', '', '', ''], ...sums], { head: HEAD, right: [2, 3, 4] })}${note}`;
}

/** Filters rows; completeness stays. */
function narrowed(reading: Reading<Balance>, { account }: Options, code: string | undefined): Reading<Balance> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items.filter(
    (row) => (account === undefined || row.account === account) && (code === undefined || row.currency === code),
  );
  return { ...reading, items };
}

export function buildOverview(io: CliIo): Command {
  return withConfig(new Command('overview').description('Show the balances of every account, and totals per currency.'))
    .addOption(new Option('--account <ACCOUNT>', 'only this account').choices(accountTypes))
    .option('--currency <CODE>', 'only this currency')
    .option('--all', 'also show balances of zero')
    .addHelpText(
      'after',
      operationHelp(['account overview --currency USDT --config config/sandbox.yaml'], ['balances']),
    )
    .action(
      action(io, (options: Options) => {
        const code = options.currency === undefined ? undefined : currencyOption('currency', options.currency);
        return withExchange(io, options, 'key', async (open) => {
          const all = await open.exchange.account.balances();
          const held = all.kind === 'failed' ? [] : all.items.map(({ currency }) => currency);
          if (code !== undefined && !held.includes(code)) requireCurrency(await readAssets(open), code, held);
          return listing({
            command: 'account overview',
            what: 'balances',
            reading: narrowed(all, options, code),
            text: (items) => textOf(items, options.all === true),
            more: (items) => ({ totals: totalsOf(items) }),
          });
        });
      }),
    );
}
