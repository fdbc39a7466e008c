/** `tidewire pause [STRATEGY]`: a strategy of a running session takes no new risk until it is resumed. */
import type { BuildCommand } from '../../command.ts';
import { pauseCommand } from '../../sessions/pause-command.ts';

export const build: BuildCommand = (io) =>
  pauseCommand(io, {
    name: 'pause',
    description: 'Let a strategy of a running session take no new risk until it is resumed.',
    help: `
Its resting orders of new risk are cancelled, later ones are denied (strategy_paused). Exits pass: its stops and
reduce-only orders stay and work. Order programs place theirs again after resume. The pause stands in the journal and
outlives a crash and a restart. Exit 0 when the end of each order is confirmed, 4 when the exchange has not confirmed one
yet: the pause stands, and the session continues.

Example:
  npx tidewire pause spread-maker --reason "news at noon"`,
    done: (strategy, session) =>
      `${strategy} of ${session} is paused; to resume it: npx tidewire resume ${strategy} --session ${session}`,
  });
