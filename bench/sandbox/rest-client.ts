/**
 * A raw client in a process of its own: each of its connections creates a signed order far from the touch, cancels it,
 * and begins again, as fast as answers come or at a pace. Arguments: transport (`undici` or `http`), base address, public and secret
 * key.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Pool } from 'undici';
import { answerQuestions } from './processes.ts';

export interface RestQuestion {
  readonly connections: number;
  readonly seconds: number;
  /** Of each connection after a create and its cancel. Default 0. */
  readonly pauseMs?: number;
  /** Every so many orders one takes what the book has, a buy and a sell in turn. Default never. */
  readonly takeEvery?: number;
}

export interface RestAnswer {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

type Send = (method: 'POST' | 'DELETE', path: string, headers: Record<string, string>, body: string) => Promise<string>;

const [, , transport = '', url = '', publicKey = '', secretKey = ''] = process.argv;
const CREATE = '/api/v2/exchange/client/order/spot';
const secret = createSecretKey(Buffer.from(secretKey, 'utf8'));
let count = 0;

function undiciSender(connections: number): Send {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return async (method, path, headers, body) => {
    const response = await pool.request({ method, path, headers, body: body === '' ? null : body });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return text;
  };
}

function httpSender(connections: number): Send {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: connections });
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const sent = httpRequest(`${url}${path}`, { agent, method, headers: { ...headers, ...length } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

async function signed(send: Send, method: 'POST' | 'DELETE', path: string, body: string): Promise<string> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret).update(`${timestamp}\n${method}\n${path}\n${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'X-API-Key': publicKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  };
  return send(method, path, headers, body);
}

const AWAY = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '30000', quantity: '0.001' } as const;

async function create(send: Send, order: object): Promise<string> {
  const body = JSON.stringify({ ...order, clientOrderId: `bench-${process.pid}-${++count}` });
  const { orderId }: { readonly orderId: string } = JSON.parse(await signed(send, 'POST', CREATE, body));
  return orderId;
}

async function load(send: Send, question: RestQuestion, untilMs: number, timesUs: number[]): Promise<void> {
  const { pauseMs = 0, takeEvery = Number.POSITIVE_INFINITY } = question;
  for (let round = 1; performance.now() < untilMs; round++) {
    const started = performance.now();
    const orderId = await create(send, AWAY);
    const created = performance.now();
    await signed(send, 'DELETE', `/api/v2/exchange/client/order/${orderId}`, '');
    timesUs.push((created - started) * 1000, (performance.now() - created) * 1000);
    if (round % takeEvery === 0) {
      const side = (round / takeEvery) % 2 === 0 ? 'buy' : 'sell';
      await create(send, { symbol: 'BTCUSDT', side, type: 'market', quantity: '0.001' });
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

answerQuestions(async (question: RestQuestion): Promise<RestAnswer> => {
  const { connections, seconds } = question;
  const send = transport === 'http' ? httpSender(connections) : undiciSender(connections);
  const timesUs: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => load(send, question, until, timesUs)));
  const took = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(timesUs).toSorted();
  const at = (fraction: number): number => sorted[Math.floor(sorted.length * fraction)] ?? Number.NaN;
  return { requests: timesUs.length, seconds: took, p50Us: at(0.5), p99Us: at(0.99) };
});
process.send?.({});
