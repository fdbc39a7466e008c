/**
 * Refusals of single operations that the tests of their area do not need: every code that a row of the table lists is met
 * here or there. The counts that the documents do not show are set to one, so that the second is refused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';

const PUBLIC = '/api/v2/exchange/public';
const CLIENT = '/api/v2/exchange/client';
const ADS = '/api/v1/p2p/client/advertisement';
const TRADES = '/api/v1/p2p/client/trade';
const FIAT = '/api/v1/processing';

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };
const terms = {
  marketId: 'USDTRUB',
  side: 'sell',
  price: '95.5',
  amount: '100',
  minLimit: '500',
  maxLimit: '9550',
  paymentMethodIds: ['1'],
};

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(71, {
    assumed: {
      activeOrdersMax: 1,
      codesOpenMax: 1,
      crypto: { addressesMax: 1 },
      fiat: { openMax: 1 },
      withdrawals: { openMax: 1 },
      p2p: { deactivatedMax: 1 },
    },
  });
});
afterAll(() => desk.stop());

interface Made {
  readonly id: string;
  readonly orderId: string;
  readonly applicationId: string;
}

function refused(code: string, method: string, path: string, data?: object): Promise<void> {
  const status = { unknown_symbol: 404, not_found: 404, bad_request: 400, illegal_transition: 409 }[code] ?? 422;
  return desk.refused(status, code, desk.alice, method, path, data);
}

describe('market data', () => {
  it.each([
    `${PUBLIC}/orderbook`,
    `${PUBLIC}/candle`,
    `${PUBLIC}/derivative/risk-tiers`,
    `${PUBLIC}/derivative/funding-rate`,
    `${PUBLIC}/derivative/mark-price`,
  ])('%s wants a symbol that exists', async (path) => {
    await refused('bad_request', 'GET', path);
    await refused('unknown_symbol', 'GET', `${path}?symbol=DOGEUSDT`);
    // Names of spot pairs are none of perpetuals.
    if (path.includes('derivative')) await refused('unknown_symbol', 'GET', `${path}?symbol=BTCUSDT`);
  });

  it('fees of an instrument that does not exist', () =>
    refused('unknown_symbol', 'GET', `${CLIENT}/fee/personal?symbol=DOGEUSDT`));
});

describe('lists and orders', () => {
  it.each([
    `${CLIENT}/order/active?market=margin`,
    `${CLIENT}/trade/spot/list/my?limit=0`,
    `${CLIENT}/trade/derivative/list/my?cursor=zzz`,
    `${CLIENT}/positions/history/closed/positions?limit=many`,
    `${CLIENT}/positions/history/closed/orders?from=soon`,
  ])('%s is malformed', (path) => refused('bad_request', 'GET', path));

  it('cancel-many of something that is no list', () =>
    refused('bad_request', 'POST', `${CLIENT}/order/cancel-many`, { orderIds: '7' }));

  it('an order of another user is not shown', async () => {
    const { orderId } = await desk.good<Made>(desk.bob, 'POST', `${CLIENT}/order/spot`, buy);
    await refused('not_owner', 'GET', `${CLIENT}/order/${orderId}`);
  });

  it('a halted instrument takes no order, and takes them again afterwards', async () => {
    const market = desk.running.sandbox.exchange.markets.get('ETHUSDT')!;
    market.halted = true;
    await refused('symbol_halted', 'POST', `${CLIENT}/order/spot`, { ...buy, symbol: 'ETHUSDT', price: '3000' });
    market.halted = false;
    const order = { ...buy, symbol: 'ETHUSDT', price: '3000' };
    const { orderId } = await desk.good<Made>(desk.alice, 'POST', `${CLIENT}/order/spot`, order);
    await desk.good(desk.alice, 'DELETE', `${CLIENT}/order/${orderId}`);
  });

  it('one active order more than the limit', async () => {
    await desk.good(desk.alice, 'POST', `${CLIENT}/order/spot`, buy);
    await refused('limit_reached', 'POST', `${CLIENT}/order/spot`, buy);
  });
});

describe('one more than the limit', () => {
  it('of fiat applications, drafts included', async () => {
    const body = { type: 'deposit', currency: 'RUB', amount: '100', method: 'card' };
    await refused('below_minimum', 'POST', `${FIAT}/create-and-submit-fiat-application`, { ...body, amount: '1' });
    const { applicationId } = await desk.good<Made>(desk.alice, 'POST', `${FIAT}/fiat-application`, body);
    await refused('limit_reached', 'POST', `${FIAT}/fiat-application`, body);
    await refused('limit_reached', 'POST', `${FIAT}/create-and-submit-fiat-application`, body);
    await desk.good(desk.alice, 'DELETE', `${FIAT}/fiat-application`, { applicationId });
    await desk.good(desk.alice, 'POST', `${FIAT}/fiat-application`, body);
  });

  it('of deposit addresses, withdrawals and codes', async () => {
    const network = { currency: 'USDT', network: 'TRC20' };
    const address = '/api/v1/wallet/get-new-crypto-address';
    const withdrawal = { ...network, address: 'Toutside', amount: '10' };
    const code = { currency: 'USDT', amount: '1' };
    for (const [path, body] of [
      [address, network],
      ['/api/v1/wallet/create-and-submit-crypto-out', withdrawal],
      ['/api/v1/code/create-api', code],
    ] as const) {
      await desk.good(desk.alice, 'POST', path, body);
      await refused('limit_reached', 'POST', path, body);
    }
  });
});

describe('P2P advertisements', () => {
  it('are edited inside the same bounds as they are made', async () => {
    const { id } = await desk.good<Made>(desk.alice, 'POST', ADS, terms);
    await desk.good(desk.alice, 'POST', `${ADS}/${id}/deactivate`);
    await refused('bad_request', 'PATCH', `${ADS}/${id}`, { price: 'cheap' });
    await refused('off_tick', 'PATCH', `${ADS}/${id}`, { price: '95.00001' });
    await refused('price_out_of_bounds', 'PATCH', `${ADS}/${id}`, { price: '104.51' });
    await refused('below_minimum', 'PATCH', `${ADS}/${id}`, { amount: '0.5' });
    await refused('above_maximum', 'PATCH', `${ADS}/${id}`, { amount: '1000001' });
    await desk.refused(404, 'not_found', desk.bob, 'POST', `${ADS}/${id}/activate`);
    await desk.good(desk.alice, 'DELETE', `${ADS}/${id}`);
  });

  it('are hidden up to a count, and shown only when they are covered', async () => {
    const made: string[] = [];
    for (let count = 0; count < 2; count++) {
      made.push((await desk.good<Made>(desk.alice, 'POST', ADS, terms)).id);
    }
    const [first = '', second = ''] = made;
    await desk.refused(422, 'not_owner', desk.bob, 'POST', `${ADS}/${first}/activate`);
    await desk.good(desk.alice, 'POST', `${ADS}/${first}/deactivate`);
    await refused('limit_reached', 'POST', `${ADS}/${second}/deactivate`);
    const all = { from: 'p2p', to: 'funding', currency: 'USDT' };
    const { available } = await desk.balance(desk.alice, 'p2p', 'USDT');
    const amount = String(available);
    await desk.good(desk.alice, 'POST', '/api/v1/accounting/client/transfer/account', { ...all, amount });
    await refused('insufficient_balance', 'POST', `${ADS}/${first}/activate`);
    const back = { from: 'funding', to: 'p2p', currency: 'USDT', amount };
    await desk.good(desk.alice, 'POST', '/api/v1/accounting/client/transfer/account', back);
    await desk.good(desk.alice, 'POST', `${ADS}/${first}/activate`);
  });

  it('are completed while hidden when the last trade is', async () => {
    const { id } = await desk.good<Made>(desk.alice, 'POST', ADS, { ...terms, side: 'buy' });
    const body = { advertisementId: id, amount: '100', paymentMethodId: '1' };
    const { id: tradeId } = await desk.good<Made>(desk.bob, 'POST', TRADES, body);
    await desk.good(desk.alice, 'POST', `${TRADES}/start`, { tradeId });
    await desk.good(desk.alice, 'POST', `${ADS}/${id}/deactivate`);
    await desk.good(desk.alice, 'POST', `${TRADES}/pay`, { tradeId });
    await desk.good(desk.bob, 'POST', `${TRADES}/confirm`, { tradeId });
    expect(await desk.good(desk.alice, 'GET', `${ADS}/${id}`)).toMatchObject({ status: 'completed' });
  });
});
