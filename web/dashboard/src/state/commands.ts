/** Commands: one at a time of each kind, each with a key of its own, so that no button fires twice. */
import { signal } from '@preact/signals';
import { ApiError, isConfirm, send } from '../wire/api.ts';
import type { BridgeCommand, ConfirmAnswer } from '../wire/types.ts';
import { openSession } from './open-session.ts';
import { readFleet } from './fleet.ts';
import { toast } from './toasts.ts';

/** A command that waits for its second step. */
export interface Pending {
  readonly session: string;
  readonly command: BridgeCommand;
  readonly confirm: ConfirmAnswer['confirm'];
}

export const pending = signal<Pending | null>(null);
/** Commands under way, as `session command target`. */
export const underWay = signal<ReadonlySet<string>>(new Set());

function nameOf(session: string, { command, strategy, symbol, ref, decision, limit }: BridgeCommand): string {
  return [session, command, strategy, symbol, ref, decision, limit].map((part) => part ?? '').join(' ');
}

export function isUnderWay(session: string, command: BridgeCommand): boolean {
  return underWay.value.has(nameOf(session, command));
}

function mark(name: string, on: boolean): void {
  const names = new Set(underWay.peek());
  if (on) names.add(name);
  else names.delete(name);
  underWay.value = names;
}

const ATTEMPTS = 3;

/** Answers whether it is done; a second step or a failure is shown to the user. */
export async function order(session: string, command: BridgeCommand): Promise<boolean> {
  const name = nameOf(session, command);
  if (underWay.peek().has(name)) return false;
  mark(name, true);
  try {
    const answer = await sent(session, command);
    if (isConfirm(answer)) {
      pending.value = { session, command, confirm: answer.confirm };
      return false;
    }
    pending.value = null;
    toast({ text: `${describe(command)}: in the journal as entry ${answer.seq}.` });
    if (openSession.peek()?.id === session) openSession.peek()?.refresh();
    void readFleet();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    toast({
      text: `${describe(command)} failed: ${thrown.message}${thrown.hint === undefined ? '' : ` ${thrown.hint}`} (${thrown.code})`,
      isBad: true,
    });
    return false;
  } finally {
    mark(name, false);
  }
}

/** A lost answer is asked for again with the same key: the server does it once. */
async function sent(session: string, command: BridgeCommand): ReturnType<typeof send> {
  const key = crypto.randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(session, command, key);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 0 || attempt === ATTEMPTS) throw thrown;
    }
  }
}

const WORDS: Readonly<Record<BridgeCommand['command'], string>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  'cancel-all': 'Cancel all',
  flatten: 'Flatten',
  stop: 'Stop',
  kill: 'Kill',
  'limits/override': 'Limit',
  'plan/apply': 'Plan',
};

export function describe({ command, strategy, symbol, ref, limit }: BridgeCommand): string {
  return [WORDS[command], ref ?? limit ?? [symbol, strategy].filter((part) => part !== undefined).join(' of ')]
    .filter((part) => part !== '')
    .join(' ');
}
