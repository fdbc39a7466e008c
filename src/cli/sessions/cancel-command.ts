/** What `cancel` and `cancel-all` share: the running session that is meant, and how an answer reads. */
import { resolve } from 'node:path';
import type { Canceled } from '../../operations/cancel/cancel.ts';
import { sessionErrors } from '../../session/errors.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { findSession, listSessions, type SessionFolder } from '../../session/store/store.ts';
import type { CliIo, CommandResult } from '../command.ts';
import { configParts } from '../config-option.ts';
import { colouring } from '../terminal/table.ts';

export interface CancelOptions {
  readonly session?: string;
  readonly reason: string;
  readonly config?: string;
}

export const BY_HAND = 'by hand';

/** The named one, else all that run. Throws `session_not_found`, `session_not_running`. */
export function runningSessions(io: CliIo, { session, config: file }: CancelOptions): readonly SessionFolder[] {
  const config = configParts(io, file, ['journal']);
  const root = resolve(io.cwd, config.journal.dir);
  if (session !== undefined) {
    const folder = findSession(root, session);
    if (isRunning(folder)) return [folder];
    const { id } = folder.record;
    throw sessionErrors.make('session_not_running', `${id} does not run`, { session: id });
  }
  const running = listSessions(root, () => {}).filter((folder) => isRunning(folder));
  if (running.length === 0) throw sessionErrors.make('session_not_running', `no session under ${root} runs`);
  return running;
}

export function several(folders: readonly SessionFolder[]): Error {
  const sessions = folders.map(({ record }) => record.id);
  return sessionErrors.make('session_several', `these run: ${sessions.join(', ')}`, { sessions });
}

/** A line for the orders whose end is not confirmed, if there are any. */
export function notConfirmed(io: CliIo, unproved: readonly string[]): readonly string[] {
  if (unproved.length === 0) return [];
  const paint = colouring(io.isTty, io.env);
  return [paint('red', `NOT CONFIRMED yet: ${unproved.join(', ')}; the session continues to poll`)];
}

export function canceledResult(
  io: CliIo,
  command: string,
  session: string,
  canceled: Canceled,
  asked: Readonly<Record<string, string | null>>,
): CommandResult {
  const { programs, orders, unproved, unprotected } = canceled;
  const paint = colouring(io.isTty, io.env);
  const lines = [
    ...programs.map(
      ({ ref, kind, state, reason }) =>
        `${kind} ${ref}: ${state}${reason === null || reason === state ? '' : ` (${reason})`}`,
    ),
    ...orders.map(({ ref, side, quantity, symbol, filledQuantity, state, leg }) => {
      const name = leg === null ? `order ${ref}` : `  ${leg} ${ref}`;
      return `${name}: ${side} ${quantity} ${symbol}, ${state}${filledQuantity === '0' ? '' : `, ${filledQuantity} filled`}`;
    }),
    ...(programs.length + orders.length === 0 ? ['nothing was open'] : []),
    ...notConfirmed(io, unproved),
    ...unprotected.map(({ strategy, symbol, quantity }) =>
      paint('red', `UNPROTECTED: ${quantity} of ${symbol} of ${strategy} have no exit any more`),
    ),
  ];
  return {
    json: { command, session, ...asked, ...canceled },
    text: lines.join('\n'),
    exit: unproved.length === 0 ? 0 : 4,
  };
}
