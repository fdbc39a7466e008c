/** The command that the dialog asks about: nothing is sent before a human has said why. */
import { signal } from '@preact/signals';
import type { BridgeCommand } from '../wire/types.ts';

export interface Asked {
  readonly session: string;
  readonly command: Omit<BridgeCommand, 'reason'>;
  readonly title: string;
  readonly about: string;
  readonly button: string;
  readonly isDanger?: boolean;
}

export const asked = signal<Asked | null>(null);

export function ask(wanted: Asked): void {
  asked.value = wanted;
}

export function askKill(session: string): void {
  ask({
    session,
    command: { command: 'kill' },
    title: 'Kill the session',
    about:
      'Every own order is cancelled and no strategy may send another, until a human resumes with a code. Positions stay as they are.',
    button: 'Kill now',
    isDanger: true,
  });
}

export function askPause(session: string, strategy?: string): void {
  ask({
    session,
    command: { command: 'pause', ...(strategy === undefined ? {} : { strategy }) },
    title: strategy === undefined ? 'Pause all strategies' : `Pause ${strategy}`,
    about: 'No new risk from now on. Cancels and orders that reduce a position still go.',
    button: 'Pause',
  });
}

export function askResume(session: string, strategy?: string): void {
  ask({
    session,
    command: { command: 'resume', ...(strategy === undefined ? {} : { strategy }) },
    title: strategy === undefined ? 'Resume' : `Resume ${strategy}`,
    about: 'Strategies may take new risk again. After a kill, a halt or a latch a code is asked for.',
    button: 'Resume',
  });
}

export function askFlatten(session: string, strategy?: string, symbol?: string): void {
  ask({
    session,
    command: {
      command: 'flatten',
      ...(strategy === undefined ? {} : { strategy }),
      ...(symbol === undefined ? {} : { symbol }),
    },
    title: `Flatten ${symbol ?? strategy ?? 'all positions'}`,
    about: 'Orders are cancelled and positions are closed at market, at the price that the book gives.',
    button: 'Flatten',
    isDanger: true,
  });
}

export function askCancel(session: string, ref: string): void {
  ask({
    session,
    command: { command: 'cancel', ref },
    title: `Cancel ${ref}`,
    about: 'The order or program is cancelled. Its strategy may place another.',
    button: 'Cancel it',
  });
}

export function askCancelAll(session: string): void {
  ask({
    session,
    command: { command: 'cancel-all' },
    title: 'Cancel all orders',
    about:
      'Every working order of the session is cancelled. Strategies go on and may place others: pause first to keep the book empty.',
    button: 'Cancel all',
  });
}

export function askStop(session: string, strategy?: string): void {
  ask({
    session,
    command: { command: 'stop', ...(strategy === undefined ? {} : { strategy }) },
    title: strategy === undefined ? 'Stop the session' : `Stop ${strategy}`,
    about: 'It ends by its stop policy. Only a new start begins it again.',
    button: 'Stop',
    isDanger: true,
  });
}
