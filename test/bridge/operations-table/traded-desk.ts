/** A sandbox on which two users have done a bit of everything, so that no list of it is empty. */
import { openDesk, type Desk } from '../../conformance/money-desk.ts';
import type { KeyPair } from '../../conformance/raw-client.ts';

const EXCHANGE = '/api/v2/exchange/client';
const P2P = '/api/v1/p2p/client';

export interface TradedDesk {
  readonly desk: Desk;
  readonly orderId: string;
  readonly advertisementId: string;
  readonly tradeId: string;
  /** The text of a code of Alice, which is worth its money. */
  readonly code: string;
}

type Json = Readonly<Record<string, unknown>>;

export async function tradedDesk(seed: number): Promise<TradedDesk> {
  const desk = await openDesk(seed);
  const { alice, bob } = desk;
  const post = (key: KeyPair, path: string, data: object): Promise<Json> => desk.good<Json>(key, 'POST', path, data);
  const order = (key: KeyPair, market: 'spot' | 'derivative', symbol: string, side: string, price: string) =>
    post(key, `${EXCHANGE}/order/${market}`, { symbol, side, type: 'limit', price, quantity: '0.01' });
  for (const market of ['spot', 'derivative'] as const) {
    const symbol = market === 'spot' ? 'BTCUSDT' : 'BTCUSDTPERP';
    await order(bob, market, symbol, 'sell', '20010');
    await order(alice, market, symbol, 'buy', '20010');
    await order(bob, market, symbol, 'buy', '19990');
  }
  await order(alice, 'derivative', 'BTCUSDTPERP', 'sell', '19990');
  await order(bob, 'derivative', 'BTCUSDTPERP', 'sell', '20020');
  await order(alice, 'derivative', 'BTCUSDTPERP', 'buy', '20020');
  await order(alice, 'derivative', 'BTCUSDTPERP', 'buy', '19000');
  const { orderId } = await order(alice, 'spot', 'BTCUSDT', 'buy', '19000');
  await post(alice, '/api/v1/accounting/client/transfer/account', {
    from: 'funding',
    to: 'p2p',
    currency: 'USDT',
    amount: '200',
  });
  const { code } = await post(alice, '/api/v1/code/create-api', { currency: 'USDT', amount: '25', comment: 'tip' });
  await post(alice, '/api/v1/wallet/get-new-crypto-address', { currency: 'USDT', network: 'TRC20' });
  const advertisement = await post(alice, `${P2P}/advertisement`, {
    marketId: 'USDTRUB',
    side: 'sell',
    price: '95.5',
    amount: '100',
    minLimit: '500',
    maxLimit: '9550',
    paymentMethodIds: ['1', '2'],
    comment: 'quick',
  });
  const trade = await post(bob, `${P2P}/trade`, {
    advertisementId: advertisement['id'],
    amount: '50',
    paymentMethodId: '1',
  });
  return {
    desk,
    orderId: String(orderId),
    advertisementId: String(advertisement['id']),
    tradeId: String(trade['id']),
    code: String(code),
  };
}
