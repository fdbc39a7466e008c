import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpTransports } from '../../../src/exchange/client/http-transport.ts';
import type { HttpResult } from '../../../src/model/ports.ts';
import { realClock } from '../clocks.ts';

const closing: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Answers each request with the bytes as they are, a chunk at a time. */
async function rawServer(...chunks: readonly (string | Buffer)[]): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received.push(data.toString());
      void (async () => {
        for (const chunk of chunks) {
          socket.write(chunk);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

function answerOf(url: string, deadlineMs = 2000, lookup?: LookupFunction): Promise<HttpResult> {
  const transports = lookup === undefined ? createHttpTransports(realClock) : createHttpTransports(realClock, lookup);
  closing.push(() => transports.orders.close());
  const request = { url, method: 'POST', headers: { accept: 'application/json' }, body: '{}' } as const;
  return new Promise((resolve) => transports.orders.request(request, deadlineMs, resolve));
}

describe('exchange/http-exchange', () => {
  it('answer/after-an-informational-one', async () => {
    const { port } = await rawServer(
      'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n',
      'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}',
    );
    expect(await answerOf(`http://127.0.0.1:${port}/a`)).toMatchObject({ kind: 'response', status: 201, body: '{}' });
  });

  it('answer/text-cut-anywhere-without-its-byte-order-mark', async () => {
    const body = Buffer.from('\uFEFF{"name":"цена"}');
    const cut = body.length - 4;
    const { port } = await rawServer(
      `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`,
      body.subarray(0, cut),
      body.subarray(cut),
    );
    expect(await answerOf(`http://127.0.0.1:${port}/a`)).toMatchObject({ kind: 'response', body: '{"name":"цена"}' });
  });

  it('answer/headers-that-come-twice-are-joined', async () => {
    const { port } = await rawServer('HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\ncontent-length: 0\r\n\r\n');
    expect(await answerOf(`http://127.0.0.1:${port}/a`)).toMatchObject({ headers: { 'x-a': '1, 2' }, body: '' });
  });

  it('answer/larger-than-8-MB-is-unknown', async () => {
    const { port } = await rawServer('HTTP/1.1 200 OK\r\ncontent-length: 8388609\r\n\r\n', Buffer.alloc(8_388_609, 32));
    const result = await answerOf(`http://127.0.0.1:${port}/a`);
    expect(result).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('UND_ERR_RES_EXCEEDED_MAX_SIZE') });
  });

  it('deadline/no-byte-leaves-after-it', async () => {
    const { port, received } = await rawServer('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    const late: LookupFunction = (_, options, done) => {
      setTimeout(() => {
        if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
        else done(null, '127.0.0.1', 4);
      }, 80);
    };
    const result = await answerOf(`http://exchange.test:${port}/a`, 20, late);
    expect(result).toEqual({ kind: 'unknown', reason: 'no whole answer within 20 ms' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(received).toEqual([]);
  });
});
