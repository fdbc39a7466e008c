/**
 * Every private route × every permission category × every level, over plain http. Who may call what is written here once
 * more, from the wire profile ("Details that a client may rely on"), independently of the endpoint table.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpointTable, pathOf } from '../../src/exchange/interface/endpoints.ts';
import { openDesk, type Desk } from './money-desk.ts';
import type { KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

const REFUSED = 'insufficient permissions for this route';
const CLOSED = 'route not allowed for API key access';

const categories = [
  'trading_spot',
  'trading_futures',
  'transfer',
  'dictionary',
  'fiat_processing',
  'crypto_processing',
  'p2p',
] as const;

/** Category (one of them suffices), `*` for any active key, `jwt` for none; then the routes. */
const routes: readonly (readonly [string, string])[] = [
  ['jwt', 'POST /api/v1/identity/client/api-key/create'],
  ['jwt', 'GET /api/v1/identity/client/api-key/list'],
  ['jwt', 'DELETE /api/v1/identity/client/api-key/x'],
  ['*', 'GET /api/v1/auth/me'],
  ['*', 'GET /api/v1/accounting/client/report-account/accounts/overview'],
  ['*', 'GET /api/v1/wallet/transactions/list/my'],
  ['*', 'GET /api/v2/exchange/client/fee/personal'],
  ['*', 'GET /api/v2/referral-program/client/link'],
  ['*', 'GET /api/v2/referral-program/client/reward/x'],
  ['*', 'GET /api/v2/credit/client/overdraft/me'],
  ['*', 'GET /api/v2/credit/client/overdraft/loan'],
  ['*', 'GET /api/v2/credit/client/overdraft/credit-fee'],
  ['*', 'GET /api/v2/credit/client/overdraft/documents'],
  ['trading_spot', 'POST /api/v2/exchange/client/order/spot'],
  ['trading_spot', 'GET /api/v2/exchange/client/trade/spot/list/my'],
  ['trading_futures', 'POST /api/v2/exchange/client/order/derivative'],
  ['trading_futures', 'GET /api/v2/exchange/client/trade/derivative/list/my'],
  ['trading_futures', 'GET /api/v2/exchange/client/positions/list'],
  ['trading_futures', 'GET /api/v2/exchange/client/positions/history/closed/positions'],
  ['trading_futures', 'GET /api/v2/exchange/client/positions/history/closed/orders'],
  ['trading_futures', 'POST /api/v2/exchange/client/positions/close'],
  ['trading_futures', 'POST /api/v2/exchange/client/positions/leverage'],
  ['trading_futures', 'POST /api/v2/exchange/client/positions/margin-type'],
  ['trading_futures', 'POST /api/v2/exchange/client/positions/mode'],
  ['trading_spot trading_futures', 'GET /api/v2/exchange/client/order/active'],
  ['trading_spot trading_futures', 'GET /api/v2/exchange/client/order/history'],
  ['trading_spot trading_futures', 'GET /api/v2/exchange/client/order/x'],
  ['trading_spot trading_futures', 'DELETE /api/v2/exchange/client/order/x'],
  ['trading_spot trading_futures', 'POST /api/v2/exchange/client/order/cancel-many'],
  ['transfer', 'GET /api/v1/accounting/client/transfer/account/transfer-routes/list'],
  ['transfer', 'POST /api/v1/accounting/client/transfer/account'],
  ['fiat_processing', 'POST /api/v1/processing/fiat-application'],
  ['fiat_processing', 'PATCH /api/v1/processing/fiat-application'],
  ['fiat_processing', 'POST /api/v1/processing/create-and-submit-fiat-application'],
  ['fiat_processing', 'DELETE /api/v1/processing/fiat-application'],
  ['crypto_processing', 'GET /api/v1/wallet/crypto/address'],
  ['crypto_processing', 'POST /api/v1/wallet/get-new-crypto-address'],
  ['crypto_processing', 'GET /api/v2/withdrawals/currencies'],
  ['crypto_processing', 'POST /api/v1/wallet/create-and-submit-crypto-out'],
  ['crypto_processing', 'DELETE /api/v1/wallet/create-crypto-out/x'],
  ['crypto_processing', 'POST /api/v1/code/create-api'],
  ['crypto_processing', 'POST /api/v1/code/redeem'],
  ['crypto_processing', 'GET /api/v1/code/my'],
  // Looks, although it is a POST.
  ['crypto_processing read', 'POST /api/v1/code/full'],
  ['crypto_processing', 'POST /api/v2/credit/client/overdraft/pay'],
  ['dictionary', 'GET /api/v2/exchange/client/asset/list'],
  ['dictionary', 'GET /api/v1/currency-network/list'],
  ['p2p', 'GET /api/v1/p2p/client/advertisement/list'],
  ['p2p', 'GET /api/v1/p2p/client/advertisement/my'],
  ['p2p', 'GET /api/v1/p2p/client/advertisement/x'],
  ['p2p', 'POST /api/v1/p2p/client/advertisement'],
  ['p2p', 'PATCH /api/v1/p2p/client/advertisement/x'],
  ['p2p', 'POST /api/v1/p2p/client/advertisement/x/activate'],
  ['p2p', 'POST /api/v1/p2p/client/advertisement/x/deactivate'],
  ['p2p', 'DELETE /api/v1/p2p/client/advertisement/x'],
  ['p2p', 'POST /api/v1/p2p/client/trade'],
  ['p2p', 'GET /api/v1/p2p/client/trade/list/my'],
  ['p2p', 'GET /api/v1/p2p/client/trade/x'],
  ['p2p', 'POST /api/v1/p2p/client/trade/start'],
  ['p2p', 'POST /api/v1/p2p/client/trade/pay'],
  ['p2p', 'POST /api/v1/p2p/client/trade/cancel'],
  ['p2p', 'POST /api/v1/p2p/client/trade/confirm'],
  ['p2p', 'POST /api/v1/p2p/client/trade/dispute'],
  ['p2p', 'GET /api/v1/p2p/client/market/list'],
  ['p2p', 'GET /api/v1/p2p/client/profile'],
  ['p2p', 'GET /api/v1/p2p/client/payment-method/list'],
];

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(37);
});
afterAll(() => desk.stop());

