/**
 * `tidewire wallet withdraw`: crypto to an address of the book, after its delay. Currency and network must match the
 * entry.
 */
import { Command } from 'commander';
import { resolve } from 'node:path';
import type { WithdrawalNetwork } from '../../../exchange/wire/money/crypto.ts';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { destinationFor, type BookEntry } from '../../../session/address-book/book.ts';
import { readBook } from '../../../session/address-book/store.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { noteOther, readHoldings, type Holdings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { contradicted } from '../../operations/outcome.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, currencyOption, networkOption, withConsent } from '../../operations/options.ts';
import { answered, refusedBeforehand, refusedWith } from '../../../operations/exchange/answers.ts';
import { confirmPlan, type Plan } from '../../operations/plan.ts';
import { secondFactor } from '../../operations/secrets.ts';
import { requireShown, transactionRow } from '../../operations/shown.ts';
import { needCredentials } from './credentials.ts';
import { WITHDRAWAL_LOOK } from './shown.ts';

interface Options extends MutatingOptions {
  readonly to: string;
  readonly network: string;
}

interface Wish {
  readonly currency: string;
  readonly amount: string;
  readonly network: string;
  readonly to: string;
}

const WHAT = 'the withdrawal';
const SOURCE = 'funding';
const NOT_PAID: readonly string[] = ['rejected', 'failed', 'canceled'];

async function networkFor({ exchange }: OpenExchange, { currency, network }: Wish): Promise<WithdrawalNetwork> {
  const all = answered('the currencies', await exchange.money.crypto.currencies());
  const networks = all.find((row) => row.currency === currency)?.networks ?? [];
  const row = networks.find((each) => each.network === network);
  if (row !== undefined) return row;
  const known =
    networks.length === 0 ? 'it cannot be withdrawn' : `it has ${networks.map((each) => each.network).join(', ')}`;
  throw cliErrors.make('operation_invalid', `${currency} has no network ${network}; ${known}`, { option: 'network' });
}

function checkMinimum({ amount, currency }: Wish, { minAmount, network }: WithdrawalNetwork): void {
  if (dec(amount).gte(minAmount)) return;
  const message = `at least ${minAmount} ${currency} can be withdrawn on ${network}`;
  throw refusedBeforehand(WHAT, 'below_minimum', message, 'amount');
}

interface Facts {
  readonly account: string;
  readonly host: string;
  readonly entry: BookEntry;
  readonly costs: WithdrawalNetwork;
  readonly holdings: Holdings;
}

function planOf({ amount, currency, network }: Wish, { account, host, entry, costs, holdings }: Facts): Plan {
  const total = decimalText(dec(amount).plus(costs.fee));
  const before = holdings.available(SOURCE, currency);
  const memo = entry.memo === null ? [] : [['memo', entry.memo] as const];
  return {
    title: `withdraw ${amount} ${currency} on ${network}`,
    rows: [
      ['account', `${account} at ${host}`],
      ['from', `${SOURCE}: ${decimalText(before)} -> ${decimalText(before.minus(total))} ${currency} available`],
      ['to', `${entry.name}: ${entry.address}`],
      ...memo,
      ['fee', `${costs.fee} ${currency} on top, ${total} ${currency} in all`],
      ['arrives after', `${costs.confirmations} confirmations of ${network}`],
    ],
    warnings: ['can be canceled before the exchange begins to process it, and never brought back after that'],
  };
}

async function withdraw(io: CliIo, open: OpenExchange, wish: Wish, options: Options): Promise<CommandResult> {
  const { config, clock, name: host } = open;
  const { addressBook, addressDelayHours } = config.wallet;
  const { currency, amount, network } = wish;
  const book = readBook(resolve(io.cwd, addressBook), needCredentials(open));
  const entry = destinationFor(book, wish, clock.now(), addressDelayHours);
  const costs = await networkFor(open, wish);
  checkMinimum(wish, costs);
  const { address, memo } = entry;
  const request = { kind: 'withdraw', currency, network, address, amount, ...(memo === null ? {} : { memo }) } as const;
  const move = { request, what: WHAT, look: WITHDRAWAL_LOOK };
  await settleEarlier(io, open, move);
  const holdings = await readHoldings(open);
  holdings.coverOutside(WHAT, { account: SOURCE, currency, amount, fee: costs.fee });
  const facts = { account: await open.account(), host, entry, costs, holdings };
  await confirmPlan(io, planOf(wish, facts), options);
  const auth2faCode = await secondFactor(io, 'to withdraw');
  const made = await moveMoney(io, open, { ...move, secrets: { auth2faCode } });
  const { transactionId, status, fee } = made;
  const undo = `take it back with \`tidewire wallet cancel ${transactionId}\``;
  if (dec(fee).gt(costs.fee))
    throw contradicted(
      WHAT,
      transactionId,
      `${transactionId} costs a fee of ${fee} ${currency}, not ${costs.fee}; ${undo}`,
    );
  if (NOT_PAID.includes(status)) {
    const word = { what: WHAT, noun: 'withdrawal', id: transactionId, status, states: NOT_PAID, look: WITHDRAWAL_LOOK };
    await requireShown(open, word, () => transactionRow(open, transactionId));
    throw refusedWith(WHAT, `${WHAT} ${transactionId} is ${status}`, status, undefined);
  }
  await noteOther(io, open, holdings, { account: SOURCE, currency, amount: dec(amount).plus(fee) }, WITHDRAWAL_LOOK);
  return {
    json: { command: 'wallet withdraw', ...made, to: entry.name },
    text: `withdrawal ${transactionId} is ${status}: ${made.amount} ${currency} to ${entry.name}, fee ${fee}\nfollow it with \`tidewire wallet history\`; ${undo}`,
  };
}

export function buildWithdraw(io: CliIo): Command {
  return withConsent(new Command('withdraw').description('Withdraw crypto to an address of the address book.'))
    .argument('<currency>', 'for example USDT')
    .argument('<amount>', 'plain decimal above zero, without the fee')
    .requiredOption('--to <NAME>', 'name in the address book (`wallet book list`), or the whole address of an entry')
    .requiredOption('--network <NETWORK>', 'has to be the one of the entry')
    .addHelpText(
      'after',
      operationHelp(
        ['wallet withdraw USDT 25 --to cold --network TRC20 --config config/sandbox.yaml'],
        ['createWithdrawal', 'withdrawalCurrencies', 'balances', 'transactions'],
      ),
    )
    .action(
      action(io, (currency: string, amount: string, options: Options) => {
        const wish = {
          currency: currencyOption('CURRENCY', currency),
          amount: amountOption('AMOUNT', amount),
          network: networkOption('network', options.network),
          to: options.to,
        };
        return withExchange(io, options, 'key', (open) => withdraw(io, open, wish, options));
      }),
    );
}
