/** The real server on a free port over a folder of sessions, and raw requests to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteLink } from '../../src/bridge/fleet/remote-link.ts';
import type { ExchangePort } from '../../src/bridge/operations-table/exchange-port.ts';
import type { ListenWish } from '../../src/bridge/server/listen.ts';
import { startServer, type BridgeServer } from '../../src/bridge/server/bridge-server.ts';
import type { Clock, Logger } from '../../src/model/ports.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { undeclared } from './declared.ts';

export const SECRET = 'secret-'.repeat(6);

export interface Served {
  readonly server: BridgeServer;
  readonly root: string;
  close(): Promise<void>;
}

export interface ServedOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly exchange?: ExchangePort;
  readonly listen?: Partial<ListenWish>;
  /** Of sessions of others; it stays. */
  readonly root?: string;
}

export async function served(options: ServedOptions = {}): Promise<Served> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'tidewire-bridge-'));
  const server = await startServer({
    task: {
      root,
      currency: 'USDT',
      ownTradeSide: 'own',
      listen: { host: '127.0.0.1', port: 0, orNext: true, tls: null, behindProxy: false, ...options.listen },
      names: ['bot.example.com'],
      secret: SECRET,
      version: '0.0.0',
      settings: [],
      resultFolders: [],
      sweepFolders: [join(root, 'sweeps')],
      recordingFolders: [],
    },
    own: null,
    exchange: options.exchange ?? null,
    linkTo: options.root === undefined ? () => null : remoteLink,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  });
  return {
    server,
    root,
    close: async () => {
      await server.close();
      if (options.root === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address to connect to. */
  readonly host?: string;
}

/** The path goes out as it is. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, host = '127.0.0.1' }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host, port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { statusCode: status = 0, headers: had } = incoming;
        const wrong = undeclared(method, path, status, had['content-type'] ?? '');
        if (wrong === null) resolve({ status, headers: had, text: Buffer.concat(chunks).toString('utf8') });
        else reject(new Error(wrong));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function bearer(token = SECRET): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** Sends bytes and gathers what comes until the other side closes. */
export function raw(port: number, write: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port }, () => write(socket));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    // What is still on its way when the server cuts is its business.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
