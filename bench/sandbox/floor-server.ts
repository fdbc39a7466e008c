/**
 * What no server on Node can be faster than: `node:http` that reads the request to its end and answers a constant order.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions, usage } from './processes.ts';
import type { SandboxReady, ServerQuestion } from './server-process.ts';

const BODY = JSON.stringify({
  orderId: '1700000000000000001',
  clientOrderId: 'bench-1',
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '30000',
  quantity: '0.001',
  filledQuantity: '0',
  averagePrice: null,
  status: 'new',
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
});
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(BODY) };

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => response.writeHead(200, headers).end(BODY));
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  const restUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answerQuestions(async (_question: ServerQuestion) => usage({ collect: false }));
  process.send?.({ restUrl, wsUrl: '', users: [] } satisfies SandboxReady);
});
