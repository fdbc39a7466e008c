/**
 * Movements of money that belong to no strategy, as commands to a live session: what moves money in two steps, what only
 * takes back at once, each once a key, also when the session dies between the request and its answer.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { signed } from '../../conformance/raw-client.ts';
import { callCli } from '../../cli/call-cli.ts';
import { freshFolder, root, start } from '../../e2e/cli.ts';
import { startExchange, type ExchangeProcess } from '../../e2e/exchange-process.ts';
import { liveSession, refusal, type LiveSession } from './live-session.ts';

const CONFIG = `strategies: [{ file: ladder.ts }]
journal: { dir: data/sessions, durability: normal }
`;
const PAY = '/api/v2/credit/client/overdraft/pay';
const P2P = '/api/v1/p2p/client';
const WITHDRAW = '/api/v1/wallet/create-and-submit-crypto-out';
const FIAT = '/api/v1/processing/fiat-application';
const REPAY = '/operations/overdraft/pay';

type Json = Readonly<Record<string, unknown>>;

/** What alice (0) or bob (1) asks of the exchange by hand, past tidewire. */
function asUser(exchange: ExchangeProcess, index: number) {
  const { apiKey } = exchange.line.users[index]!;
  return async (path: string, data?: object, method = data === undefined ? 'GET' : 'POST'): Promise<Json> => {
    const { status, json, text } = await signed(exchange.line.restUrl, apiKey, method, path, data);
    expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
    return json as Json;
  };
}

async function drawn(exchange: ExchangeProcess, amount: string): Promise<() => Promise<number>> {
  const alice = asUser(exchange, 0);
  const draw = { from: 'overdraft', to: 'unified-trading', currency: 'USDT', amount };
  await alice('/api/v1/accounting/client/transfer/account', draw);
  return async () => Number((await alice('/api/v2/credit/client/overdraft/loan'))['principal']);
}

const accepted = expect.objectContaining({ kind: 'accepted' });

async function offered(
  exchange: ExchangeProcess,
  terms: object,
): Promise<{ readonly ad: string; readonly trade: string }> {
  const [alice, bob] = [asUser(exchange, 0), asUser(exchange, 1)];
  const common = { marketId: 'USDTRUB', price: '95.5', minLimit: '500', maxLimit: '9550', paymentMethodIds: ['1'] };
  const { id } = await alice(`${P2P}/advertisement`, { ...common, side: 'sell', amount: '100', ...terms });
  const request = { advertisementId: String(id), amount: '50', paymentMethodId: '1' };
  const trade = await bob(`${P2P}/trade`, request);
  return { ad: String(id), trade: String(trade['id']) };
}

it('moves/overdraft/two-steps-once-a-key-within-the-rules', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const loan = await drawn(exchange, '1000');
  const live = await liveSession(cwd, exchange, CONFIG);
  await live.traded();
  const post = (body: object, key: string, by = live.token) => live.post(REPAY, body, key, by);

  expect(refusal(await post({ amount: '100' }, 'a', live.readToken))).toEqual([403, 'bridge_forbidden', undefined]);
  expect(refusal(await post({ amount: 'all' }, 'a'))).toEqual([400, 'bridge_bad_request', 'amount']);
  expect(refusal(await post({ amount: '0' }, 'a'))).toEqual([409, 'remote_denied', 'amount']);
  expect(refusal(await post({ amount: '1', currency: 'BTC' }, 'a'))).toEqual([400, 'bridge_bad_request', 'currency']);
  expect(refusal(await post({ amount: '1', session: 'x' }, 'a'))).toEqual([404, 'bridge_unknown', 'id']);
  // No code, a wrong one, and one of another amount.
  const asked = await post({ amount: '100' }, 'a');
  expect(refusal(asked)).toEqual([409, 'bridge_confirmation_needed', undefined]);
  expect(asked.json.confirm?.what).toBe('repay 100 of what is borrowed');
  const { code = '' } = asked.json.confirm ?? {};
  const wrong = code === 'ABCDEF' ? 'FEDCBA' : 'ABCDEF';
  expect(refusal(await post({ amount: '200', code }, 'a'))).toEqual([409, 'remote_not_confirmed', undefined]);
  expect(refusal(await post({ amount: '100', code: wrong }, 'a'))).toEqual([409, 'remote_not_confirmed', undefined]);
  // A wrong code ends the offer.
  expect(refusal(await post({ amount: '100', code }, 'a'))).toEqual([409, 'remote_not_confirmed', undefined]);
  expect(await live.entries('money-intent')).toEqual([]);
  expect(await loan()).toBe(1000);

  const done = await live.confirmed(REPAY, { amount: '100' }, 'a');
  expect(done).toMatchObject({ status: 202, json: { command: 'overdraftPay' } });
  expect(await live.outcomeAfter(done.json.seq)).toEqual(accepted);
  expect(await loan()).toBe(900);
  expect((await post({ amount: '100' }, 'a')).json).toEqual(done.json);
  expect(refusal(await post({ amount: '101' }, 'a'))).toEqual([409, 'bridge_key_reused', 'Idempotency-Key']);
  expect(await loan()).toBe(900);
  // More than is owed: the exchange refuses, and says so by an alarm.
  const much = await live.confirmed(REPAY, { amount: '5000' }, 'b');
  expect(await live.outcomeAfter(much.json.seq)).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify((await live.get('/sessions/current')).json['alarms'])).toContain('money_refused');

  // It dies between the request and its effect.
  const slow = { match: { method: 'POST', path: PAY }, fault: 'delay', ms: 2_000, times: 1 };
  await exchange.control('faults', { rules: [slow] });
  const last = await live.confirmed(REPAY, { amount: '300' }, 'c');
  await live.process.during('its first byte', async () =>
    (await live.entries('money-sending')).length === 3 ? true : undefined,
  );
  await live.process.signal('SIGKILL');
  expect(await loan()).toBe(900);
  const again = await liveSession(cwd, exchange, CONFIG);
  const [resolved] = await again.process.during('what became of it', async () => {
    const rows = await again.entries('money-resolved');
    return rows.length > 0 ? rows : undefined;
  });
  expect(resolved?.entry).toMatchObject({ verdict: 'happened', by: 'readings' });
  // The key is known from the journal; nothing is sent again.
  expect((await again.post(REPAY, { amount: '300' }, 'c')).json).toEqual(last.json);
  expect(await again.entries('money-sending')).toHaveLength(3);
  expect(await loan()).toBe(600);
});

