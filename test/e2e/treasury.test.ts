/**
 * Money that moves without an order, against the real sandbox and on a real journal: once, or known to be unknown; looked
 * up, never doubled; no secret on disk.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { isTidewireError } from '../../src/model/errors.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { moneyPlaces } from '../../src/session/money/money-place.ts';
import { openMoney, type MoneyAccess } from '../../src/session/money/money.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { until } from './live-stack.ts';

const clock = createSystemClock();
/** Far below the sandbox's own window: nothing is delayed in these tests. */
const config = configSchema.parse({ reconcile: { signatureWindowMs: 150, fenceMarginMs: 40, historyLagMs: 10 } });
/** Each test moves a currency of its own: what another one moved just before would be in its history. */
const transfer = (currency: string, amount: string) =>
  ({ kind: 'transfer', from: 'funding', to: 'unified-trading', currency, amount }) as const;

let running: RunningSandbox;
let exchange: Exchange;
let root: string;
let access: MoneyAccess;

async function faults(...rules: readonly object[]): Promise<void> {
  const answer = await fetch(`${running.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
  expect(answer.status).toBe(200);
}

async function available(account: string, currency = 'USDT'): Promise<number> {
  const reading = await exchange.account.balances();
  if (reading.kind !== 'complete') throw new Error(reading.reason);
  return Number(reading.items.find((row) => row.account === account && row.currency === currency)?.available ?? 0);
}

const sessionsDir = (): string => join(root, 'sessions');
const options = () => ({
  exchange,
  config,
  sessionsDir: sessionsDir(),
  account: 'alice',
  exchangeName: 'sandbox',
  publicKey: running.users[0]!.apiKey.publicKey,
  clock,
  logger: silentLogger,
});

beforeAll(async () => {
  running = await startSandbox({ clock, seed: 51, market: 'none' });
  const [alice] = running.users;
  exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: running.restUrl, gatewayUrl: running.gatewayUrl, wsUrl: running.wsUrl }),
    credentials: createCredentials(alice!.apiKey.publicKey, alice!.apiKey.secretKey),
    clock,
    random: seededRandom(1),
    logger: silentLogger,
  });
});
afterAll(async () => {
  await exchange.close();
  await running.stop();
});
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-money-'));
  access = await openMoney(options());
});
afterEach(async () => {
  access.close();
  await faults();
  rmSync(root, { recursive: true, force: true });
});

describe('money that a human moves', () => {
  it('writes the intent before and the receipt after, in a journal that verifies', async () => {
    const before = await available('unified-trading');
    const outcome = await access.send(transfer('USDT', '12.50'));
    expect(outcome).toMatchObject({ kind: 'accepted', value: { currency: 'USDT', amount: '12.5' } });
    expect(await available('unified-trading')).toBe(before + 12.5);
    access.close();
    const rows = [...readJournal(access.folder)].map(({ entry }) => entry.kind);
    expect(rows).toEqual(['session', 'money-intent', 'money-sending', 'money-outcome', 'session']);
    expect(verifyJournal(access.folder)).toMatchObject({ ok: true, rows: 5 });
  });

  it('keeps the text of a code out of the journal, made and redeemed', async () => {
    const made = await access.send({ kind: 'codeCreate', currency: 'USDT', amount: '3' });
    if (made.kind !== 'accepted') throw new Error(JSON.stringify(made));
    const { code, codeId } = made.value;
    expect(await access.send({ kind: 'codeRedeem' }, { code })).toMatchObject({ kind: 'accepted', value: { codeId } });
    expect(await access.send({ kind: 'codeRedeem' }, { code })).toMatchObject({ kind: 'refused' });
    access.close();
    for (const file of readdirSync(access.folder)) {
      expect(readFileSync(join(access.folder, file)).includes(code), file).toBe(false);
    }
    expect(access.records().map(({ receipt }) => receipt?.id)).toEqual([codeId, codeId, undefined]);
  });

  it('finds a transfer whose answer was lost, and does not make it twice', async () => {
    const before = await available('funding', 'USDT');
    await faults({ match: { path: '/api/v1/accounting/client/transfer/account' }, fault: 'dropAfterEffect', times: 1 });
    expect(await access.send(transfer('USDT', '12.5'))).toMatchObject({ kind: 'unknown' });
    // Looked up at once: one reading that shows it is enough.
    expect(access.unresolved()).toEqual([]);
    expect(access.records()).toMatchObject([{ fate: 'accepted', receipt: { status: 'completed' } }]);
    expect(await available('funding', 'USDT')).toBe(before - 12.5);
    // The next one is another one.
    expect(await access.send(transfer('USDT', '12.5'))).toMatchObject({ kind: 'accepted' });
    expect(await available('funding', 'USDT')).toBe(before - 25);
  });

  it('blocks a repeat while it may have happened, and proves an absence only after the window', async () => {
    const before = await available('funding', 'RUB');
    await faults({ match: { path: '/api/v1/accounting/client/transfer/account' }, fault: 'drop', times: 1 });
    expect(await access.send(transfer('RUB', '12.5'))).toMatchObject({ kind: 'unknown' });
    expect(access.unresolved()).toHaveLength(1);
    expect(await access.send(transfer('RUB', '12.50'))).toMatchObject({
      kind: 'denied',
      denied: { reason: 'unresolved_money' },
    });
    expect((await access.resolve())[0]?.verdict).toMatchObject({
      kind: 'open',
      why: /may take the request for another/,
    });
    const end = Date.now() + 250;
    await until(() => Date.now() > end, 'the window has passed');
    expect(await access.resolve()).toMatchObject([{ verdict: { kind: 'absent' } }]);
    expect(access.unresolved()).toEqual([]);
    expect(await available('funding', 'RUB')).toBe(before);
    expect(await access.send(transfer('RUB', '12.5'))).toMatchObject({ kind: 'accepted' });
  });

  it('stays unknown while the history cannot be read, or something else moved the balances', async () => {
    await faults(
      { match: { path: '/api/v1/accounting/client/transfer/account' }, fault: 'drop', times: 1 },
      { match: { path: '/api/v1/wallet/transactions/list/my' }, fault: 'status', status: 500, times: 2 },
    );
    expect(await access.send(transfer('BTC', '12.5'))).toMatchObject({ kind: 'unknown' });
    const end = Date.now() + 250;
    await until(() => Date.now() > end, 'the window has passed');
    expect(await access.resolve()).toMatchObject([{ verdict: { kind: 'open', why: /could not be read/ } }]);
    // By another program.
    const other = await new Promise((resolve) => {
      exchange.money.send(transfer('BTC', '1'), { lane: 'create' }, resolve);
    });
    expect(other).toMatchObject({ kind: 'accepted' });
    expect(await access.resolve()).toMatchObject([{ verdict: { kind: 'open', why: /moved BTC since/ } }]);
    const [left] = access.unresolved();
    expect(access.decide(left!.intentId, 'absent', 'support says so')).toBe(true);
    expect(access.unresolved()).toEqual([]);
  });

  it('knows after a death between sending and answer that it does not know, and looks', async () => {
    access.close();
    const { folder } = access;
    const journal = openJournal(folder);
    const intent: MoneyRequest = transfer('ETH', '12.5');
    const before = await available('funding', 'ETH');
    journal.append(clock.now(), [
      { kind: 'money-intent', intentId: 'x-m1', strategy: '', request: intent, before: null },
      { kind: 'money-sending', intentId: 'x-m1' },
    ]);
    journal.append(clock.now(), [
      { kind: 'money-intent', intentId: 'x-m2', strategy: '', request: { ...intent, amount: '7' }, before: null },
    ]);
    journal.close();
    // It had arrived.
    const answer = await new Promise((resolve) => {
      exchange.money.send(transfer('ETH', '12.5'), { lane: 'create' }, resolve);
    });
    expect(answer).toMatchObject({ kind: 'accepted' });
    access = await openMoney(options());
    expect(access.records().map(({ intentId, fate }) => [intentId, fate])).toEqual([
      ['x-m2', 'not-sent'],
      ['x-m1', 'accepted'],
    ]);
    expect(await available('funding', 'ETH')).toBe(before - 12.5);
  });

  it('knows what was moved by another address of the exchange with the same key, and by another key there', async () => {
    await faults({ match: { path: '/api/v1/transfers' }, fault: 'drop', times: 1 });
    await access.send(transfer('USDT', '4.5'));
    const known = access.records().map(({ intentId }) => intentId);
    expect(known).toHaveLength(1);
    for (const other of [{ exchangeName: 'api.example' }, { exchangeName: 'api.example', publicKey: 'another' }]) {
      access.close();
      access = await openMoney({ ...options(), ...other });
      expect(access.records().map(({ intentId }) => intentId)).toEqual(known);
    }
    access.close();
    access = await openMoney({ ...options(), exchangeName: 'elsewhere.example', publicKey: 'a third' });
    expect(access.records()).toEqual([]);
  });

  it('lets one process at a time move the money of an account', async () => {
    await expect(openMoney(options())).rejects.toSatisfy(
      (error) => isTidewireError(error) && error.code === 'journal_locked' && error.exit === 3,
    );
    const bob = { sessionsDir: sessionsDir(), exchangeName: 'https://x.example/', account: '../bob', publicKey: null };
    expect(moneyPlaces(bob)).toEqual([join(root, 'money', 'https_x.example_-.._bob')]);
  });
});
