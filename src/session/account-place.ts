/**
 * Where lock and record of an account lie: one place for a user of a machine, whatever the configuration says and wherever a
 * command was started, so that two processes of one account meet, and `panic` finds them. `$XDG_STATE_HOME`, by default
 * `~/.local/state`. For the owner alone.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isLoopback } from './is-loopback.ts';
import { keyHash } from './key-hash.ts';

export function accountsRoot(): string {
  const named = process.env['XDG_STATE_HOME'];
  const home = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.local', 'state');
  return join(home, 'tidewire', 'accounts');
}

export interface AccountIdentity {
  readonly account: string;
  readonly exchange: string;
  /** Undefined where it is not known. */
  readonly publicKey?: string | undefined;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._@-]+/g, '_');
}

/** Of the account by the address of its exchange. */
export function accountFolder({ account, exchange }: AccountIdentity): string {
  return join(accountsRoot(), plain(`${exchange.replace(/^\w+:\/+/, '')}-${account}`));
}

/** The same account by any address: its key. Sandboxes on this machine have the same keys, and are told apart by their port. */
export function keyFolder(publicKey: string, exchange: string): string {
  const port = URL.canParse(exchange) && isLoopback(exchange) ? `-${new URL(exchange).port}` : '';
  return join(accountsRoot(), `${KEY_PREFIX}${keyHash(publicKey)}${port}`);
}

/** A folder that begins so is the lock of a key, and holds no record. */
export const KEY_PREFIX = 'key-';