/** The refusal that a key gets at a route, or null where it may call. */
async function refusalOf(key: KeyPair, route: string): Promise<string | null> {
  const [method = '', path = ''] = route.split(' ');
  const reply = await desk.request(key, method, path, method === 'GET' ? undefined : {});
  if (reply.status !== 401) return null;
  expect([REFUSED, CLOSED]).toContain(reply.text);
  return reply.text;
}

function expected(needs: string, route: string, category: string, level: string): string | null {
  if (needs === 'jwt') return CLOSED;
  if (needs === '*') return null;
  const words = needs.split(' ');
  const reads = route.startsWith('GET ') || words.includes('read');
  const may = words.includes(category) && (level === 'full' || (level === 'read_only' && reads));
  return may ? null : REFUSED;
}

describe('permissions', () => {
  it.each(categories)('%s at every level, at every route', async (category) => {
    for (const level of ['none', 'read_only', 'full']) {
      const key = await desk.key(0, { [category]: level }, true);
      for (const [needs, route] of routes) {
        const found = await refusalOf(key, route);
        expect([level, route, found]).toEqual([level, route, expected(needs, route, category, level)]);
      }
      await desk.asUser(await desk.login(0), 'DELETE', `/api/v1/identity/client/api-key/${key.publicKey}`, {
        auth2fa_code: desk.secondFactor(0),
      });
    }
    witness('sandbox/permissions');
  });

  it('cover every private route that there is', () => {
    const params = { orderId: 'x', linkId: 'x', transactionId: 'x', id: 'x', publicKey: 'x' };
    const rows = createEndpointTable().rows.filter((row) => row.access.kind !== 'public');
    expect(routes.map(([, route]) => route).toSorted()).toEqual(
      rows.map((row) => `${row.method} ${pathOf(row, params)}`).toSorted(),
    );
  });
});