it('moves/by-hand/what-takes-back-needs-no-code-also-after-a-kill', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const [alice, bob] = [asUser(exchange, 0), asUser(exchange, 1)];
  const outside = { currency: 'USDT', network: 'TRC20', address: 'Toutside0000000000', amount: '100' };
  const withdrawal = String((await alice(WITHDRAW, outside))['transactionId']);
  const fiat = await alice(FIAT, { type: 'deposit', currency: 'RUB', amount: '5000', method: 'card' });
  const { code: voucher } = await bob('/api/v1/code/create-api', { currency: 'USDT', amount: '25' });
  const first = await offered(exchange, {});
  const second = await offered(exchange, { price: '95.4' });
  const bought = await offered(exchange, { price: '95.3', side: 'buy' });
  const live = await liveSession(cwd, exchange, CONFIG);
  await live.traded();
  const expectDone = async (path: string, body: object, key: string, twoSteps: boolean): Promise<void> => {
    const reply = twoSteps ? await live.confirmed(path, body, key) : await live.post(path, body, key);
    expect([path, reply.status, reply.json.error?.message]).toEqual([path, 202, undefined]);
    expect([path, await live.outcomeAfter(reply.json.seq)]).toEqual([path, accepted]);
  };
  const statusOf = async (path: string): Promise<unknown> => (await alice(path))['status'];

  const redeem = { text: String(voucher) };
  await expectDone('/operations/codes/redeem', redeem, 'redeem', true);
  // Of a code that was redeemed: the exchange refuses, and what it says may repeat the text.
  const spent = await live.confirmed('/operations/codes/redeem', redeem, 'redeem-again');
  expect(await live.outcomeAfter(spent.json.seq)).toMatchObject({ kind: 'refused' });
  const other = await live.post('/operations/codes/redeem', { text: 'another-code' }, 'redeem');
  expect(refusal(other)).toEqual([409, 'bridge_key_reused', 'Idempotency-Key']);
  const { json } = await live.get('/sessions/current');
  const exported = (await callCli(['journal', 'export', String(json['path'])], cwd)).stdout;
  expect(exported).toContain('codeRedeem');
  expect(exported).not.toContain(String(voucher));
  expect(live.process.stderr).not.toContain(String(voucher));

  await expectDone('/operations/fiat/delete', { applicationId: String(fiat['applicationId']) }, 'fiat', true);
  await expectDone('/operations/p2p/start', { tradeId: first.trade }, 'start', true);
  await bob(`${P2P}/trade/pay`, { tradeId: first.trade });
  await expectDone('/operations/p2p/dispute', { tradeId: first.trade, reason: 'nothing came' }, 'dispute', true);
  expect(await statusOf(`${P2P}/trade/${first.trade}`)).toBe('dispute:open');
  // Money that was sent by hand: the exchange is told once, whatever the key, and bob alone can release.
  const pay = (key: string) => live.post('/operations/p2p/pay', { tradeId: bought.trade }, key);
  expect(refusal(await pay('pay-1'))).toEqual([409, 'operation_refused', undefined]);
  await expectDone('/operations/p2p/start', { tradeId: bought.trade }, 'start-2', true);
  expect(refusal(await pay('pay-1'))).toEqual([409, 'bridge_confirmation_needed', undefined]);
  await expectDone('/operations/p2p/pay', { tradeId: bought.trade }, 'pay-2', true);
  expect(await statusOf(`${P2P}/trade/${bought.trade}`)).toBe('send-payment-document');
  const paidAgain = await pay('pay-3');
  expect(refusal(paidAgain)).toEqual([409, 'operation_refused', undefined]);
  expect(paidAgain.json.error?.message).toContain('is send-payment-document, and pay needs open');
  // The key of the one that was carried out is answered as before.
  expect((await pay('pay-2')).status).toBe(202);
  await bob(`${P2P}/trade/confirm`, { tradeId: bought.trade });
  expect(await statusOf(`${P2P}/trade/${bought.trade}`)).toBe('complete');
  // Of an id that is none nothing is sent: no answer of the exchange would prove what became of it.
  const intents = (await live.entries('money-intent')).length;
  const nothing = [
    await live.post('/operations/p2p/cancel', { tradeId: 'no-such-trade' }, 'n1'),
    await live.post('/operations/p2p/delete', { advertisementId: 'no-such-offer' }, 'n2'),
    await live.post('/operations/wallet/cancel', { transactionId: 'no-such-withdrawal' }, 'n3'),
    await live.post('/operations/fiat/delete', { applicationId: withdrawal.replace(/.$/, 'x') }, 'n4'),
  ];
  expect(nothing.map(({ status, json }) => [status, json.error?.code])).toEqual(
    nothing.map(() => [404, 'operation_refused']),
  );
  expect(await live.entries('money-intent')).toHaveLength(intents);

  const denied = await live.post('/operations/p2p/cancel', { tradeId: second.trade }, 'cancel', live.readToken);
  expect(refusal(denied)).toEqual([403, 'bridge_forbidden', undefined]);
  // A server of another process does it by the server of the session.
  await cancelledFromOutside(cwd, live, second.trade);
  expect(await statusOf(`${P2P}/trade/${second.trade}`)).toBe('cancel');

  const kill = await live.post('/sessions/current/commands', { command: 'kill' }, 'kill');
  expect(kill.status).toBe(202);
  // Nothing new leaves; what takes back does.
  expect(refusal(await live.post(REPAY, { amount: '1' }, 'pay'))).toEqual([409, 'remote_denied', undefined]);
  await expectDone('/operations/wallet/cancel', { transactionId: withdrawal }, 'wallet', false);
  await hiddenByAnAiClient(cwd, live, second.ad);
  expect(await statusOf(`${P2P}/advertisement/${second.ad}`)).toBe('deactivated');
  await expectDone('/operations/p2p/delete', { advertisementId: second.ad }, 'delete', false);
  expect(await statusOf(`${P2P}/advertisement/${second.ad}`)).toBe('canceled');
});

