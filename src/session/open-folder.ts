/**
 * The folder of a session: the newest one of the same mode, strategies, account and exchange that did not end orderly,
 * which is then resumed, else a new one (cli.md, "Places").
 */
import { randomBytes } from 'node:crypto';
import { LOCK_WAIT_MS } from '../execution/journal/lock.ts';
import { sessionErrors } from './errors.ts';
import {
  createSession,
  findUnclean,
  isRunning,
  writeSession,
  type SessionFolder,
  type SessionRecord,
} from './store.ts';
import type { PreparedStrategy } from './strategies.ts';

export interface FolderWish {
  readonly root: string;
  readonly mode: SessionRecord['mode'];
  readonly strategies: readonly PreparedStrategy[];
  readonly seed: number;
  readonly account: string;
  readonly exchange: string;
  readonly fresh: boolean;
  readonly now: number;
}

export function openFolder(wish: FolderWish): SessionFolder {
  const { root, mode, strategies, seed, account, exchange, fresh, now } = wish;
  const tags = strategies.map(({ tag }) => tag);
  const unclean = fresh ? null : findUnclean(root, mode, tags, account, exchange);
  if (unclean !== null) {
    if (isRunning(unclean, LOCK_WAIT_MS))
      throw sessionErrors.make('session_running', `${unclean.record.id} runs in process ${unclean.record.pid}`, {
        session: unclean.record.id,
      });
    const record = {
      ...unclean.record,
      boots: unclean.record.boots + 1,
      pid: process.pid,
      decidingFrom: null,
      decidingTo: null,
    };
    writeSession(unclean.path, record);
    return { path: unclean.path, record };
  }
  const rows = strategies.map(({ loaded, tag, file, params }) => ({
    name: loaded.definition.name,
    tag,
    file,
    params: { ...params },
  }));
  return createSession(root, {
    mode,
    strategies: rows,
    seed,
    account,
    exchange,
    now,
    suffix: randomBytes(2).toString('hex'),
  });
}
