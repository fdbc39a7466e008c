/**
 * `tidewire codes create`: a voucher paid from `funding`. Its secret text is printed once on stdout, and never
 * journalled or logged.
 */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { noteOther, readHoldings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, currencyOption, withConsent } from '../../operations/options.ts';
import { confirmPlan } from '../../operations/plan.ts';

interface Options extends MutatingOptions {
  readonly for?: string;
  readonly comment?: string;
}

const WHAT = 'the new code';
const SOURCE = 'funding';
const LOOK = 'see `tidewire codes my`, and `tidewire codes show ID --secret` for the text of a code that is there';

interface Wish {
  readonly currency: string;
  readonly amount: string;
  readonly recipient?: string;
  readonly comment?: string;
}

function wishOf(currency: string, amount: string, { for: recipient, comment }: Options): Wish {
  return {
    currency: currencyOption('CURRENCY', currency),
    amount: amountOption('AMOUNT', amount),
    ...(recipient === undefined ? {} : { recipient }),
    ...(comment === undefined ? {} : { comment }),
  };
}

async function create(io: CliIo, open: OpenExchange, wish: Wish, options: Options): Promise<CommandResult> {
  const { currency, amount, recipient, comment } = wish;
  const move = { request: { kind: 'codeCreate', ...wish }, what: WHAT, look: LOOK } as const;
  await settleEarlier(io, open, move);
  const holdings = await readHoldings(open);
  holdings.coverOutside(WHAT, { account: SOURCE, currency, amount });
  const before = holdings.available(SOURCE, currency);
  const plan = {
    title: `create a code of ${amount} ${currency}`,
    rows: [
      ['account', `${await open.account()} at ${open.name}`],
      ['from', `${SOURCE}: ${decimalText(before)} -> ${decimalText(before.minus(amount))} ${currency} available`],
      ['for', recipient ?? 'whoever knows the text'],
      ...(comment === undefined ? [] : [['comment', comment] as const]),
      ['fee', 'none'],
    ] as const,
    warnings: ['a code cannot be canceled: only redeeming it brings the money back'],
  };
  await confirmPlan(io, plan, options);
  const { code, ...made } = await moveMoney(io, open, move);
  await noteOther(io, open, holdings, { account: SOURCE, currency, amount: dec(amount) }, LOOK);
  return {
    json: { command: 'codes create', ...made, code },
    text: `code ${made.codeId} of ${made.amount} ${made.currency} is ${made.status}; its text, shown once:\n${code}`,
  };
}

export function buildCreate(io: CliIo): Command {
  return withConsent(new Command('create').description('Create a code: money that its bearer can redeem.'))
    .argument('<currency>', 'for example USDT')
    .argument('<amount>', 'plain decimal above zero')
    .option('--for <LOGIN>', 'only this user may redeem it')
    .option('--comment <TEXT>', 'kept with the code')
    .addHelpText(
      'after',
      operationHelp(
        ['codes create USDT 25 --for bob --config config/sandbox.yaml'],
        ['createCode', 'balances', 'codes'],
      ),
    )
    .action(
      action(io, (currency: string, amount: string, options: Options) => {
        const wish = wishOf(currency, amount, options);
        return withExchange(io, options, 'key', (open) => create(io, open, wish, options));
      }),
    );
}
