/**
 * The sandbox as a process of its own, as `tidewire sandbox` starts it, and answers about its CPU time and memory.
 * Arguments: market.
 */
import { startSandbox } from '../../src/sandbox/server.ts';
import type { UserCredentials } from '../../src/sandbox/core/users.ts';
import { systemClock } from '../../src/session/system-clock.ts';
import { answerQuestions, usage } from './processes.ts';

export interface SandboxReady {
  readonly restUrl: string;
  readonly wsUrl: string;
  readonly users: readonly UserCredentials[];
}

export interface UsageQuestion {
  readonly collect: boolean;
}

const [, , market = 'synthetic'] = process.argv;
const { restUrl, wsUrl, users } = await startSandbox({
  clock: systemClock,
  market: market === 'none' ? 'none' : 'synthetic',
});
answerQuestions(async (question: UsageQuestion) => usage(question));
process.send?.({ restUrl, wsUrl, users } satisfies SandboxReady);
