/**
 * Whatever moves money shows first what it will do, then asks (cli.md). The plan goes to stderr, so that stdout keeps its
 * one document; the question is asked on a terminal alone, a script gives `--yes`.
 */
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { table } from '../table.ts';

export interface Plan {
  /** What will be done: "withdraw crypto". */
  readonly title: string;
  /** From, to, amount, fee, …: label and value. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** What cannot be undone, and what is odd about it. */
  readonly warnings: readonly string[];
}

export interface Consent {
  /** The plan was accepted beforehand. */
  readonly yes?: boolean;
}

function planText({ title, rows, warnings }: Plan): string {
  const lines = table(rows.map((row) => [...row])).split('\n');
  return [`${title}:`, ...lines.map((line) => `  ${line}`), ...warnings.map((warning) => `  ! ${warning}`), ''].join(
    '\n',
  );
}

/** Shows the plan and returns when it may be carried out. Throws `not_confirmed` otherwise. */
export async function confirmPlan(io: CliIo, plan: Plan, { yes }: Consent): Promise<void> {
  io.err(planText(plan));
  if (yes === true) return;
  const { terminal } = io;
  if (terminal === undefined || !terminal.interactive) {
    throw cliErrors.make('not_confirmed', `${plan.title}: nobody can be asked here, and --yes was not given`);
  }
  const answer = (await terminal.ask('Do it? Type yes: ')).toLowerCase();
  if (answer !== 'yes' && answer !== 'y') {
    throw cliErrors.make('not_confirmed', `${plan.title}: the answer was ${answer === '' ? 'empty' : 'not yes'}`);
  }
}
