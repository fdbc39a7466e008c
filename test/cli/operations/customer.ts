/**
 * A customer of a sandbox exchange in this process: a folder with a configuration, keys, and the command line: as a
 * function of this process (`call`), or as a process of its own where it has to die (`begin`). Ends with its test.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/server.ts';
import { totp } from '../../model-check/signing.ts';
import { NONCE_BYTES, SALT_BYTES, sealKey } from '../../../src/session/key-file/format.ts';
import { findStoredKey, keyFilePath } from '../../../src/session/key-file/key-file.ts';
import { writeOwnerFile } from '../../../src/session/store/owner-file.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
import { keyHeaders, send } from '../../conformance/raw-client.ts';
import { beforeRemoval, freshFolder, start, type Ended, type Running } from '../../e2e/cli.ts';
import { callCli } from '../call-cli.ts';

export const PASSPHRASE = 'correct horse battery';

export interface CallOptions {
  readonly input?: string;
  /** Instead of the standard ones; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export class Customer {
  readonly cwd = freshFolder();
  readonly sandbox: RunningSandbox;
  readonly user: RunningSandbox['users'][number];

  constructor(sandbox: RunningSandbox) {
    this.sandbox = sandbox;
    this.user = sandbox.users[0]!;
    const { restUrl, gatewayUrl, wsUrl } = sandbox;
    const addresses = `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`;
    writeFileSync(join(this.cwd, 'c.yaml'), `${addresses}recording: { compress: false }\n`);
  }

  /** The 2FA code of now, exchange time. */
  code(): string {
    return totp(this.user.auth2faSecret, this.sandbox.sandbox.now());
  }

  keys(): Record<string, string> {
    const { publicKey, secretKey } = this.user.apiKey;
    return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
  }

  /** What a login needs. */
  login(): Record<string, string> {
    return { TIDEWIRE_LOGIN: this.user.login, TIDEWIRE_PASSWORD: this.user.password };
  }

  /** With the API key and the 2FA code of now in the environment, unless said otherwise. */
  async call(args: readonly string[], { input = '', env = {} }: CallOptions = {}): Promise<Ended> {
    const stdin = new PassThrough();
    stdin.end(input);
    const terminal = createTerminal(stdin, { isTTY: false, write: () => {} }, new Promise(() => {}));
    const ended = await callCli(this.#arguments(args), this.cwd, { terminal, env: this.#environment(env) });
    return { ...ended, signal: null };
  }

  /** The same as a process of its own. */
  begin(args: readonly string[], { env = {} }: Pick<CallOptions, 'env'> = {}): Running {
    return start(this.#arguments(args), { cwd: this.cwd, env: this.#environment(env) });
  }

  #arguments(args: readonly string[]): string[] {
    return [...args, '--config', 'c.yaml', '--json'];
  }

  #environment(env: NonNullable<CallOptions['env']>): Record<string, string> {
    const all = { ...this.keys(), TIDEWIRE_2FA_CODE: this.code(), ...env };
    return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  /** Seals the key file again so that it opens fast: its strength has been paid for once. */
  lighten(): void {
    const path = keyFilePath(this.cwd, {});
    const stored = findStoredKey(path)!;
    const secret = stored.open(PASSPHRASE).secret.export().toString();
    const entropy = { salt: randomBytes(SALT_BYTES), nonce: randomBytes(NONCE_BYTES) };
    writeOwnerFile(path, sealKey(stored.facts, secret, PASSPHRASE, entropy, 2 ** 14), { replace: true });
  }

  /** Read with the raw client, at exchange time. */
  async get(path: string): Promise<unknown> {
    const timestamp = String(Math.floor(this.sandbox.sandbox.now()));
    const headers = keyHeaders(this.user.apiKey, 'GET', path, '', timestamp);
    return (await send(this.sandbox.restUrl, 'GET', path, headers)).json;
  }

  /** A way to the exchange that forwards everything, and keeps back the first answer to one path. */
  async heldBack(path: string): Promise<{ readonly url: string; readonly held: () => number }> {
    let held = 0;
    const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { method, url = '', headers } = request;
      const body = (await text(request)) || undefined;
      const sent = Object.entries(headers).filter(([name]) => /^(x-api-|content-type)/.test(name));
      const init = { method: method!, headers: Object.fromEntries(sent) as Record<string, string> };
      const answer = await fetch(`${this.sandbox.restUrl}${url}`, body === undefined ? init : { ...init, body });
      const content = await answer.text();
      if (url === path && held === 0) held++;
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content);
    };
    const server = createServer((request, response) => {
      forward(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    beforeRemoval(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, held: () => held };
  }

  async faults(rules: readonly object[]): Promise<void> {
    const body = JSON.stringify({ rules });
    const answer = await fetch(`${this.sandbox.restUrl}/sandbox/faults`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`);
  }

  /** Everything that this customer's processes have written, by path below its folder. */
  written(): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    for (const name of readdirSync(this.cwd, { recursive: true, encoding: 'utf8' })) {
      const path = join(this.cwd, name);
      if (statSync(path).isFile()) files.set(name, readFileSync(path, 'latin1'));
    }
    return files;
  }
}

/** Takes the key out of the environment. */
export const withoutKey = { TIDEWIRE_API_KEY: undefined, TIDEWIRE_API_SECRET: undefined } as const;

export async function openCustomer(): Promise<Customer> {
  const sandbox = await startSandbox({ port: 0, seed: 7, market: 'none', clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  return new Customer(sandbox);
}
