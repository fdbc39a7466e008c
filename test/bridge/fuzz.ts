/**
 * Mutated requests and socket messages against a running server. Its laws: no 5xx, an answer to each request, JSON with a
 * code for each refusal, no secret in any answer, and the next right request answered.
 */
import { request } from 'node:http';
import { seededRandom } from '../../src/model/random.ts';
import { Tokens } from '../../src/bridge/server/tokens.ts';
import type { Random } from '../../src/model/ports.ts';
import { undeclared } from './declared.ts';
import { until, type Api } from './paper-session.ts';

export interface FuzzReport {
  readonly requests: number;
  readonly messages: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /** A law and the request that broke it. */
  readonly broken: readonly string[];
}

interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const NASTY: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  '%00',
  '%2e%2e%2f',
  '..',
  '__proto__',
  'constructor',
  'current',
  '9007199254740993',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '${7*7}',
  '💥',
  '\u202e',
  'x'.repeat(4_000),
  'true',
  '[]',
  '{}',
];

const LANES = 24;

const PATHS: readonly string[] = [
  '/api/v1/sessions',
  '/api/v1/sessions/current',
  '/api/v1/sessions/current/entries?after=3&limit=5',
  '/api/v1/sessions/current/fills?after=0',
  '/api/v1/sessions/current/equity',
  '/api/v1/sessions/current/log?limit=5&level=warn',
  '/api/v1/sessions/current/plan',
  '/api/v1/sessions/current/why-not?symbol=BTCUSDT&at=1',
  '/api/v1/results',
  '/api/v1/results/0123456789abcdef',
  '/api/v1/sweeps/0123456789abcdef',
  '/api/v1/recordings',
  '/api/v1/settings',
  '/api/v1/health',
  '/api/v1/operations',
  '/api/v1/operations/market/book?symbol=BTCUSDT&limit=3',
  '/api/v1/operations/market/candles?symbol=BTCUSDT&from=1&limit=3',
  '/api/v1/operations/account/overview?account=funding',
  '/api/v1/operations/transfer/make',
  '/api/v1/operations/overdraft/pay',
  '/api/v1/operations/codes/redeem',
  '/api/v1/operations/p2p/cancel',
  '/api/v1/operations/wallet/withdraw',
  '/api/v1/me',
  '/api/v1/openapi.json',
  '/',
  '/assets/index.js',
];

const BODIES: readonly object[] = [
  { command: 'pause', reason: 'fuzz' },
  { command: 'resume', reason: 'fuzz' },
  { command: 'cancel', ref: 'spread-maker-1', reason: 'fuzz' },
  { command: 'cancel-all', symbol: 'BTCUSDT', reason: 'fuzz' },
  { command: 'limits/override', limit: 'risk.maxOpenOrders', value: '3', forMs: 60_000, reason: 'fuzz' },
  { command: 'plan/apply', decision: 'a=b', reason: 'fuzz' },
  { from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '1', reason: 'fuzz' },
  { amount: '1', code: 'ABCDEF', reason: 'fuzz' },
  { text: 'a-code-of-money', reason: 'fuzz' },
  { tradeId: 'a-trade', session: 'current', reason: 'fuzz' },
];

const MESSAGES: readonly string[] = [
  '{"type":"subscribe","topics":["entries"]}',
  '{"type":"subscribe","topics":["book","health"],"symbols":["BTCUSDT"],"depth":5}',
];

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random.next() * from.length)]!;
}

/** Some bytes lost, doubled, changed, or one of the nasty texts put in. */
function mutated(random: Random, text: string): string {
  const at = Math.floor(random.next() * (text.length + 1));
  const end = at + Math.floor(random.next() * 6);
  switch (Math.floor(random.next() * 5)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, end) + text.slice(at);
    case 2:
      return text.slice(0, at) + pick(random, NASTY) + text.slice(end);
    case 3:
      return text.slice(0, at) + String.fromCharCode(33 + Math.floor(random.next() * 93)) + text.slice(at + 1);
    default:
      return text;
  }
}

