/** Commands from outside on a real executor, without threads. */
import type { Executor } from '../../../src/execution/executor.ts';
import { createMemoryJournal } from '../../../src/journal/memory-store.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { RemoteControl } from '../../../src/session/remote/remote-control.ts';
import type { RemoteAnswer, RemoteOrder } from '../../../src/session/remote/remote-order.ts';
import { observedJournal } from '../../../src/session/upkeep/observed-journal.ts';
import { HandClock, makeRig, type Rig, type RigOptions } from '../../execution/rig.ts';

export interface RemoteRig {
  readonly clock: HandClock;
  readonly executor: Executor;
  readonly venue: Rig['venue'];
  /** Kinds of the rows of each commit. */
  readonly commits: (readonly string[])[];
  readonly order: (order: Partial<RemoteOrder>) => Promise<RemoteAnswer>;
  /** Fails the test where none is asked for. */
  readonly code: (order: Partial<RemoteOrder>) => Promise<string>;
}

export function remoteRig(options: RigOptions = {}): RemoteRig {
  const clock = new HandClock();
  let control: RemoteControl | null = null;
  const commits: (readonly string[])[] = [];
  const journal = observedJournal(options.journal ?? createMemoryJournal(), clock, {
    committed: (rows) => {
      commits.push(rows.entries.map(({ kind }) => kind));
      control?.committed(rows);
    },
  });
  const { executor, venue } = makeRig({ ...options, clock, journal });
  control = new RemoteControl({
    executor,
    strategies: ['maker', 'taker'],
    isSymbol: (symbol) => symbol === 'BTCUSDT',
    clock,
    now: () => clock.now(),
    logger: silentLogger,
    deliver: (run) => run(),
    stopStrategy: () => {},
    stopSession: () => {},
  });
  const known = control;
  let count = 0;
  const order = (given: Partial<RemoteOrder>): Promise<RemoteAnswer> =>
    known.carryOut({ command: 'resume', reason: 'a test', who: 'api 127.0.0.1', key: `key-${++count}`, ...given });
  return {
    clock,
    executor,
    venue,
    commits,
    order,
    code: async (given) => {
      const answer = await order(given);
      if (answer.kind !== 'confirm') throw new Error(`no code was asked for: ${JSON.stringify(answer)}`);
      return answer.confirmCode;
    },
  };
}

/** `done`, or the code of the failure with its message. */
export function wordOf(answer: RemoteAnswer): string {
  return answer.kind === 'failed' ? `${answer.code}: ${answer.message}` : answer.kind;
}
