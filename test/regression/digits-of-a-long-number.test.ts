/**
 * An exchange that writes money or ids as JSON numbers may write more digits than a double holds: they were cut without a
 * word (1.123456789012345678 became 1.1234567890123457), and an order with a long id could not be read at all.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import type { ChannelFrame } from '../../src/exchange/client/sockets/channel-source.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { decodePrivateFrame } from '../../src/exchange/wire/private-frames.ts';
import { readP2pFrame } from '../../src/exchange/wire/p2p/p2p-frames.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { startServer, type TestServer } from '../exchange/client/http-server.ts';
import { SocketServer } from '../exchange/client/socket-server.ts';
import { until } from '../exchange/waiting.ts';

let rest: TestServer;
let sockets: SocketServer;
let exchange: Exchange;

beforeEach(async () => {
  rest = await startServer();
  sockets = await SocketServer.start();
  exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: rest.url, gatewayUrl: rest.url, wsUrl: sockets.url }),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    clock: createSystemClock(),
    random: seededRandom(1),
    logger: silentLogger,
  });
});

afterEach(async () => {
  await exchange.close();
  await sockets.close();
  await rest.close();
});

function answer(body: string): void {
  rest.handle = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  };
}

const BALANCE =
  '{"account":"unified-trading","currency":"ETH","available":1.123456789012345678,"locked":-0,"total":12345678901.123456789}';

it('keeps every digit of a balance', async () => {
  answer(`[${BALANCE}]`);
  expect(await exchange.account.balances()).toMatchObject({
    kind: 'complete',
    items: [{ available: '1.123456789012345678', locked: '0', total: '12345678901.123456789' }],
  });
});

it('keeps every digit of an id', async () => {
  answer(
    `{"data": {"orderId": 1234567890123456789, "symbol": "BTCUSDT", "side": "buy", "type": "limit", "price": 1.10, "quantity": 1,
      "filledQuantity": 0.0000000000000000, "status": "new", "createdAt": 1700000000000.0000, "updatedAt": 1700000000000}}`,
  );
  expect(await exchange.orders.one('1234567890123456789')).toMatchObject({
    kind: 'value',
    value: { orderId: '1234567890123456789', price: '1.1', filledQuantity: '0', createdAt: 1_700_000_000_000 },
  });
});

it('keeps them in a private push too', async () => {
  const socket = exchange.privateSocket();
  const frames: ChannelFrame[] = [];
  socket.listen({ frame: (frame) => frames.push(frame), state: () => {} });
  socket.subscribe(['CLNTF@my-balances']);
  socket.start();
  await until(() => socket.state.kind === 'open', 'the socket opens');
  sockets.last.socket.send(`{"channel":"CLNTF@my-balances","seq":1,"ts":1700000000000,"data":[${BALANCE}]}`);
  await until(() => frames.length === 1, 'the push arrives');
  expect(decodePrivateFrame(frames[0]!)).toMatchObject({
    balances: [{ available: '1.123456789012345678', total: '12345678901.123456789' }],
  });
  await socket.stop();
});

it('keeps them on the P2P socket', () => {
  const frame = readP2pFrame(
    '{"event":"message","data":{"roomId":12345678901234567890,"userId":"u","text":"x","createdAt":1}}',
  );
  expect(frame).toMatchObject({ kind: 'event', event: { message: { roomId: '12345678901234567890' } } });
});

it('leaves a number with an exponent to the codecs, however long it would be', async () => {
  answer('[{"account":"funding","currency":"A","available":1.00000000000000000e-999999999,"locked":0,"total":0}]');
  expect(await exchange.account.balances()).toMatchObject({ kind: 'complete', items: [{ available: '0' }] });
});