/** A header may hold visible ASCII alone; the client refuses others itself. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

function shotOf(random: Random, token: string): Shot {
  const isPost = random.next() < 0.5;
  const shot: Shot = {
    method: isPost ? 'POST' : 'GET',
    path: isPost ? '/api/v1/sessions/current/commands' : pick(random, PATHS),
    headers: { authorization: `Bearer ${token}` },
    body: isPost ? JSON.stringify(pick(random, BODIES)) : '',
  };
  if (random.next() < 0.6) shot.body = mutated(random, shot.body);
  if (random.next() < 0.4) shot.path = mutated(random, shot.path);
  if (random.next() < 0.2) shot.headers['idempotency-key'] = headerText(pick(random, NASTY)) || 'k';
  // A wrong token is slowed, so that there are few.
  if (random.next() < 0.01)
    shot.headers['authorization'] = headerText(mutated(random, shot.headers['authorization'] ?? ''));
  if (random.next() < 0.05) shot.headers['origin'] = headerText(pick(random, NASTY)) || 'null';
  if (random.next() < 0.05) shot.headers['host'] = headerText(pick(random, NASTY)) || 'x';
  if (random.next() < 0.05) shot.method = pick(random, ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']);
  // The client itself would refuse these bytes in a path.
  const escaped = shot.path.replaceAll(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()));
  shot.path = `/${escaped.replace(/^\/+/, '')}`;
  return shot;
}

interface Got {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function fire(port: number, { method, path, headers, body }: Shot): Promise<Got> {
  const sent = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? body : '';
  // Without it some methods send a body that is no part of their request.
  const framed = { ...headers, 'content-length': String(Buffer.byteLength(sent)) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: framed, agent: false }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] ?? '', text }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

function lawOf(shot: Shot, { status, type, text }: Got, secrets: readonly string[]): string | null {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`;
  if (secrets.some((secret) => text.includes(secret))) return 'told a secret';
  if (status >= 400 && shot.method !== 'HEAD' && status !== 400 && !type.startsWith('application/json'))
    return `refused without a code: ${status}`;
  return shot.method === 'HEAD' ? null : undeclared(shot.method, shot.path, status, type);
}

export async function fuzzBridge(api: Api, seed: number, count: number): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const port = Number(new URL(api.url).port);
  const secrets = [api.token, new Tokens(api.token).read];
  const byStatus: Record<number, number> = {};
  const broken: string[] = [];
  let begun = 0;
  // A wrong token is slowed: it holds up its own lane alone.
  const lane = async (): Promise<void> => {
    while (begun++ < count) {
      const shot = shotOf(random, api.token);
      try {
        const got = await fire(port, shot);
        byStatus[got.status] = (byStatus[got.status] ?? 0) + 1;
        const law = lawOf(shot, got, secrets);
        if (law !== null) broken.push(`${law}\n  ${JSON.stringify(shot)}`);
      } catch (thrown) {
        broken.push(`no answer (${String(thrown)})\n  ${JSON.stringify(shot)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const messages = await fuzzStream(api, random, Math.ceil(count / 4));
  const alive = await api.get<{ role?: string }>('/me');
  if (alive.role !== 'operate') broken.push('the right token is not served any more');
  return { requests: count, messages, byStatus, broken };
}

async function fuzzStream(api: Api, random: Random, count: number): Promise<number> {
  const reader = api.stream('?topics=health');
  await reader.first('health');
  for (let i = 0; i < count; i++) reader.socket.send(mutated(random, mutated(random, pick(random, MESSAGES))));
  reader.socket.send('{"type":"subscribe","topics":["book"],"symbols":["BTCUSDT"],"depth":1}');
  const known = reader.messages.length;
  await until('the stream after all that', () =>
    reader.messages.slice(known).some(({ type }) => type === 'market') ? true : undefined,
  );
  await reader.close();
  return count;
}
