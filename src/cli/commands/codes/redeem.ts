/** `tidewire codes redeem`: credits a code to `funding`. The text is never in argv; the journal keeps its hash. */
import { Command } from 'commander';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConsent } from '../../operations/options.ts';
import { confirmPlan } from '../../operations/plan.ts';

const WHAT = 'redeeming the code';
const LOOK = 'see `tidewire account transactions --type code_redeem`';
const CODE = /^[\x21-\x7e]{4,256}$/;

/** One line of stdin, or the answer on the terminal. */
async function readCode(io: CliIo): Promise<string> {
  const { terminal } = io;
  const text =
    terminal?.interactive === true ? await terminal.askSecret('Code: ') : ((await terminal?.readInput()) ?? '');
  const code = text.trim();
  if (CODE.test(code)) return code;
  throw cliErrors.make(
    'prompt_answer',
    `expected the text of one code on stdin, 4 to 256 printable characters, got ${code.length} characters`,
  );
}

async function redeem(io: CliIo, open: OpenExchange, code: string, options: MutatingOptions): Promise<CommandResult> {
  const move = { request: { kind: 'codeRedeem' }, secrets: { code }, what: WHAT, look: LOOK } as const;
  await settleEarlier(io, open, move);
  const rows = [
    ['account', `${await open.account()} at ${open.name}`],
    ['to', 'funding'],
  ] as const;
  await confirmPlan(io, { title: 'redeem a code', rows, warnings: ['a code is redeemed once'] }, options);
  const row = await moveMoney(io, open, move);
  return {
    json: { command: 'codes redeem', ...row },
    text: `code ${row.codeId} is redeemed: ${row.amount} ${row.currency} to funding`,
  };
}

export function buildRedeem(io: CliIo): Command {
  return withConsent(new Command('redeem').description('Redeem a code; its text comes from stdin or is asked for.'))
    .addHelpText(
      'after',
      operationHelp(['codes redeem --config config/sandbox.yaml', 'codes redeem --yes < code.txt'], ['redeemCode']),
    )
    .action(
      action(io, async (options: MutatingOptions) => {
        const code = await readCode(io);
        return withExchange(io, options, 'key', (open) => redeem(io, open, code, options));
      }),
    );
}
