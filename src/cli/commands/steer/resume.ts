/** `tidewire resume [STRATEGY]`: a paused strategy of a running session takes risk again. */
import type { BuildCommand } from '../../command.ts';
import { pauseCommand } from '../../sessions/pause-command.ts';

export const build: BuildCommand = (io) =>
  pauseCommand(io, {
    name: 'resume',
    description: 'Let a paused strategy of a running session take risk again.',
    help: `
It ends a pause alone. Latches end with limits enable, halts of a symbol with limits resume.

Example:
  npx tidewire resume spread-maker --reason "news are out"`,
    done: (strategy, session) => `the pause of ${strategy} of ${session} is over`,
  });
