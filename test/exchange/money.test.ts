/** Money of the exchange's `Venue` against the real sandbox: every kind of request, gates, accounts and P2P as they change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { denied } from '../../src/model/trading/deny-reason.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyOutcome } from '../../src/model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../src/model/funds/money-commands.ts';
import type { OnDispatch, Venue, VenueEvent, VenueMoneyKind } from '../../src/model/venue.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { realClock } from './clocks.ts';
import { until } from './waiting.ts';

type Outcome = MoneyOutcome<MoneyAnswers[MoneyKind]>;

class Side {
  readonly exchange: Exchange;
  readonly venue: Venue;
  readonly events: VenueEvent[] = [];
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  #sent = 0;

  constructor(running: RunningSandbox, user: number) {
    const { publicKey, secretKey } = running.users[user]!.apiKey;
    const { restUrl: baseUrl, gatewayUrl, wsUrl } = running;
    const budget = { requestsPerSecond: 1000, ordersPerSecond: 1000 };
    this.exchange = createExchange({
      options: exchangeOptions.parse({ baseUrl, gatewayUrl, wsUrl, budget }),
      credentials: createCredentials(publicKey, secretKey),
      clock: realClock,
      random: seededRandom(1),
      logger: silentLogger,
    });
    const { exchange } = this;
    const watch = { balancesMs: 40, p2pMs: 40 };
    this.venue = exchange.venue([], { socket: null, watch });
    this.venue.listen((events) => {
      for (const event of events) {
        this.events.push(event);
        if (event.kind === 'money-outcome') this.#waiting.get(event.intentId)?.(event.outcome);
      }
    });
  }

  ask(
    request: MoneyRequest<VenueMoneyKind>,
    secrets: MoneySecrets = {},
    onDispatch: OnDispatch = () => 'go',
  ): Promise<Outcome> {
    const intentId = `i${++this.#sent}`;
    return new Promise((resolve) => {
      this.#waiting.set(intentId, resolve);
      this.venue.send({ kind: 'money', intentId, lane: 'create', request, secrets }, onDispatch);
    });
  }

  async take(
    request: MoneyRequest<VenueMoneyKind>,
    secrets: MoneySecrets = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.ask(request, secrets);
    if (outcome.kind !== 'accepted') throw new Error(`${request.kind}: ${JSON.stringify(outcome)}`);
    return { ...outcome.value };
  }
}

let running: RunningSandbox;
let alice: Side;
let bob: Side;

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 61, market: 'none' });
  alice = new Side(running, 0);
  bob = new Side(running, 1);
});
afterAll(async () => {
  for (const side of [alice, bob]) {
    await side.venue.stop();
    await side.exchange.close();
  }
  await running.stop();
});

describe('the exchange as a venue of money', () => {
  it('sends every kind of request that moves money', async () => {
    const transfer = { from: 'overdraft', to: 'unified-trading', currency: 'USDT', amount: '100' } as const;
    expect(await alice.take({ kind: 'transfer', ...transfer })).toMatchObject(transfer);
    expect(await alice.take({ kind: 'overdraftPay', amount: '40' })).toMatchObject({ principal: '60' });
    const code = await alice.take({ kind: 'codeCreate', currency: 'USDT', amount: '3', comment: 'hello' });
    expect(code).toMatchObject({ status: 'active', comment: 'hello' });
    const redeemed = await bob.take({ kind: 'codeRedeem' }, { code: String(code['code']) });
    expect(redeemed).toMatchObject({ codeId: code['codeId'], status: 'activated' });
    const place = { network: 'TRC20', address: 'Toutside', currency: 'USDT', amount: '100' };
    const { transactionId } = await alice.take({ kind: 'withdraw', ...place });
    const canceled = await alice.take({ kind: 'cancelWithdrawal', transactionId: String(transactionId) });
    expect(canceled).toMatchObject({ status: 'canceled' });
    const fiat = { type: 'deposit', currency: 'RUB', amount: '1000', method: 'bank' } as const;
    const { applicationId } = await alice.take({ kind: 'fiatCreate', ...fiat }, { details: 'account 1' });
    const draft = { applicationId: String(applicationId) };
    expect(await alice.take({ kind: 'fiatConfirm', ...draft })).toMatchObject({ status: 'submitted' });
    expect(await alice.take({ kind: 'fiatDelete', ...draft })).toMatchObject({ status: 'canceled' });
    expect(await alice.take({ kind: 'fiatSubmit', ...fiat })).toMatchObject({ status: 'submitted' });
  });

  it('sends every step of P2P, and tells the own side of it as it changes', async () => {
    alice.venue.start();
    const terms = { price: '95', amount: '500', minLimit: '100', maxLimit: '9000', paymentMethodIds: ['1'] };
    const made = await alice.take({ kind: 'advertise', marketId: 'USDTRUB', side: 'sell', ...terms });
    const advertisementId = String(made['advertisementId']);
    expect(await alice.take({ kind: 'deactivateAdvertisement', advertisementId })).toMatchObject({
      status: 'deactivated',
    });
    expect(await alice.take({ kind: 'editAdvertisement', advertisementId, price: '96' })).toMatchObject({
      price: '96',
    });
    expect(await alice.take({ kind: 'activateAdvertisement', advertisementId })).toMatchObject({ status: 'active' });
    const respond = { kind: 'respond', advertisementId, amount: '20', paymentMethodId: '1' } as const;
    const steps = async (...names: readonly ['pay' | 'cancel', ...string[]]): Promise<string> => {
      const tradeId = String((await bob.take(respond))['tradeId']);
      expect(await alice.take({ kind: 'startTrade', tradeId })).toMatchObject({ status: 'open' });
      if (names[0] === 'cancel')
        expect(await bob.take({ kind: 'cancelTrade', tradeId })).toMatchObject({ status: 'cancel' });
      else expect(await bob.take({ kind: 'payTrade', tradeId })).toMatchObject({ status: 'send-payment-document' });
      return tradeId;
    };
    await steps('cancel');
    const complete = await steps('pay');
    expect(await alice.take({ kind: 'confirmTrade', tradeId: complete })).toMatchObject({ status: 'complete' });
    const disputed = await steps('pay');
    const reason = 'nothing came';
    expect(await alice.take({ kind: 'disputeTrade', tradeId: disputed, reason })).toMatchObject({
      status: 'dispute:open',
    });
    await until(
      () =>
        alice.events.some(
          (event) => event.kind === 'p2pTrades' && event.trades.some(({ status }) => status === 'dispute:open'),
        ),
      'the appeal among the trades',
    );
    expect(await alice.take({ kind: 'deleteAdvertisement', advertisementId })).toMatchObject({ status: 'canceled' });
    await until(
      () =>
        alice.events.some(
          (event) =>
            event.kind === 'advertisements' && event.advertisements.some(({ status }) => status === 'canceled'),
        ),
      'the deleted advertisement',
    );
    const kinds = new Set(alice.events.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([
      'accounts',
      'advertisements',
      'money-outcome',
      'p2pMarkets',
      'p2pProfile',
      'p2pTrades',
    ]);
  });

  it('lets nothing leave that is denied at the last moment, and tells refusals as such', async () => {
    const stop = denied('killed', 'test');
    const transfer = { kind: 'transfer', from: 'funding', to: 'p2p', currency: 'USDT', amount: '1' } as const;
    expect(await alice.ask(transfer, {}, () => stop)).toEqual({ kind: 'denied', denied: stop });
    expect(await alice.ask({ ...transfer, to: 'overdraft' })).toMatchObject({
      kind: 'refused',
      code: 'route_not_available',
    });
  });
});
