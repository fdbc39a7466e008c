/** `tidewire account fees|referral|me`: what is personal about the account. */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';

interface FeesOptions extends OperationOptions {
  readonly symbol?: string;
}

/** `0.001` is `0.1 %`. */
function percentText(fraction: string): string {
  return `${decimalText(dec(fraction).times(100))} %`;
}

export function buildFees(io: CliIo): Command {
  return withConfig(new Command('fees').description('Show the personal trading fees.'))
    .option('--symbol <SYMBOL>', 'of this symbol alone')
    .addHelpText('after', operationHelp(['account fees --symbol BTCUSDT --config config/sandbox.yaml'], ['fees']))
    .action(
      action(io, (options: FeesOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const items = answered('the fees', await exchange.account.fees(options.symbol?.toUpperCase()));
          const rows = items.map(({ symbol, maker, taker }) => [symbol, percentText(maker), percentText(taker)]);
          const text =
            rows.length === 0 ? 'no fees' : table(rows, { head: ['symbol', 'maker', 'taker'], right: [1, 2] });
          return { json: { command: 'account fees', complete: true, items }, text };
        }),
      ),
    );
}

export function buildReferral(io: CliIo): Command {
  return withConfig(new Command('referral').description('Show the referral link and what it has earned.'))
    .addHelpText(
      'after',
      operationHelp(['account referral --config config/sandbox.yaml'], ['referralLink', 'referralReward']),
    )
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const { linkId, url } = answered('the link', await exchange.money.referrals.link());
          const { rewards } = answered('the reward', await exchange.money.referrals.reward(linkId));
          const earned =
            rewards.length === 0 ? 'nothing yet' : rewards.map((row) => `${row.amount} ${row.currency}`).join(', ');
          const text = table([
            ['link', url],
            ['link id', linkId],
            ['reward', earned],
          ]);
          return { json: { command: 'account referral', linkId, url, rewards }, text };
        }),
      ),
    );
}

export function buildMe(io: CliIo): Command {
  return withConfig(new Command('me').description('Show whose key this is.'))
    .addHelpText('after', operationHelp(['account me --config config/sandbox.yaml'], ['me']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange, name }) => {
          const me = answered('the current user', await exchange.account.me());
          const text = table([
            ['login', me.login ?? '-'],
            ['name', me.username ?? '-'],
            ['user id', me.userId],
            ['exchange', name],
          ]);
          return { json: { command: 'account me', ...me }, text };
        }),
      ),
    );
}
