/** A command of a human or a script to the session of this process, and its answer. Sent between threads. */
import type { MoneySecrets } from '../../model/funds/money-commands.ts';
import type { RemoteMove } from './remote-moves.ts';

export type RemoteCommand =
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'cancel-all'
  | 'flatten'
  | 'stop'
  | 'kill'
  | 'limits/override'
  | 'plan/apply'
  | 'move';

export interface RemoteOrder {
  readonly command: RemoteCommand;
  /** The same key is carried out once. */
  readonly key: string;
  /** For the journal: by which way and as whom, such as `dashboard`. */
  readonly who: string;
  readonly reason: string;
  /** Tag; absent: all. */
  readonly strategy?: string;
  readonly symbol?: string;
  readonly ref?: string;
  readonly limit?: string;
  /** Null: as configured. */
  readonly value?: string | null;
  readonly forMs?: number;
  /** `ID=CHOICE`. */
  readonly decision?: string;
  /** For `move`. */
  readonly move?: RemoteMove;
  /** Of the move; never journalled. */
  readonly secrets?: MoneySecrets;
  /** Distinguishes orders that are otherwise equal. */
  readonly secretHash?: string;
  /** Confirms what adds risk or moves money. */
  readonly code?: string;
}

/** The terms that identify an order: all except its key, its code and its sender. Secrets count as their hash. */
export function termsOf({ key: _key, code: _code, who: _who, secrets: _secrets, ...terms }: RemoteOrder): object {
  return terms;
}

export interface RemoteFailure {
  readonly kind: 'failed';
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** Of the order, that is wrong. */
  readonly field?: string;
}

export type RemoteAnswer =
  /** `seq`: of the durable row `remote-command`. */
  | { readonly kind: 'done'; readonly seq: number; readonly ts: number }
  | { readonly kind: 'confirm'; readonly confirmCode: string; readonly expiresAt: number; readonly what: string }
  | RemoteFailure;

/** After the row of a command that could not be carried out: `key` and `failure`. */
export const REMOTE_FAILURE = 'remote-command-failed';
