/** The fault `takerSide`, over HTTP and WebSocket: own trades bear the side of the taker, the orders and the money do not change. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, send, signed } from '../conformance/raw-client.ts';

const SYMBOL = 'BTCUSDT';
const TRADES = '/api/v2/exchange/client/trade/spot/list/my?symbol=BTCUSDT';
const CHANNEL = 'BTCUSDT@my-trades';

type Row = Readonly<Record<string, unknown>>;
interface Page {
  readonly items: readonly Row[];
}

let live: RunningSandbox;
let socket: RawSocket;

beforeEach(async () => {
  live = await startSandbox({ clock: systemClock, seed: 11, market: 'none' });
  socket = await RawSocket.open(live.wsUrl);
  await socket.login(keyOf('alice'));
  await socket.subscribe(1, [CHANNEL]);
});
afterEach(async () => {
  socket.close();
  await live.stop();
});

function keyOf(login: string) {
  const user = live.users.find((one) => one.login === login);
  if (user === undefined) throw new Error(`no user ${login}`);
  return user.apiKey;
}

async function place(login: string, order: Row): Promise<Row> {
  const body = { symbol: SYMBOL, type: 'limit', price: '60000', quantity: '0.01', ...order };
  const reply = await signed(live.restUrl, keyOf(login), 'POST', '/api/v2/exchange/client/order/spot', body);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.json as Row;
}

async function faults(rules: readonly object[]): Promise<void> {
  const reply = await send(live.restUrl, 'POST', '/sandbox/faults', {}, JSON.stringify({ rules }));
  expect(reply.status).toBe(200);
}

async function listed(): Promise<Page> {
  return (await signed(live.restUrl, keyOf('alice'), 'GET', TRADES)).json as Page;
}

async function pushed(): Promise<Row | undefined> {
  return ((await socket.onChannel(CHANNEL))['data'] as readonly Row[])[0];
}

/** Alice makes and takes once each, always as a buyer. */
async function makeAndTake(): Promise<readonly Row[]> {
  const made = await place('alice', { side: 'buy' });
  await place('bob', { side: 'sell' });
  const maker = await pushed();
  await place('bob', { side: 'sell' });
  const taken = await place('alice', { side: 'buy' });
  const taker = await pushed();
  expect([maker?.['orderId'], taker?.['orderId']]).toEqual([made['orderId'], taken['orderId']]);
  return [maker ?? {}, taker ?? {}];
}

const facts = ({ liquidity, side }: Row): unknown => [liquidity, side];

it('turns the side of what the user made in the list and in the push, and of nothing else', async () => {
  await faults([{ match: {}, fault: 'takerSide' }]);
  const told = await makeAndTake();
  expect(told.map(facts)).toEqual([
    ['maker', 'sell'],
    ['taker', 'buy'],
  ]);
  const list = await listed();
  expect(list.items.map(facts)).toEqual([
    ['taker', 'buy'],
    ['maker', 'sell'],
  ]);
  await faults([]);
  const plain = await listed();
  expect(plain.items.map(facts)).toEqual([
    ['taker', 'buy'],
    ['maker', 'buy'],
  ]);
  const sideless = (row: Row): Row => ({ ...row, side: null });
  expect(list.items.map(sideless)).toEqual(plain.items.map(sideless));
});

it('acts on the channel or the path that it names alone, and only as often as it says', async () => {
  await faults([{ match: { channel: '*@my-trades' }, fault: 'takerSide', times: 1 }]);
  expect((await makeAndTake()).map(facts)).toEqual([
    ['maker', 'sell'],
    ['taker', 'buy'],
  ]);
  expect((await makeAndTake()).map(facts)).toEqual([
    ['maker', 'buy'],
    ['taker', 'buy'],
  ]);
  expect((await listed()).items.map(({ side }) => side)).toEqual(['buy', 'buy', 'buy', 'buy']);
});
