/**
 * `tidewire fiat draft` and `fiat create`. A draft moves nothing; `create` submits, and a withdrawal locks its amount.
 * Bank details come from a file or stdin, never argv.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { z } from 'zod';
import { fiatApplicationTypes, type FiatApplicationType } from '../../../exchange/interface/states.ts';
import { messageOf } from '../../../model/errors.ts';
import type { FiatApplication } from '../../../model/funds/money-records.ts';
import { decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { readHoldings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, currencyOption, withConsent } from '../../operations/options.ts';
import { confirmPlan, type Plan } from '../../operations/plan.ts';
import { requireShown, transactionRow } from '../../operations/shown.ts';
import { refusedWith } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

interface Options extends MutatingOptions {
  readonly method: string;
  readonly details?: string;
}

interface Content {
  readonly type: FiatApplicationType;
  readonly currency: string;
  readonly amount: string;
  readonly method: string;
}

type Details = string | Readonly<Record<string, string>>;

const detailsSchema = z.union([z.string().min(1), z.record(z.string(), z.string())]);

/** A JSON object of texts, or plain text. Throws `operation_invalid`, without the content. */
async function readDetails(io: CliIo, file: string | undefined): Promise<Details | undefined> {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = file === '-' ? ((await io.terminal?.readInput()) ?? '') : readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (thrown) {
    throw cliErrors.make('operation_invalid', `--details ${file} cannot be read: ${messageOf(thrown)}`, {
      option: 'details',
    });
  }
  const parsed = detailsSchema.safeParse(valueOf(text.trim(), file));
  if (parsed.success) return parsed.data;
  throw cliErrors.make('operation_invalid', `--details ${file} is neither text nor a JSON object of texts`, {
    option: 'details',
  });
}

/** Text is no JSON, unless it says that it is. The message of a parser would show the content. */
function valueOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!file.endsWith('.json') && !text.startsWith('{')) return text;
    throw cliErrors.make('operation_invalid', `--details ${file} is broken JSON`, { option: 'details' });
  }
}

export const FIAT_LOOK = 'see `tidewire fiat list` and `tidewire account overview`';

export function applicationText(done: string, application: FiatApplication): string {
  const { applicationId, status, type, amount, currency, method, createdAt } = application;
  const rows = [
    ['id', applicationId],
    ['status', status],
    ['what', `${type} of ${amount} ${currency}${method === null ? '' : ` by ${method}`}`],
    ['created', timeText(createdAt)],
  ];
  return `${done}\n${table(rows)}`;
}

async function planOf(open: OpenExchange, content: Content, kind: 'fiatCreate' | 'fiatSubmit'): Promise<Plan> {
  const { type, currency, amount, method } = content;
  const account = await open.account();
  const rows: [string, string][] = [
    ['account', account],
    ['method', method],
  ];
  const draft = kind === 'fiatCreate';
  if (type === 'withdrawal' && !draft) {
    const holdings = await readHoldings(open);
    holdings.coverOutside(WHAT, { account: 'funding', currency, amount });
    const before = holdings.available('funding', currency);
    rows.push([
      'from',
      `funding: ${decimalText(before)} -> ${decimalText(before.minus(amount))} ${currency} available`,
    ]);
  }
  const title = `${draft ? 'draft' : 'create and submit'} a ${type} of ${amount} ${currency}`;
  const next = draft ? ['a draft moves nothing until `tidewire fiat submit`'] : ['it goes to the staff at once'];
  return { title, rows, warnings: next };
}

const WHAT = 'the application';
const ENDED: readonly string[] = ['rejected', 'failed', 'canceled'];
const asked: Readonly<Record<'fiatCreate' | 'fiatSubmit', readonly string[]>> = {
  fiatCreate: ['created'],
  fiatSubmit: ['submitted', 'processing', 'completed'],
};

/** Throws `operation_contradicted`, or `operation_refused` for one that was submitted and has ended without effect. */
async function requireState(
  open: OpenExchange,
  kind: 'fiatCreate' | 'fiatSubmit',
  { applicationId: id, status }: FiatApplication,
): Promise<void> {
  if (asked[kind].includes(status)) return;
  const states = kind === 'fiatSubmit' && ENDED.includes(status) ? ENDED : asked[kind];
  const word = { what: WHAT, noun: 'application', id, status, states, look: FIAT_LOOK };
  await requireShown(open, word, () => transactionRow(open, id));
  throw refusedWith(WHAT, `application ${id} is ${status}`, status, undefined);
}

async function apply(
  io: CliIo,
  open: OpenExchange,
  {
    command,
    kind,
    content,
    options,
  }: { command: string; kind: 'fiatCreate' | 'fiatSubmit'; content: Content; options: Options },
): Promise<CommandResult> {
  const details = await readDetails(io, options.details);
  const secrets = details === undefined ? {} : { secrets: { details } };
  const move = { request: { kind, ...content }, ...secrets, what: WHAT, look: FIAT_LOOK };
  await settleEarlier(io, open, move);
  await confirmPlan(io, await planOf(open, content, kind), options);
  const application = await moveMoney(io, open, move);
  await requireState(open, kind, application);
  const done = kind === 'fiatCreate' ? 'drafted' : 'submitted';
  const hint =
    kind === 'fiatCreate' ? `\n\`tidewire fiat submit ${application.applicationId}\` sends it to the staff` : '';
  return { json: { command, ...application }, text: `${applicationText(done, application)}${hint}` };
}

function applyCommand(io: CliIo, name: 'draft' | 'create', kind: 'fiatCreate' | 'fiatSubmit', text: string): Command {
  return withConsent(new Command(name).description(text))
    .addArgument(new Argument('<type>', 'which way the money goes').choices(fiatApplicationTypes))
    .argument('<currency>', 'for example RUB')
    .argument('<amount>', 'plain decimal above zero')
    .requiredOption('--method <METHOD>', 'how the cashier pays or is paid, as the exchange names it')
    .option('--details <FILE>', 'what the cashier needs, as text or a JSON object; - reads stdin')
    .action(
      action(io, async (type: FiatApplicationType, currency: string, amount: string, options: Options) => {
        const content = {
          type,
          currency: currencyOption('CURRENCY', currency),
          amount: amountOption('AMOUNT', amount),
          method: options.method,
        };
        const command = `fiat ${name}`;
        return withExchange(io, options, 'key', (open) => apply(io, open, { command, kind, content, options }));
      }),
    );
}

export function buildDraft(io: CliIo): Command {
  const text = 'Write an application down; nothing happens until it is submitted.';
  return applyCommand(io, 'draft', 'fiatCreate', text).addHelpText(
    'after',
    operationHelp(['fiat draft deposit RUB 5000 --method sbp --config config/sandbox.yaml'], ['createFiatApplication']),
  );
}

export function buildCreate(io: CliIo): Command {
  const text = 'Create an application and submit it to the staff at once.';
  return applyCommand(io, 'create', 'fiatSubmit', text).addHelpText(
    'after',
    operationHelp(
      ['fiat create withdrawal RUB 5000 --method sbp --details account.json --config config/sandbox.yaml'],
      ['submitFiatApplication', 'balances'],
    ),
  );
}
