/**
 * The listening socket: loopback unless it is encrypted, the next port when one is taken, and a bound on connections. Over
 * the bound the oldest one that has not shown a right token goes, so that a flood does not keep the operator out.
 */
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { messageOf } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import { refuseUnreadable } from './raw-answer.ts';

export const SOCKETS_MAX = 512;
const PORTS_TRIED = 50;

export interface ListenWish {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Take the next one when it is in use. */
  readonly orNext: boolean;
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** Something before it encrypts. */
  readonly behindProxy: boolean;
}

export interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly trust: (socket: Socket) => void;
  close(): Promise<void>;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** All that can be known before it listens. Throws `dashboard_exposed`, `dashboard_tls`. */
export function requireReady(wish: ListenWish): void {
  requireSafe(wish);
  if (wish.tls !== null) serverOf(wish);
}

function requireSafe({ host, tls, behindProxy }: ListenWish): void {
  if (LOOPBACK.test(host) || tls !== null || behindProxy) return;
  throw bridgeErrors.make('dashboard_exposed', `${host} is not an address of this machine alone`, { host });
}

/** Throws `dashboard_exposed`, `dashboard_tls`, `dashboard_port`. */
export async function listen(wish: ListenWish): Promise<Listening> {
  requireSafe(wish);
  const server = serverOf(wish);
  // A slow client holds a connection, not a thread: it is cut.
  server.headersTimeout = 5_000;
  server.requestTimeout = 15_000;
  server.keepAliveTimeout = 10_000;
  server.maxHeadersCount = 64;
  const { trust, closeAll } = boundSockets(server, wish.tls !== null);
  const port = await bound(server, wish);
  return {
    server,
    port,
    trust,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        closeAll();
      }),
  };
}

function serverOf({ tls }: ListenWish): Server {
  // A missing Host is answered as any other that is wrong.
  const options = { maxHeaderSize: 16_384, connectionsCheckingInterval: 1_000, requireHostHeader: false };
  if (tls === null) return createHttp(options);
  try {
    const pair = { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) };
    return createHttps({ ...options, ...pair, minVersion: 'TLSv1.2' });
  } catch (thrown) {
    throw bridgeErrors.make('dashboard_tls', messageOf(thrown), {}, thrown);
  }
}

function boundSockets(
  server: Server,
  isSecure: boolean,
): { readonly trust: (socket: Socket) => void; readonly closeAll: () => void } {
  const fresh = new Set<Socket>();
  const trusted = new Set<Socket>();
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    fresh.add(socket);
    socket.once('close', () => {
      fresh.delete(socket);
      trusted.delete(socket);
    });
    if (fresh.size + trusted.size <= SOCKETS_MAX) return;
    const [oldest = socket] = fresh;
    fresh.delete(oldest);
    oldest.destroy();
  });
  return {
    trust: (socket) => {
      if (fresh.delete(socket)) trusted.add(socket);
    },
    closeAll: () => {
      for (const socket of [...fresh, ...trusted]) socket.destroy();
    },
  };
}

async function bound(server: Server, { host, port, orNext }: ListenWish): Promise<number> {
  const tries = orNext && port !== 0 ? PORTS_TRIED : 1;
  for (let next = 0; next < tries; next++) {
    const wanted = Math.min(65_535, port + next);
    const thrown = await attempt(server, host, wanted);
    if (thrown === null) return portOf(server);
    if (thrown.code !== 'EADDRINUSE' || next === tries - 1)
      throw bridgeErrors.make('dashboard_port', `port ${wanted} of ${host}: ${thrown.message}`, { port: wanted });
  }
  throw bridgeErrors.make('dashboard_port', `no port from ${port} on is free`, { port });
}

function attempt(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const onError = (thrown: NodeJS.ErrnoException): void => resolve(thrown);
    server.once('error', onError);
    server.listen({ host, port, backlog: SOCKETS_MAX }, () => {
      server.off('error', onError);
      resolve(null);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export function onRequest(server: Server, listener: RequestListener): void {
  server.on('request', listener);
  server.on('clientError', refuseUnreadable);
}
