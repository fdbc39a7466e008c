/**
 * `tidewire transfer make FROM TO CURRENCY AMOUNT`: checks, shows both accounts, asks. A transfer out of `overdraft`
 * borrows (assumed).
 */
import { Argument, Command } from 'commander';
import { accountTypes } from '../../../exchange/interface/permissions.ts';
import type { AccountType } from '../../../model/trading/account.ts';
import type { TransferRoute } from '../../../model/funds/money-records.ts';
import { dec, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { holdingsAfter, readHoldings, type Holdings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { contradicted } from '../../operations/outcome.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, currencyOption, withConsent } from '../../operations/options.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { table } from '../../terminal/table.ts';

interface Content {
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: string;
}

const WHAT = 'the transfer';
const LOOK = 'see `tidewire account transactions --type transfer` and `tidewire account overview`';

function checkRoute(routes: readonly TransferRoute[], { from, to, currency }: Content): void {
  const fits = ({ currencies }: TransferRoute): boolean => currencies === null || currencies.includes(currency);
  if (routes.some((route) => route.from === from && route.to === to && fits(route))) return;
  const targets = routes.filter((route) => route.from === from && fits(route)).map((route) => route.to);
  const known = targets.length === 0 ? 'to nowhere' : `to ${targets.join(', ')}`;
  const message = `no route takes ${currency} from ${from} to ${to}; from ${from} it goes ${known}`;
  throw refusedBeforehand(WHAT, 'route_not_available', message);
}

/** Borrowing needs a credit line, not a balance. */
async function checkSource(open: OpenExchange, holdings: Holdings, content: Content): Promise<void> {
  const { from, currency, amount } = content;
  if (from !== 'overdraft') {
    holdings.cover(WHAT, { account: from, currency, amount });
    return;
  }
  holdings.requirePlaces(WHAT, content);
  const line = answered('the overdraft', await open.exchange.money.overdraft.status());
  if (line.enabled && line.currency === currency && dec(line.available).gte(amount)) return;
  const message = line.enabled
    ? `the overdraft lends at most ${line.available} ${line.currency} more`
    : 'the overdraft is not enabled for this account';
  throw refusedBeforehand(WHAT, 'insufficient_balance', message, 'amount');
}

function changeText(holdings: Holdings, account: AccountType, currency: string, change: string): string {
  const before = holdings.available(account, currency);
  return `${account}: ${decimalText(before)} -> ${decimalText(before.plus(change))} ${currency} available`;
}

function sideText(account: AccountType, holdings: Holdings, currency: string, change: string): string {
  return account === 'overdraft' ? 'overdraft: this borrows' : changeText(holdings, account, currency, change);
}

async function make(io: CliIo, open: OpenExchange, content: Content, options: MutatingOptions): Promise<CommandResult> {
  const { from, to, currency, amount } = content;
  const move = { request: { kind: 'transfer', ...content }, what: WHAT, look: LOOK } as const;
  await settleEarlier(io, open, move);
  checkRoute(answered('the routes', await open.exchange.money.transfers.routes()), content);
  const before = await readHoldings(open);
  await checkSource(open, before, content);
  const plan = {
    title: `transfer ${amount} ${currency}`,
    rows: [
      ['account', await open.account()],
      ['from', sideText(from, before, currency, `-${amount}`)],
      ['to', changeText(before, to, currency, amount)],
    ] as const,
    warnings: from === 'overdraft' ? ['borrowed money costs interest: see `tidewire overdraft fee`'] : [],
  };
  await confirmPlan(io, plan, options);
  const transfer = await moveMoney(io, open, move);
  // `overdraft` has a credit line, not a balance.
  const touched = [from, to].filter((account) => account !== 'overdraft');
  const changeOf = (after: Holdings, account: AccountType): Decimal => after.changeSince(before, account, currency);
  const isShown = (after: Holdings): boolean => touched.some((account) => !changeOf(after, account).isZero());
  const after = await holdingsAfter(open, isShown);
  if (after !== null) {
    const { transferId: id } = transfer;
    if (!isShown(after))
      throw contradicted(WHAT, id, `transfer ${id} was answered as done, and no balance has moved; ${LOOK}`);
    for (const account of touched) {
      const [change, asked] = [changeOf(after, account), dec(amount).times(account === from ? -1 : 1)];
      const what = `${account} changed by ${decimalText(change)} ${currency}, not by ${decimalText(asked)}`;
      if (!change.eq(asked)) io.err(`note: ${what}: something else has moved, or this twice; ${LOOK}\n`);
    }
  }
  const balances = touched.map((account) => ({
    account,
    currency,
    before: decimalText(before.available(account, currency)),
    after: after === null ? null : decimalText(after.available(account, currency)),
  }));
  const rows = balances.map((row) => [row.account, row.before, row.after ?? 'could not be read', currency]);
  const done = `transferred ${transfer.amount} ${transfer.currency} from ${transfer.from} to ${transfer.to} (transfer ${transfer.transferId})`;
  return {
    json: { command: 'transfer make', ...transfer, available: balances },
    text: `${done}\n${table(rows, { head: ['account', 'before', 'after', ''], right: [1, 2] })}`,
  };
}

export function buildMake(io: CliIo): Command {
  return withConsent(new Command('make').description('Transfer money from one of your accounts to another.'))
    .addArgument(new Argument('<from>', 'account that gives').choices(accountTypes))
    .addArgument(new Argument('<to>', 'account that gets').choices(accountTypes))
    .argument('<currency>', 'for example USDT')
    .argument('<amount>', 'plain decimal above zero')
    .addHelpText(
      'after',
      operationHelp(
        [
          'transfer make funding unified-trading USDT 100 --config config/sandbox.yaml',
          'transfer make unified-trading p2p USDT 12.5 --yes --json --config config/sandbox.yaml',
        ],
        ['transferRoutes', 'balances', 'transfer'],
      ),
    )
    .action(
      action(
        io,
        async (from: AccountType, to: AccountType, currency: string, amount: string, options: MutatingOptions) => {
          if (from === to) throw cliErrors.make('operation_invalid', `FROM and TO are both ${from}`, { field: 'to' });
          const content = {
            from,
            to,
            currency: currencyOption('CURRENCY', currency),
            amount: amountOption('AMOUNT', amount),
          };
          return withExchange(io, options, 'key', (open) => make(io, open, content, options));
        },
      ),
    );
}