/** By an armed `tidewire mcp`, which gets no code. */
async function hiddenByAnAiClient(cwd: string, live: LiveSession, advertisementId: string): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [join(root, 'bin/tidewire.js'), 'mcp', '--armed', '--data', 'data/sessions'];
  const env = { PATH: process.env['PATH'] ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: 'ignore' }));
  const call = async (given: object): Promise<readonly [failed: boolean, text: string]> => {
    const whole = { advertisementId, reason: 'a drill', ...given };
    const { isError, content } = await client.callTool({ name: 'p2p_deactivate', arguments: whole });
    return [isError === true, (content as [{ readonly text: string }])[0].text];
  };
  expect(await call({})).toEqual([true, expect.stringContaining('bridge_not_commandable')]);
  const [failed, text] = await call({ session: String((await live.get('/sessions/current')).json['id']) });
  expect([failed, text]).toEqual([false, expect.stringContaining('deactivateAdvertisement')]);
  expect(await live.outcomeAfter((JSON.parse(text) as { seq: number }).seq)).toEqual(accepted);
  await client.close();
}

/** By `tidewire dashboard` over the same folder. */
async function cancelledFromOutside(cwd: string, live: LiveSession, tradeId: string): Promise<void> {
  const id = String((await live.get('/sessions/current')).json['id']);
  const token = 'a-token-of-the-other-server-of-32';
  const env = { TIDEWIRE_DASHBOARD_TOKEN: token };
  const other = start(['dashboard', '--data', 'data/sessions', '--port', '0'], { cwd, env });
  const url = await other.during('its link', () => /(http:\/\/127\.0\.0\.1:\d+)/.exec(other.stderr)?.[1]);
  const post = async (body: object): Promise<readonly [number, unknown]> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'outside' };
    const whole = JSON.stringify({ reason: 'from outside', tradeId, ...body });
    const response = await fetch(`${url}/api/v1/operations/p2p/cancel`, { method: 'POST', headers, body: whole });
    return [response.status, await response.json()];
  };
  expect(await post({})).toMatchObject([409, { error: { code: 'bridge_not_commandable', field: 'session' } }]);
  const [status, told] = await post({ session: id });
  expect([status, told]).toMatchObject([202, { command: 'cancelTrade' }]);
  expect(await live.outcomeAfter((told as { seq: number }).seq)).toEqual(accepted);
}
