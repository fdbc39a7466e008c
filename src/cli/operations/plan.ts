/** Shows a plan on stderr and asks before money moves. Only a terminal is asked; a script gives `--yes`. */
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { table } from '../terminal/table.ts';

export interface Plan {
  /** "withdraw crypto". */
  readonly title: string;
  /** From, to, amount, fee, …: label and value. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** What is irreversible or unusual. */
  readonly warnings: readonly string[];
}

export interface Consent {
  /** Accepted beforehand. */
  readonly yes?: boolean;
}

function planText({ title, rows, warnings }: Plan): string {
  const lines = table(rows.map((row) => [...row])).split('\n');
  return [`${title}:`, ...lines.map((line) => `  ${line}`), ...warnings.map((warning) => `  ! ${warning}`), ''].join(
    '\n',
  );
}

/** Throws `not_confirmed` unless accepted. */
export async function confirmPlan(io: CliIo, plan: Plan, { yes }: Consent): Promise<void> {
  io.err(planText(plan));
  if (yes === true) return;
  const { terminal } = io;
  if (terminal === undefined || !terminal.interactive) {
    throw cliErrors.make('not_confirmed', `${plan.title}: there is no terminal to confirm on, and --yes was not given`);
  }
  const answer = (await terminal.ask('Do it? Type yes: ')).toLowerCase();
  if (answer !== 'yes' && answer !== 'y') {
    throw cliErrors.make('not_confirmed', `${plan.title}: the answer was ${answer === '' ? 'empty' : 'not yes'}`);
  }
}
