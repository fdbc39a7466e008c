/** `tidewire overdraft pay AMOUNT`: repays from `unified-trading` (assumed), interest first. */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { readHoldings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { contradicted } from '../../operations/outcome.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent } from '../../operations/options.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { loanText } from './read.ts';

const WHAT = 'the repayment';
const LOOK = 'see `tidewire overdraft loan` and `tidewire account transactions --type overdraft_repayment`';
const SOURCE = 'unified-trading';

async function pay(io: CliIo, open: OpenExchange, amount: string, options: MutatingOptions): Promise<CommandResult> {
  const { overdraft } = open.exchange.money;
  const move = { request: { kind: 'overdraftPay', amount }, what: WHAT, look: LOOK } as const;
  await settleEarlier(io, open, move);
  const { currency } = answered('the overdraft', await overdraft.status());
  const loan = answered('the loan', await overdraft.loan());
  if (dec(amount).gt(loan.total)) {
    throw refusedBeforehand(WHAT, 'above_maximum', `${loan.total} ${currency} is owed, less than ${amount}`, 'amount');
  }
  const holdings = await readHoldings(open);
  holdings.cover(WHAT, { account: SOURCE, currency, amount, owed: loan.total });
  const before = holdings.available(SOURCE, currency);
  const plan = {
    title: `repay ${amount} ${currency}`,
    rows: [
      ['account', await open.account()],
      ['owed', `${loan.total} ${currency}, of it interest ${loan.interest}`],
      ['owed afterwards', `${decimalText(dec(loan.total).minus(amount))} ${currency}`],
      ['from', `${SOURCE}: ${decimalText(before)} -> ${decimalText(before.minus(amount))} ${currency} available`],
    ] as const,
    warnings: ['interest is paid first'],
  };
  await confirmPlan(io, plan, options);
  const left = await moveMoney(io, open, move);
  if (dec(left.total).gte(loan.total))
    throw contradicted(WHAT, null, `${loan.total} ${currency} was owed, and ${left.total} is owed after it; ${LOOK}`);
  return {
    json: { command: 'overdraft pay', paid: amount, currency, ...left },
    text: `paid ${amount} ${currency}\n${loanText(left, currency)}`,
  };
}

export function buildPay(io: CliIo): Command {
  return withConsent(new Command('pay').description('Repay what is borrowed, interest first.'))
    .argument('<amount>', 'at most what is owed')
    .addHelpText(
      'after',
      operationHelp(
        ['overdraft pay 100 --config config/sandbox.yaml'],
        ['overdraftPay', 'overdraftLoan', 'overdraft', 'balances'],
      ),
    )
    .action(
      action(io, async (text: string, options: MutatingOptions) => {
        const amount = amountOption('AMOUNT', text);
        return withExchange(io, options, 'key', (open) => pay(io, open, amount, options));
      }),
    );
}
