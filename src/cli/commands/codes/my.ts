/** `tidewire codes my` and `codes show`. `show --secret` prints the text, which is worth the money. */
import { Command, Option } from 'commander';
import type { CodeRow } from '../../../exchange/wire/money/codes.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';
import { timeText } from '../../operations/text.ts';

interface MyOptions extends OperationOptions {
  readonly activated?: boolean;
  readonly active?: boolean;
}

function rowOf({ codeId, currency, amount, status, recipient, createdAt, activatedBy, comment }: CodeRow): string[] {
  return [codeId, amount, currency, status, recipient ?? '', timeText(createdAt), activatedBy ?? '', comment ?? ''];
}

const HEAD = ['id', 'amount', 'currency', 'status', 'for', 'created', 'redeemed by', 'comment'];

export function buildMy(io: CliIo): Command {
  return withConfig(new Command('my').description('List own codes, newest first.'))
    .addOption(new Option('--active', 'only those that nobody has redeemed').conflicts('activated'))
    .option('--activated', 'only those that were redeemed')
    .addHelpText('after', operationHelp(['codes my --active --config config/sandbox.yaml'], ['codes']))
    .action(
      action(io, (options: MyOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'codes my',
            what: 'codes',
            reading: await exchange.money.codes.list(options.active === true ? false : options.activated),
            text: (items) => (items.length === 0 ? 'no codes' : table(items.map(rowOf), { head: HEAD, right: [1] })),
          }),
        ),
      ),
    );
}

interface ShowOptions extends OperationOptions {
  readonly secret?: boolean;
}

export function buildShow(io: CliIo): Command {
  return withConfig(new Command('show').description('Show one code; with --secret also its text.'))
    .argument('<id>', 'id of the code, as `codes my` lists it')
    .option('--secret', 'also print the secret text; whoever reads it can take the money')
    .addHelpText('after', operationHelp(['codes show 17 --config config/sandbox.yaml'], ['codeDetail']))
    .action(
      action(io, (codeId: string, options: ShowOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const { code, ...rest } = answered('the code', await exchange.money.codes.full(codeId));
          const text = options.secret === true ? code : null;
          const rows = Object.entries(rest).map(([name, value]) => [name, shown(name, value)]);
          if (text !== null) rows.push(['code', text]);
          const json = { command: 'codes show', ...rest, ...(text === null ? {} : { code: text }) };
          return { json, text: table(rows) };
        }),
      ),
    );
}

function shown(name: string, value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' && name.endsWith('At') ? timeText(value) : String(value);
}
