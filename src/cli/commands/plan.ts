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

/** 0 nothing to do · 1 there is · 3 a human has to act first · 4 not everything could be read. */
function exitOf({ complete, refuse, nothingToDo }: SessionPlan): number {
  if (!complete) return 4;
  if (refuse.some(({ needsHuman }) => needsHuman)) return 3;
  return nothingToDo ? 0 : 1;
}

async function planned(session: LiveSession, yes: boolean): Promise<CommandResult> {
  const plan = await planSession({ ...session, running: isRunning(session.folder) });
  const exit = exitOf(plan);
  if (!yes) return { json: { command: 'plan', ...plan, healed: null }, text: planText(plan), exit };
  const result = await healed(session, false);
  const text = `${planText(plan, true)}\n\n${result.text}`;
  const done = result.exit ?? 0;
  return { json: { command: 'plan', ...plan, healed: result.json }, text, exit: done === 0 && exit === 3 ? 3 : done };
}

export const build: BuildCommand = (io) =>
  new Command('plan')
    .description('Show what a restart of a live session would adopt, cancel, refuse and find out.')
    .argument('[session]', 'id or folder; the newest live session by default')
    .option('--yes', 'carry out the healing part, as `reconcile` does')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nExits 0 when there is nothing to do, 1 when there is, 3 when a human has to act first, 4 when not everything could be read.\n\nExample:\n  npx tidewire plan --config config/sandbox.yaml',
    )
    .action(
      action(io, (session: string | undefined, options: Options) => {
        const yes = options.yes === true;
        const allow = yes ? refuseRunning : (): void => {};
        return withLiveSession(io, { session, config: options.config, allow }, (live) => planned(live, yes));
      }),
    );
