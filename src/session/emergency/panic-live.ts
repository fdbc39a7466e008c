/** Stops the processes that hold an account, found by its lock. With a broken lock the process number decides. */
import { hasHeard, callAccount } from './account-call.ts';
import { liveAccounts, type LiveAccount, type LiveRecord } from './live-record.ts';
import { messageOf } from '../../model/errors.ts';
import { byLock } from './held-folder.ts';

type IsHeld = ({ folder, record }: LiveAccount) => boolean;

interface Called extends LiveAccount {
  readonly call: string | null;
}

export class LiveCalls {
  readonly #called: readonly Called[];
  readonly #isHeld: IsHeld;

  constructor(called: readonly Called[], isHeld: IsHeld) {
    this.#called = called;
    this.#isHeld = isHeld;
  }

  get count(): number {
    return this.#called.length;
  }

  /** None can send any more. */
  get isQuiet(): boolean {
    return this.#called.every((each) => this.#isSilent(each));
  }

  /** Those that may still send. */
  loud(): readonly string[] {
    return this.#called
      .filter((each) => !this.#isSilent(each))
      .map(({ folder, record }) =>
        record === null
          ? `the process that holds ${folder} has not acknowledged the kill switch: end it`
          : `process ${record.pid} (${record.account}, ${record.path ?? 'starting'}) has not acknowledged the kill switch: kill -9 ${record.pid}`,
      );
  }

  #isSilent(each: Called): boolean {
    return (each.call !== null && hasHeard(each.folder, each.call)) || !this.#isHeld(each);
  }
}

export interface LiveSearch {
  /** Dead ones included. */
  readonly records: readonly LiveRecord[];
  readonly calls: LiveCalls;
}

/** A process without a record is always called. */
export async function callLive(
  reason: string,
  concerns: (record: LiveRecord) => boolean,
  problem: (text: string) => void,
): Promise<LiveSearch> {
  const found = liveAccounts(problem).filter(({ record }) => record === null || concerns(record));
  const byFolder = await byLock();
  const isHeld: IsHeld = ({ folder, record }) => byFolder(folder, record?.pid ?? null);
  const called: Called[] = [];
  for (const account of found) {
    if (!isHeld(account)) continue;
    called.push({ ...account, call: tryCall(account.folder, reason, problem) });
  }
  return { records: found.flatMap(({ record }) => record ?? []), calls: new LiveCalls(called, isHeld) };
}

function tryCall(folder: string, reason: string, problem: (text: string) => void): string | null {
  try {
    return callAccount(folder, reason);
  } catch (thrown) {
    problem(messageOf(thrown));
    return null;
  }
}
