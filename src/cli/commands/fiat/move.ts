/** `tidewire fiat submit ID` and `fiat delete ID`. */
import { Command } from 'commander';
import { fiatTransitions, nextState } from '../../../exchange/interface/states.ts';
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConsent } from '../../operations/options.ts';
import { listed, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { FIAT_LOOK } from './apply.ts';

type Kind = 'fiatConfirm' | 'fiatDelete';

const verbs = {
  fiatConfirm: {
    verb: 'submit',
    trigger: 'confirm',
    what: 'the submission',
    note: 'it goes to the staff; a withdrawal locks its amount of funding',
  },
  fiatDelete: {
    verb: 'delete',
    trigger: 'delete',
    what: 'the deletion',
    note: 'a deleted application cannot be brought back',
  },
} as const;

/** Its row in the history, or undefined. */
async function find({ exchange }: OpenExchange, applicationId: string): Promise<TransactionRow | undefined> {
  const { transfers } = exchange.money;
  for (const type of ['withdrawal', 'deposit'] as const) {
    const rows = listed('the applications', await transfers.transactions({ type }));
    const row = rows.find(({ transactionId }) => transactionId === applicationId);
    if (row !== undefined) return row;
  }
  return undefined;
}

async function move(
  io: CliIo,
  open: OpenExchange,
  { kind, applicationId, options }: { kind: Kind; applicationId: string; options: MutatingOptions },
): Promise<CommandResult> {
  const { verb, trigger, what, note } = verbs[kind];
  const row = await find(open, applicationId);
  if (row !== undefined && nextState(fiatTransitions, row.status, trigger) === undefined)
    throw refusedBeforehand(what, 'illegal_transition', `application ${applicationId} is ${row.status}`);
  const known = row === undefined ? 'unknown' : `${row.type} of ${row.amount} ${row.currency}, ${row.status}`;
  const doubt = row === undefined ? ['the transaction history does not show it: check the id'] : [];
  const plan = {
    title: `${verb} fiat application ${applicationId}`,
    rows: [
      ['account', await open.account()],
      ['application', known],
    ] as const,
    warnings: [note, ...doubt],
  };
  await confirmPlan(io, plan, options);
  const moved = await moveMoney(io, open, {
    request: { kind, applicationId },
    what,
    look: FIAT_LOOK,
  });
  return {
    json: { command: `fiat ${verb}`, ...moved },
    text: `fiat application ${moved.applicationId} is ${moved.status}`,
  };
}

function moveCommand(io: CliIo, kind: Kind, text: string): Command {
  const { verb } = verbs[kind];
  const operation = kind === 'fiatConfirm' ? 'confirmFiatApplication' : 'deleteFiatApplication';
  return withConsent(new Command(verb).description(text))
    .argument('<id>', 'id of the application, as `fiat list` shows it')
    .addHelpText('after', operationHelp([`fiat ${verb} 17 --config config/sandbox.yaml`], [operation, 'transactions']))
    .action(
      action(io, (applicationId: string, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) => move(io, open, { kind, applicationId, options })),
      ),
    );
}

export function buildSubmit(io: CliIo): Command {
  return moveCommand(io, 'fiatConfirm', 'Send a draft to the staff.');
}

export function buildDelete(io: CliIo): Command {
  return moveCommand(io, 'fiatDelete', 'Delete an application that is no longer wanted.');
}
