/**
 * `tidewire plan [--yes] [--choose ID=CHOICE]`: what a restart of a live session would do. `--yes` heals and carries
 * out the choices.
 */
import { Command, InvalidArgumentError } from 'commander';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import { withLiveSession, type LiveSession } from '../../sessions/live-session.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { pressing, type Wish } from '../../../operations/plan/decisions.ts';
import { planSession, type SessionPlan } from '../../../operations/plan/plan.ts';
import { planText } from '../../../operations/plan/plan-text.ts';
import { isRunning } from '../../../session/store/is-running.ts';
import { healed, refuseRunning } from '../reconcile.ts';

interface Options {
  readonly yes?: boolean;
  readonly choose?: readonly Wish[];
  readonly reason?: string;
  readonly config?: string;
}

/** Ids hold no `=`; a tag may. */
function chosen(value: string, before: readonly Wish[] = []): readonly Wish[] {
  const at = value.indexOf('=');
  if (at <= 0 || at === value.length - 1)
    throw new InvalidArgumentError('ID=CHOICE is needed, as `tidewire plan` shows them.');
  return [...before, { id: value.slice(0, at), choice: value.slice(at + 1) }];
}

/** 0: agreement, and nothing to be decided · 5: not · 4: polls incomplete. */
function exitOf({ complete, disagreements, changes, money, decisions }: SessionPlan): number {
  if (!complete) return 4;
  return disagreements.length + changes.length + money.length + pressing(decisions).length === 0 ? 0 : 5;
}

async function planned(io: CliIo, session: LiveSession, options: Options): Promise<CommandResult> {
  const { yes = false, choose = [], reason = 'chosen with `tidewire plan`' } = options;
  const { plan, said } = await planSession({ ...session, running: isRunning(session.folder) }, choose, reason);
  if (choose.length > 0) await agreed(io, plan, choose, yes);
  else if (!yes) return { json: { command: 'plan', ...plan, healed: null }, text: planText(plan), exit: exitOf(plan) };
  const result = await healed(session, false, said);
  const text = `${planText(plan, true)}\n\n${result.text}`;
  return { json: { command: 'plan', ...plan, healed: result.json }, text, exit: result.exit ?? 0 };
}

/** Throws `not_confirmed`. */
async function agreed(io: CliIo, plan: SessionPlan, choose: readonly Wish[], yes: boolean): Promise<void> {
  const doesOf = ({ id, choice }: Wish): string =>
    plan.decisions
      .find((one) => one.id === id)
      ?.choices.find(({ name }) => choice === name || choice.startsWith(`${name}@`))?.does ?? '';
  const rows = choose.map((wish) => [wish.id, `${wish.choice}: ${doesOf(wish)}`] as const);
  await confirmPlan(io, { title: 'decide, and heal the journal', rows, warnings: [] }, { yes });
}

export const build: BuildCommand = (io) =>
  new Command('plan')
    .description('Show what a restart of a live session would adopt, cancel, refuse and find out, and what you decide.')
    .argument('[session]', 'id or folder; by default the live one that runs, would be resumed, or is the newest')
    .option('--yes', 'carry out the healing part, as `reconcile` does, and what is chosen')
    .option('--choose <ID=CHOICE>', 'decide what the plan asks: one of its choices; repeatable', chosen)
    .option('--reason <text>', 'how you know; kept in the journal with what you choose')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nExits 0 when journal and exchange agree, by complete lists that were compared both ways, and nothing is for you to decide; else 5; 4 when not everything could be read.\n\nExample:\n  npx tidewire plan --config config/sandbox.yaml\n  npx tidewire plan --yes --choose liquidation/BTCUSDTPERP/4711=pro-rata --config config/sandbox.yaml',
    )
    .action(
      action(io, (session: string | undefined, options: Options) => {
        const isApplied = options.yes === true || options.choose !== undefined;
        const allow = isApplied ? refuseRunning : (): void => {};
        return withLiveSession(io, { session, config: options.config, allow }, (live) => planned(io, live, options));
      }),
    );
