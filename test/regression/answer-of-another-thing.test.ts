/**
 * A service (or a cache before it) that answers a question about one thing with another: the deposit address of another
 * network, the mark price of another perpetual, somebody else's order were taken for what was asked for.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import type { Answer } from '../../src/exchange/client/operations/answer.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { json, startServer, type TestServer } from '../exchange/client/http-server.ts';

let rest: TestServer;
let exchange: Exchange;

beforeEach(async () => {
  rest = await startServer();
  exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: rest.url, gatewayUrl: rest.url, wsUrl: rest.url }),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    clock: createSystemClock(),
    random: seededRandom(1),
    logger: silentLogger,
  });
});

afterEach(async () => {
  await exchange.close();
  await rest.close();
});

const address = { currency: 'USDT', network: 'TRC20', address: 'T1', memo: null };
const mark = { symbol: 'BTCUSDTPERP', markPrice: '60000', indexPrice: '60001', ts: 1 };
const funding = { symbol: 'BTCUSDTPERP', rate: '0.0001', nextFundingTime: 1, history: [] };
const prices = { last: 1, bid: 1, ask: 1, open: 1, high: 1, low: 1, volume: 1, quoteVolume: 1, ts: 1 };
const order = {
  orderId: '1',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '1',
  quantity: '1',
  filledQuantity: '0',
  averagePrice: null,
  status: 'new',
  createdAt: 1,
  updatedAt: 1,
};
const code = { codeId: '1', currency: 'USDT', amount: '1', status: 'active', code: 'xyz' };
const reward = { linkId: '1', rewards: [] };

const questions: readonly [string, object, object, () => Promise<Answer<unknown>>][] = [
  ['network', address, { network: 'ERC20' }, () => exchange.money.crypto.address('USDT', 'TRC20')],
  ['currency', address, { currency: 'USDC' }, () => exchange.money.crypto.address('USDT', 'TRC20')],
  ['symbol', mark, { symbol: 'ETHUSDTPERP' }, () => exchange.futures.markPrice('BTCUSDTPERP')],
  ['symbol', funding, { symbol: 'ETHUSDTPERP' }, () => exchange.futures.fundingRate('BTCUSDTPERP')],
  ['symbol', { symbol: 'BTCUSDT', ...prices }, { symbol: 'X' }, () => exchange.marketData.ticker('BTCUSDT')],
  ['orderId', order, { orderId: '2' }, () => exchange.orders.one('1')],
  ['codeId', code, { codeId: '2' }, () => exchange.money.codes.full('1')],
  ['linkId', reward, { linkId: '2' }, () => exchange.money.referrals.reward('1')],
];

it.each(questions)('of another %s is no answer', async (name, right, other, ask) => {
  rest.handle = (_request, response) => json(response, 200, right);
  expect(await ask()).toMatchObject({ kind: 'value', value: right });
  rest.handle = (_request, response) => json(response, 200, { data: { ...right, ...other } });
  const answer = await ask();
  expect(answer).toMatchObject({ kind: 'failed', error: { code: 'exchange_answer', details: { field: name } } });
  if (answer.kind === 'failed') expect(answer.error.message).toMatch(`answered another ${name} than was asked for`);
});
