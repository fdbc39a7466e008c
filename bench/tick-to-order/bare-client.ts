/**
 * The peer: what a client cannot do without, and nothing else. `ws` for the depth updates, `JSON.parse`, an HMAC with a
 * prepared key, one order by `undici.request`. No book, no journal, no risk. With the path of a file it appends 4 kB and
 * waits for the disk before each send. Started as a process by `race.ts`.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

const [, , url = '', wsUrl = '', publicKey = '', secretKey = '', file] = process.argv;
const PATH = '/api/v2/exchange/client/order/spot';
const secret = createSecretKey(Buffer.from(secretKey, 'utf8'));
const log = file === undefined ? null : openSync(file, 'a');
const page = Buffer.alloc(4096, 1);
const dispatcher = new Agent({ connections: 8, pipelining: 1, keepAliveTimeout: 4000 });
const socket = new WebSocket(`${wsUrl}/websocket/exchange`, { perMessageDeflate: false });
let orders = 0;

interface Update {
  readonly channel?: string;
  readonly data?: { readonly type: string; readonly bids: readonly (readonly [string, string])[] };
}

async function order(price: string): Promise<void> {
  const clientOrderId = `bare-${++orders}`;
  const fields = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'ioc', price, quantity: '0.001' };
  const body = JSON.stringify({ ...fields, clientOrderId });
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret).update(`${timestamp}\nPOST\n${PATH}\n${body}`).digest('hex');
  if (log !== null) {
    writeSync(log, page);
    fdatasyncSync(log);
  }
  const response = await request(`${url}${PATH}`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-API-Key': publicKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
    },
    body,
  });
  await response.body.json();
}

socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'subscribe', data: ['BTCUSDT@depth'] })));
socket.on('message', (data: Buffer) => {
  const update: Update = JSON.parse(data.toString());
  const best = update.data?.bids?.[0];
  if (update.channel === undefined || update.data?.type !== 'update' || best === undefined) return;
  order(best[0]).catch((thrown: unknown) => {
    console.error(thrown);
    process.exit(1);
  });
});
socket.on('close', () => process.exit(0));
