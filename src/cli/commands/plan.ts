/**
 * `tidewire plan [--yes]`: what a restart of a live session would adopt, cancel, refuse and find out; with `--yes` the
 * healing part of it is carried out, as `reconcile` does.
 */
import { Command } from 'commander';
import { action, type BuildCommand, type CommandResult } from '../command.ts';
import { withLiveSession, type LiveSession } from '../live-session.ts';
import { planSession, type SessionPlan } from '../../operations/plan/plan.ts';
import { planText } from '../../operations/plan/plan-text.ts';
import { isRunning } from '../../session/is-running.ts';
import { healed, refuseRunning } from './reconcile.ts';

interface Options {
  readonly yes?: boolean;
  readonly config?: string;
}

/** 0 both sides agree by positive proof · 5 they do not · 4 not everything could be read. */
function exitOf({ complete, disagreements, changes, money }: SessionPlan): number {
  if (!complete) return 4;
  return disagreements.length + changes.length + money.length === 0 ? 0 : 5;
}

async function planned(session: LiveSession, yes: boolean): Promise<CommandResult> {
  const plan = await planSession({ ...session, running: isRunning(session.folder) });
  if (!yes) return { json: { command: 'plan', ...plan, healed: null }, text: planText(plan), exit: exitOf(plan) };
  const result = await healed(session, false);
  const text = `${planText(plan, true)}\n\n${result.text}`;
  return { json: { command: 'plan', ...plan, healed: result.json }, text, exit: result.exit ?? 0 };
}

export const build: BuildCommand = (io) =>
  new Command('plan')
    .description('Show what a restart of a live session would adopt, cancel, refuse and find out.')
    .argument('[session]', 'id or folder; the newest live session by default')
    .option('--yes', 'carry out the healing part, as `reconcile` does')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nExits 0 when journal and exchange agree, by complete lists that were compared both ways; 5 when they do not; 4 when not everything could be read.\n\nExample:\n  npx tidewire plan --config config/sandbox.yaml',
    )
    .action(
      action(io, (session: string | undefined, options: Options) => {
        const yes = options.yes === true;
        const allow = yes ? refuseRunning : (): void => {};
        return withLiveSession(io, { session, config: options.config, allow }, (live) => planned(live, yes));
      }),
    );
