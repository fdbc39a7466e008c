/** What the sandbox assumes: defaults that are whole, changes that are seen over HTTP, and values that are refused. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSandboxFile } from '../../src/cli/sandbox-file.ts';
import { assumedDefaults, assumedSchema } from '../../src/sandbox/core/assumptions.ts';
import { readAssumed } from '../../src/sandbox/options.ts';
import { openDesk } from '../conformance/money-desk.ts';

interface Row {
  readonly status: string;
  readonly transactionId: string;
}

describe('the assumptions', () => {
  it('are whole without a word, and stay as they are when given back', () => {
    expect(readAssumed(undefined)).toEqual(assumedDefaults);
    expect(assumedSchema.parse(assumedDefaults)).toEqual(assumedDefaults);
  });

  it.each([
    [{ fees: { taker: '-0.1' } }, 'assumed.fees.taker'],
    [{ fees: { taker: '1.5' } }, 'assumed.fees.taker'],
    [{ fiat: { takenAfterMs: 1.5 } }, 'assumed.fiat.takenAfterMs'],
    [{ withdrawals: { openMax: 0 } }, 'assumed.withdrawals.openMax'],
    [{ feees: {} }, 'feees'],
    [{ crypto: { networks: [] } }, 'network'],
    [{ p2p: { markets: [{ base: 'DOGE' }] } }, 'assumed.p2p.markets.0.base'],
    [{ overdraft: { currency: 'EUR' } }, 'assumed.overdraft.currency'],
  ])('are refused when wrong, by name: %j', (wrong, name) => {
    expect(() => readAssumed(wrong)).toThrow(expect.objectContaining({ code: 'sandbox_bad_option' }));
    expect(() => readAssumed(wrong)).toThrow(name);
  });

  it('change what the exchange does', async () => {
    const desk = await openDesk(81, {
      assumed: {
        fees: { maker: 0.001, taker: '0.002' },
        referralShare: 0.5,
        login: { totpStepsAround: 0, tokenLifetimeMs: 60_000 },
        withdrawals: { takenAfterMs: 1000, doneAfterMs: 1000 },
        overdraft: { limit: '7', currency: 'BTC' },
        crypto: {
          networks: [
            { network: 'L2', title: 'Layer', addressPrefix: 'l', addressDigits: 8, usesMemo: false, blockMs: 10 },
          ],
          currencies: [{ currency: 'USDT', network: 'L2', minAmount: 1, fee: '0.25', confirmations: 1 }],
        },
        p2p: {
          markets: [
            {
              base: 'BTC',
              quote: 'RUB',
              rule: { kind: 'anchor', price: 5_000_000, ask: 1, bid: 1 },
              advertisementMin: '0.001',
              advertisementMax: 2,
              tradeMin: '1',
              tradeMax: '9000000',
            },
          ],
        },
      },
    });
    const { alice, bob } = desk;
    expect(await desk.good(alice, 'GET', '/api/v2/exchange/client/fee/personal?symbol=BTCUSDT')).toEqual([
      { symbol: 'BTCUSDT', maker: '0.001', taker: '0.002' },
    ]);
    const order = { symbol: 'BTCUSDT', type: 'limit', price: '50000', quantity: '0.1' };
    await desk.good(alice, 'POST', '/api/v2/exchange/client/order/spot', { ...order, side: 'buy' });
    await desk.good(bob, 'POST', '/api/v2/exchange/client/order/spot', { ...order, side: 'sell' });
    const { linkId } = await desk.good<{ linkId: string }>(alice, 'GET', '/api/v2/referral-program/client/link');
    // Bob pays 0.002 of 5,000 USDT; half of it is for who invited him.
    expect(await desk.good(alice, 'GET', `/api/v2/referral-program/client/reward/${linkId}`)).toMatchObject({
      rewards: [{ currency: 'USDT', amount: '5' }],
    });
    expect(await desk.good(alice, 'GET', '/api/v2/withdrawals/currencies')).toEqual([
      { currency: 'USDT', networks: [{ network: 'L2', minAmount: '1', fee: '0.25', confirmations: 1 }] },
    ]);
    const wanted = { currency: 'USDT', network: 'L2', address: 'outside', amount: '1' };
    await desk.good<Row>(alice, 'POST', '/api/v1/wallet/create-and-submit-crypto-out', wanted);
    await desk.advance(2000);
    const { items } = await desk.good<{ items: Row[] }>(
      alice,
      'GET',
      '/api/v1/wallet/transactions/list/my?type=withdrawal',
    );
    expect(items).toMatchObject([{ status: 'completed', fee: '0.25' }]);
    expect(await desk.good(alice, 'GET', '/api/v2/credit/client/overdraft/me')).toMatchObject({
      limit: '7',
      currency: 'BTC',
    });
    const draw = { from: 'overdraft', to: 'unified-trading', currency: 'BTC', amount: '2' };
    await desk.good(alice, 'POST', '/api/v1/accounting/client/transfer/account', draw);
    expect(await desk.good(alice, 'GET', '/api/v1/p2p/client/market/list')).toMatchObject([
      { marketId: 'BTCRUB', advertisementMaxAmount: 2, marketPriceValidationRule: { params: { price: 5_000_000 } } },
    ]);
    const terms = {
      marketId: 'BTCRUB',
      side: 'sell',
      price: '5000000',
      amount: '0.5',
      minLimit: '1',
      maxLimit: '9000000',
    };
    const advertisement = { ...terms, paymentMethodIds: ['1'] };
    const { id } = await desk.good<{ id: string }>(alice, 'POST', '/api/v1/p2p/client/advertisement', advertisement);
    const response = { advertisementId: id, amount: '0.1', paymentMethodId: '1' };
    // Scaled by the precisions that the pair tells: eight and two decimal places.
    expect(await desk.good(bob, 'POST', '/api/v1/p2p/client/trade', response)).toMatchObject({
      volume: '10000000',
      volumeCurrencyId: 'BTC',
      amount: '50000000',
      amountCurrencyId: 'RUB',
    });
    const token = await desk.login(0);
    expect((await desk.asUser(token, 'GET', '/api/v1/auth/me')).status).toBe(200);
    await desk.advance(61_000);
    expect((await desk.asUser(token, 'GET', '/api/v1/auth/me')).json).toMatchObject({ code: 'token_expired' });
    await desk.stop();
  });

  it('come from a file, whose mistakes are named with their line', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tidewire-')), 'sandbox.yaml');
    writeFileSync(file, 'assumed:\n  fees: { taker: 0.002 }\noverrides:\n  endpoints: { time: { path: /clock } }\n');
    expect(readSandboxFile(file, {})).toMatchObject({
      assumed: { fees: { maker: '0.0002', taker: '0.002' } },
      overrides: { endpoints: { time: { path: '/clock' } } },
    });
    writeFileSync(file, 'assumed:\n  fees:\n    taker: lots\n');
    expect(() => readSandboxFile(file, {})).toThrow(`${file}:3: assumed.fees.taker: expected a decimal`);
  });
});
