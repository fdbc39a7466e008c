/**
 * `tidewire money list|decide`: money moved from the terminal, unproved movements of account and sessions, and a
 * human's decision on them.
 */
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { MoneyRecord } from '../../spine/money/state.ts';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { operationHelp } from '../operations/help.ts';
import { recordText, withMoneyJournal } from '../operations/move-money.ts';
import {
  withExchange,
  type OpenExchange,
  type MutatingOptions,
  type OperationOptions,
} from '../operations/open-exchange.ts';
import { withConfig, withYes } from '../operations/options.ts';
import { confirmPlan } from '../operations/plan.ts';
import { timeText } from '../operations/text.ts';
import { table } from '../terminal/table.ts';
import {
  decideInSession,
  moneyInDoubt,
  type MoneyInDoubt,
  type UnreadableSession,
} from '../../session/money/money-of-sessions.ts';

interface ListOptions extends OperationOptions {
  readonly unresolved?: boolean;
}

const HEAD = ['id', 'time', 'what', 'end', 'exchange id', 'content', 'session'];

function contentText({ request }: MoneyRecord): string {
  const { kind: _, ...content } = request;
  return Object.entries(content)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** Unproved movements of this account's sessions. */
async function ofSessions(io: CliIo, open: OpenExchange): Promise<MoneyInDoubt> {
  const { config } = open;
  const owner = { account: await open.account(), exchange: config.exchange.baseUrl };
  return moneyInDoubt(resolve(io.cwd, config.journal.dir), owner);
}

/** Integrity: the list does not claim to be complete. */
const EXIT_UNREADABLE = 5;

function unreadableText({ id, error }: UnreadableSession): string {
  return `! ${id} cannot be read; what it left unproved is not listed\n  ${error.code}: ${error.message}\n  ${error.remedy}`;
}

/** Journals keep µs. */
function inWholeMs(items: readonly object[]): unknown {
  const floored = (key: string, value: unknown): unknown =>
    typeof value === 'number' && /^at$|At$/.test(key) ? Math.floor(value) : value;
  return JSON.parse(JSON.stringify(items, floored));
}

/** What a strategy moved and is resolved stands in the journal of its session alone. */
function emptyText({ unresolved }: ListOptions): string {
  if (unresolved === true) return 'nothing is unresolved';
  return 'nothing was moved from the terminal, and sessions left nothing unresolved; `tidewire why REF` shows what a strategy moved';
}

function buildList(io: CliIo): Command {
  return withConfig(
    new Command('list').description(
      'List what the terminal has moved and how each ended, and what sessions left unproved.',
    ),
  )
    .option('--unresolved', 'only what may or may not have happened')
    .addHelpText(
      'after',
      `\nExits 5 when a session could not be read: it is named, and the rest is listed.\n${operationHelp(['money list --unresolved --config config/sandbox.yaml'], ['transactions'])}`,
    )
    .action(
      action(io, (options: ListOptions) =>
        withExchange(io, options, 'key', (open) =>
          withMoneyJournal(io, open, async (money) => {
            const own = options.unresolved === true ? money.unresolved() : money.records();
            const left = await ofSessions(io, open);
            const items = [
              ...own.map((record) => ({ ...record, session: null })),
              ...left.money.map(({ folder, record }) => ({ ...record, session: folder.record.id })),
            ];
            const rows = items.map((record) => [
              record.intentId,
              timeText(record.createdAt),
              record.request.kind,
              record.fate,
              record.receipt?.id ?? '',
              contentText(record),
              record.session ?? '',
            ]);
            const listed = rows.length === 0 ? emptyText(options) : table(rows, { head: HEAD });
            const unreadable = left.unreadable.map(({ id, path, error: { code, message } }) => ({
              id,
              path,
              error: `${code}: ${message}`,
            }));
            return {
              json: {
                command: 'money list',
                complete: unreadable.length === 0,
                items: inWholeMs(items),
                unreadable,
                folder: money.folder,
              },
              text: [listed, ...left.unreadable.map(unreadableText)].join('\n'),
              exit: unreadable.length === 0 ? 0 : EXIT_UNREADABLE,
            };
          }),
        ),
      ),
    );
}

interface DecideOptions extends MutatingOptions {
  readonly verdict: 'happened' | 'absent';
  readonly reason: string;
}

function noSuch(id: string): Error {
  return cliErrors.make('operation_invalid', `${id} is no unresolved movement; see \`tidewire money list\``, {
    argument: 'id',
  });
}

function buildDecide(io: CliIo): Command {
  return withYes(
    new Command('decide').description(
      'Decide on a movement that polls cannot resolve, after you have checked at the exchange.',
    ),
  )
    .argument('<id>', 'as `money list --unresolved` shows it')
    .addOption(
      new Option('--verdict <VERDICT>', 'what you saw at the exchange')
        .choices(['happened', 'absent'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <TEXT>', 'how you know; kept in the journal')
    .addHelpText(
      'after',
      operationHelp(
        ['money decide b3-m1 --verdict absent --reason "support says so" --config config/sandbox.yaml'],
        ['transactions'],
      ),
    )
    .action(
      action(io, (id: string, options: DecideOptions) =>
        withExchange(io, options, 'key', async (open) => {
          const { verdict, reason } = options;
          const own = await withMoneyJournal(io, open, async (money) =>
            money.unresolved().find(({ intentId }) => intentId === id),
          );
          const { money, unreadable } = await ofSessions(io, open);
          const left = money.find(({ record }) => record.intentId === id);
          const record = own ?? left?.record;
          // It may be in a session that cannot be read.
          if (record === undefined) throw unreadable[0]?.error ?? noSuch(id);
          const rows = [
            ['movement', recordText(record)],
            ...(own !== undefined || left === undefined ? [] : [['session', left.folder.record.id] as const]),
            ['content', contentText(record)],
            ['decision', verdict === 'happened' ? 'it happened' : 'it did not happen: the same may be sent again'],
          ] as const;
          await confirmPlan(io, { title: `decide on ${id}`, rows, warnings: [] }, options);
          // It may be resolved by now, because the journal was not locked during the prompt.
          const decided =
            own === undefined && left !== undefined
              ? decideInSession(open, left, verdict, reason)
              : await withMoneyJournal(io, open, async (money) => money.decide(id, verdict, reason));
          if (!decided) throw noSuch(id);
          return { json: { command: 'money decide', id, verdict }, text: `${id}: ${verdict}` };
        }),
      ),
    );
}

export const build: BuildCommand = (io) =>
  new Command('money')
    .description('Money movements of the terminal, and which of them are unresolved.')
    .addCommand(buildList(io))
    .addCommand(buildDecide(io))
    .addHelpText('after', '\nExample:\n  npx tidewire money list --config config/sandbox.yaml');
