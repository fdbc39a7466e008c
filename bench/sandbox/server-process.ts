/**
 * The sandbox as a process of its own, as `tidewire sandbox` starts it; answers about its CPU time and memory, and calms
 * its market. Arguments: market.
 */
import { startSandbox } from '../../src/sandbox/server.ts';
import { syntheticMarket } from '../../src/sandbox/synthetic-market.ts';
import type { UserCredentials } from '../../src/sandbox/core/users.ts';
import { systemClock } from '../../src/session/system-clock.ts';
import { answerQuestions, usage } from './processes.ts';

export interface SandboxReady {
  readonly restUrl: string;
  readonly wsUrl: string;
  readonly users: readonly UserCredentials[];
}

/** `heap` collects all garbage first; `calm` ends the agents' trading. All answer a `Usage`. */
export interface ServerQuestion {
  readonly kind: 'usage' | 'heap' | 'calm';
}

const market = syntheticMarket();
const { restUrl, wsUrl, users } = await startSandbox({ clock: systemClock, market });
answerQuestions(async ({ kind }: ServerQuestion) => {
  if (kind === 'calm') market.stop();
  return usage({ collect: kind === 'heap' });
});
process.send?.({ restUrl, wsUrl, users } satisfies SandboxReady);
