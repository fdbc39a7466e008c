/** WebSocket upgrades. The protocol ends oversized frames (1009) and bad UTF-8 (1007). */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { splitTarget } from '../api.ts';
import type { SocketClient } from './client-frames.ts';
import { requestOf } from '../http-server.ts';
import { FRAME_BYTES_MAX } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { SocketBatch } from './socket-batch.ts';
import type { ServerConnection } from './socket-session.ts';

export const SOCKET_PATH = '/websocket/exchange';

export function attachSocketServer(server: Server, sandbox: Sandbox): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false });
  const batch = new SocketBatch();
  const { p2pSocket } = sandbox.settings;
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const { path, query } = splitTarget(request.url ?? '/');
    const token = path === p2pSocket.path ? (query.get(p2pSocket.tokenParameter) ?? '') : null;
    if (path !== SOCKET_PATH && token === null) {
      refuse(socket, '404 Not Found');
      return;
    }
    if (token !== null && !sandbox.p2pHub.isGood(token)) {
      refuse(socket, '401 Unauthorized');
      return;
    }
    sandbox.admit(requestOf(request, Buffer.alloc(0)), (admission) => {
      if (admission === 'drop') socket.destroy();
      else if (admission !== 'go') refuse(socket, `${admission} Refused`);
      else {
        sockets.handleUpgrade(request, socket, head, (client) => {
          const connection = connectionOf(client, socket, batch);
          const address = request.socket.remoteAddress ?? '';
          const isP2p = token !== null;
          serve(client, isP2p ? sandbox.p2pHub.attach(connection, token) : sandbox.hub.attach(connection, address));
        });
      }
    });
  });
  return sockets;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Undefined: no capacity, closed. */
function serve(client: WebSocket, session: SocketClient | undefined): void {
  // ws closes the connection; without a listener the process would end.
  client.on('error', () => {});
  if (session === undefined) {
    client.close(1013, 'too many connections');
    return;
  }
  // ws delivers a message as one buffer.
  client.on('message', (data: Buffer, isBinary) => session.receive(isBinary ? undefined : data.toString('utf8')));
  client.on('ping', () => session.heard?.());
  client.on('close', () => session.ended());
}

function connectionOf(client: WebSocket, socket: Duplex, batch: SocketBatch): ServerConnection {
  return {
    send(text) {
      if (client.readyState !== client.OPEN) return;
      batch.hold(socket);
      client.send(batch.bytesOf(text), { binary: false });
    },
    get bufferedBytes() {
      return client.bufferedAmount;
    },
    close: (code, reason) => client.close(code, reason),
    terminate() {
      batch.release(socket);
      client.terminate();
    },
  };
}
