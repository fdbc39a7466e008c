/** Folder of an account's lock and record, whatever the configuration. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isLoopback } from '../connection/is-loopback.ts';
import { keyHash } from '../connection/key-hash.ts';

export function accountsRoot(): string {
  const named = process.env['XDG_STATE_HOME'];
  const home = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.local', 'state');
  return join(home, 'tidewire', 'accounts');
}

export interface AccountIdentity {
  readonly account: string;
  readonly exchange: string;
  readonly publicKey?: string | undefined;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._@-]+/g, '_');
}

export function accountFolder({ account, exchange }: AccountIdentity): string {
  return join(accountsRoot(), plain(`${exchange.replace(/^\w+:\/+/, '')}-${account}`));
}

/** Local sandboxes share keys and differ by port. */
export function keyFolder(publicKey: string, exchange: string): string {
  const port = URL.canParse(exchange) && isLoopback(exchange) ? `-${new URL(exchange).port}` : '';
  return join(accountsRoot(), `${KEY_PREFIX}${keyHash(publicKey)}${port}`);
}

export const KEY_PREFIX = 'key-';
