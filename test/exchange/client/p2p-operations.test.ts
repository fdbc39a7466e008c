/** The typed P2P operations against the real sandbox: values, refusals, unknown outcomes, nothing sent twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { valueOf } from '../../../src/exchange/client/operations/answer.ts';
import type { OnMoneyOutcome } from '../../../src/exchange/client/operations/money.ts';
import type { Dispatch } from '../../../src/exchange/client/operations/orders.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import type { Advertisement, P2pTrade } from '../../../src/model/funds/p2p.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { MoneyOutcome, Reading } from '../../../src/model/result.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/server.ts';
import { realClock } from '../clocks.ts';

const terms = {
  marketId: 'USDTRUB',
  side: 'sell',
  price: '95.50',
  amount: '100',
  minLimit: '500',
  maxLimit: '9550',
  paymentMethodIds: ['1'],
} as const;

let running: RunningSandbox;
let alice: Exchange;
let bob: Exchange;

function exchangeAt(url: string, key: { publicKey: string; secretKey: string }): Exchange {
  return createExchange({
    options: exchangeOptions.parse({
      baseUrl: url,
      gatewayUrl: url,
      wsUrl: url,
      budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 },
    }),
    credentials: createCredentials(key.publicKey, key.secretKey),
    clock: realClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
}

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 43, market: 'none' });
  [alice, bob] = running.users.map(({ apiKey }) => exchangeAt(running.restUrl, apiKey)) as [Exchange, Exchange];
});
afterAll(async () => {
  await alice.close();
  await bob.close();
  await running.stop();
});

function outcome<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<MoneyOutcome<T>> {
  return new Promise((resolve) => send({ lane: 'reconcile' }, resolve));
}

async function accepted<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<T> {
  const result = await outcome(send);
  if (result.kind !== 'accepted') throw new Error(JSON.stringify(result));
  return result.value;
}

async function items<T>(reading: Promise<Reading<T>>): Promise<readonly T[]> {
  const result = await reading;
  if (result.kind !== 'complete') throw new Error(result.reason);
  return result.items;
}

describe('P2P operations', () => {
  it('read pairs, profile and payment methods', async () => {
    const { p2p } = alice.money;
    expect(valueOf(await p2p.markets())).toMatchObject([{ marketId: 'USDTRUB', activeTradesMax: 5 }]);
    expect(valueOf(await p2p.profile())).toMatchObject({ username: 'alice', tradesCount: 0 });
    expect(valueOf(await p2p.paymentMethods())).toContainEqual({ id: '1', name: expect.any(String) });
  });

  it('advertise, hide, edit, show, trade to the end, and delete', async () => {
    const maker = alice.money.p2p;
    const taker = bob.money.p2p;
    const { advertisementId } = await accepted<Advertisement>((dispatch, done) =>
      alice.money.send({ kind: 'advertise', ...terms }, dispatch, done),
    );
    await accepted((dispatch, done) =>
      alice.money.send({ kind: 'deactivateAdvertisement', advertisementId }, dispatch, done),
    );
    const edited = await accepted<Advertisement>((dispatch, done) =>
      alice.money.send({ kind: 'editAdvertisement', advertisementId, price: '96.0' }, dispatch, done),
    );
    expect(edited).toMatchObject({ price: '96', status: 'deactivated', minLimit: '500' });
    await accepted((dispatch, done) =>
      alice.money.send({ kind: 'activateAdvertisement', advertisementId }, dispatch, done),
    );
    const listed = await items(taker.advertisements({ marketId: 'USDTRUB', side: 'sell' }));
    expect(listed.map((row) => row.advertisementId)).toContain(advertisementId);
    const request = { advertisementId, amount: '12.5000', paymentMethodId: '1' };
    const trade = await accepted<P2pTrade>((dispatch, done) =>
      bob.money.send({ kind: 'respond', ...request }, dispatch, done),
    );
    expect(trade).toMatchObject({ volume: '12.5', volumeCurrency: 'USDT', amount: '1200', price: '96' });
    const { tradeId } = trade;
    await accepted((dispatch, done) => alice.money.send({ kind: 'startTrade', tradeId }, dispatch, done));
    await accepted((dispatch, done) => bob.money.send({ kind: 'payTrade', tradeId }, dispatch, done));
    const disputed = await accepted<P2pTrade>((dispatch, done) =>
      bob.money.send({ kind: 'disputeTrade', tradeId, reason: 'paid' }, dispatch, done),
    );
    expect(disputed.status).toBe('dispute:open');
    const done = await accepted<P2pTrade>((dispatch, onDone) =>
      alice.money.send({ kind: 'confirmTrade', tradeId }, dispatch, onDone),
    );
    expect(done.status).toBe('complete');
    expect(valueOf(await taker.trade(tradeId))).toEqual(done);
    expect(await items(taker.myTrades())).toEqual([done]);
    expect(valueOf(await taker.advertisement(advertisementId))).toMatchObject({
      availableAmount: '87.5',
      trades: [{ tradeId }],
    });
    const other = await accepted<P2pTrade>((dispatch, onDone) =>
      bob.money.send({ kind: 'respond', ...request }, dispatch, onDone),
    );
    await accepted((dispatch, onDone) =>
      bob.money.send({ kind: 'cancelTrade', tradeId: other.tradeId }, dispatch, onDone),
    );
    await accepted((dispatch, onDone) =>
      alice.money.send({ kind: 'deleteAdvertisement', advertisementId }, dispatch, onDone),
    );
    expect((await items(maker.myAdvertisements('canceled'))).map((row) => row.advertisementId)).toEqual([
      advertisementId,
    ]);
  });

  it('end refused with code and field, known beforehand or answered', async () => {
    const { p2p } = alice.money;
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'advertise', ...terms, price: '-1' }, dispatch, done)),
    ).toMatchObject({
      kind: 'refused',
      code: 'bad_request',
      field: 'price',
    });
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'advertise', ...terms, price: '60' }, dispatch, done)),
    ).toMatchObject({
      kind: 'refused',
      code: 'price_out_of_bounds',
      field: 'price',
    });
    const request = { advertisementId: 'x', amount: '0', paymentMethodId: '1' };
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'respond', ...request }, dispatch, done)),
    ).toMatchObject({
      kind: 'refused',
      code: 'bad_request',
      field: 'amount',
    });
    expect(await p2p.advertisement('none')).toMatchObject({ kind: 'failed' });
  });

  it('end unknown when the answer is lost, and are not sent twice', async () => {
    const rules = [{ match: { path: '/api/v1/p2p/client/advertisement' }, fault: 'dropAfterEffect', times: 1 }];
    running.sandbox.handle(
      {
        method: 'POST',
        target: '/sandbox/faults',
        headers: {},
        body: Buffer.from(JSON.stringify({ rules })),
        address: '127.0.0.1',
      },
      (reply) => expect(reply?.status).toBe(200),
    );
    const { p2p } = alice.money;
    const before = await items(p2p.myAdvertisements('active'));
    expect(
      await outcome((dispatch, done) => alice.money.send({ kind: 'advertise', ...terms }, dispatch, done)),
    ).toMatchObject({ kind: 'unknown' });
    expect(await items(p2p.myAdvertisements('active'))).toHaveLength(before.length + 1);
  });
});
