/**
 * Found by a stranger: a repayment, a redemption and a transfer that never reached the exchange were reported as "it did happen",
 * by the transaction of another own command; of two that were lost the wrong one was, and the other was sent twice. What one own
 * command explains, or may, proves no other one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type LyingExchange } from '../cli/lying-exchange.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { MoneyState, type MoneyRecord } from '../../src/spine/money/state.ts';
import { claimsIn } from '../../src/treasury/traces.ts';
import { FENCE, LATE, row, SENT, verdictOn } from '../treasury/movement-rig.ts';

const TRANSFER = '/api/v1/accounting/client/transfer/account';
const REDEEM = '/api/v1/code/redeem';
const PAY = '/api/v2/credit/client/overdraft/pay';
const PAST_THE_FENCE_MS = 39_000;

describe('at the exchange', () => {
  let desk: CliDesk;
  let liar: LyingExchange;
  beforeAll(async () => {
    desk = await openCliDesk(93);
    liar = await openLyingExchange(desk);
  });
  afterEach(async () => {
    liar.lie = null;
    await desk.clearFaults();
    // The commands of the next test are of another time.
    desk.running.advance(3_600_000);
  });
  afterAll(async () => {
    liar.stop();
    await desk.stop();
  });

  const errorOf = (stdout: string): string => (JSON.parse(stdout) as { error: { code: string } }).error.code;
  const fates = async (kind: string): Promise<readonly unknown[]> => {
    const { items } = await desk.json<{ items: readonly Json[] }>('alice', 'money', 'list');
    return items.filter((item) => (item['request'] as Json)['kind'] === kind).map((item) => item['fate']);
  };

  it('a repayment that never arrived is not another one, and is made again once that is certain', async () => {
    const pay = (amount: string): readonly string[] => ['overdraft', 'pay', amount, '--yes'];
    await desk.json('alice', 'transfer', 'make', 'overdraft', 'unified-trading', 'USDT', '500', '--yes');
    await desk.json('alice', ...pay('50'));
    await desk.fault(PAY, 'drop');
    await desk.fails(4, 'operation_unknown', 'alice', ...pay('60'));
    await desk.json('alice', ...pay('44'));
    await desk.fails(3, 'operation_denied', 'alice', ...pay('60'));
    desk.running.advance(PAST_THE_FENCE_MS);
    expect(await desk.json('alice', ...pay('60'))).toMatchObject({ paid: '60', principal: '346' });
    const ended = await fates('overdraftPay');
    expect([ended.length, ended.filter((fate) => fate === 'absent').length]).toEqual([4, 1]);
  });

  it('a code that was not redeemed is not another one, and is redeemed once that is certain', async () => {
    const codeOf = async (amount: string): Promise<string> =>
      String((await desk.json('alice', 'codes', 'create', 'USDT', amount, '--yes'))['code']);
    const [first, lost, last] = [await codeOf('21'), await codeOf('22'), await codeOf('23')];
    desk.running.advance(3_600_000);
    const redeem = async (input: string): Promise<Json> => {
      const { code: exit, stdout } = await desk.call('alice', ['codes', 'redeem', '--yes', '--json'], {
        terminal: answering(input),
      });
      return { exit, ...(JSON.parse(stdout) as Json) };
    };
    expect(await redeem(first)).toMatchObject({ exit: 0, amount: '21' });
    await desk.fault(REDEEM, 'drop');
    expect(await redeem(lost)).toMatchObject({ exit: 4 });
    expect(await redeem(last)).toMatchObject({ exit: 0, amount: '23' });
    expect(await redeem(lost)).toMatchObject({ exit: 3, error: { code: 'operation_denied' } });
    desk.running.advance(PAST_THE_FENCE_MS);
    expect(await redeem(lost)).toMatchObject({ exit: 0, amount: '22' });
  });

  it('an offer or a code is not another one that its own row tells apart', async () => {
    const terms = ['--price', '95.5', '--amount', '33', '--min', '500', '--max', '3000', '--yes'];
    const offer = (method: string): readonly string[] => {
      return ['p2p', 'create', 'USDTRUB', 'sell', ...terms, '--method', method];
    };
    const code = ['codes', 'create', 'USDT', '9', '--yes'];
    for (const [path, lost, made] of [
      ['/api/v1/p2p/client/advertisement', offer('1'), offer('2')],
      ['/api/v1/code/create-api', code, [...code, '--comment', 'hello']],
    ] as const) {
      await desk.fault(path, 'drop');
      await desk.fails(4, 'operation_unknown', 'alice', ...lost);
      await desk.fault(path, 'dropAfterEffect');
      await desk.fails(4, 'operation_unknown', 'alice', ...made);
      await desk.fails(3, 'operation_denied', 'alice', ...lost);
      await desk.fails(3, 'operation_happened', 'alice', ...made);
      desk.running.advance(PAST_THE_FENCE_MS);
      await desk.json('alice', ...lost);
    }
  });

  it('one withdrawal that two commands may have made proves neither, and neither is sent again', async () => {
    const [cold, warm] = ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'];
    for (const [name, address] of Object.entries({ cold, warm })) {
      const add = ['wallet', 'book', 'add', name, '--currency', 'USDT', '--network', 'TRC20', '--yes'];
      await desk.json('alice', ...add, '--address', address);
    }
    desk.running.advance(24 * 3_600_000);
    const withdraw = async (to: string): Promise<unknown> => {
      const argv = ['wallet', 'withdraw', 'USDT', '25', '--to', to, '--network', 'TRC20', '--yes', '--json'];
      const { code, stdout } = await desk.call('alice', argv, { env: desk.loginOf('alice') });
      return [code, errorOf(stdout)];
    };
    const path = '/api/v1/wallet/create-and-submit-crypto-out';
    await desk.fault(path, 'drop');
    expect(await withdraw('cold')).toEqual([4, 'operation_unknown']);
    await desk.fault(path, 'dropAfterEffect');
    expect(await withdraw('warm')).toEqual([4, 'operation_unknown']);
    desk.running.advance(PAST_THE_FENCE_MS);
    for (const to of ['cold', 'warm']) expect(await withdraw(to)).toEqual([3, 'operation_denied']);
  });

  it('a transfer is not an earlier one of its terms where the ids of answers are no ids of the history', async () => {
    const transfer = (amount: string): readonly string[] => [
      'transfer',
      'make',
      'funding',
      'p2p',
      'USDT',
      amount,
      '--yes',
    ];
    const other = (): LyingExchange['lie'] => ({
      method: 'POST',
      path: TRANSFER,
      edit: (answer) => ({ ...answer, transferId: `T-${String(answer?.['transferId'])}` }),
      times: 1,
    });
    const move = async (amount: string): Promise<number> => {
      liar.lie = other();
      return (await liar.call(...transfer(amount))).code;
    };
    expect(await move('62.5')).toBe(0);
    liar.lie = { method: 'POST', path: TRANSFER, edit: () => null, reaches: false, times: 1 };
    expect((await liar.call(...transfer('62.5'))).code).toBe(4);
    expect(await move('63')).toBe(0);
    const denied = await liar.call(...transfer('62.5'));
    expect([denied.code, errorOf(denied.stdout)]).toEqual([3, 'operation_denied']);
  });
});

describe('a row', () => {
  const pay = { kind: 'overdraftPay', amount: '5' } as const;
  const paid = (more: Parameters<typeof row>[0] = {}): ReturnType<typeof row> =>
    row({ type: 'overdraft_repayment', transactionId: 't9', amount: '5', ...more });
  const redeemed = (transactionId: string, more: Parameters<typeof row>[0] = {}): ReturnType<typeof row> =>
    row({ type: 'code_redeem', transactionId, ...more });

  it('of another amount, or dated when it could no longer arrive, is no proof, and no proof against it', () => {
    expect(verdictOn(pay, { rows: [paid()] })).toMatchObject({ kind: 'happened', receipt: { id: 't9' } });
    expect(verdictOn(pay, { rows: [paid({ amount: '4.99' })] }).kind).toBe('open');
    expect(verdictOn(pay, { rows: [paid({ createdAt: SENT + FENCE + 1 })] })).toMatchObject({
      kind: 'open',
      seen: true,
    });
    expect(verdictOn(pay, { rows: [paid({ createdAt: SENT + FENCE })] }).kind).toBe('happened');
  });

  describe('that two commands of unknown outcome could have made', () => {
    let state: MoneyState;
    const open = (request: MoneyRequest, sentAt: number): MoneyRecord => {
      const intentId = `r${sentAt}`;
      const record = state.open({ kind: 'money-intent', intentId, strategy: '', request, before: null }, sentAt);
      state.sending(intentId, sentAt);
      return record;
    };
    beforeEach(() => {
      state = new MoneyState();
    });

    it('proves neither, and one row a command proves both', () => {
      const rivals = [open({ kind: 'codeRedeem' }, SENT + 2_000)];
      const one = verdictOn({ kind: 'codeRedeem' }, { rows: [redeemed('t9')], rivals, asOf: LATE });
      expect(one).toMatchObject({ kind: 'open', seen: true, why: expect.stringContaining(rivals[0]!.intentId) });
      const both = [redeemed('t10', { createdAt: SENT + 6_000 }), redeemed('t9')];
      expect(verdictOn({ kind: 'codeRedeem' }, { rows: both, rivals })).toMatchObject({ receipt: { id: 't9' } });
    });

    it('proves the one that it was in time for', () => {
      const rivals = [open({ kind: 'codeRedeem' }, SENT + 60_000)];
      expect(verdictOn({ kind: 'codeRedeem' }, { rows: [redeemed('t9')], rivals }).kind).toBe('happened');
    });

    it('is of the command whose answer named its worth', () => {
      const times = { fenceMs: FENCE, fenceMarginMs: 8_000 };
      const record = open({ kind: 'codeRedeem' }, SENT);
      const moved = { currency: 'USDT', amount: '23' };
      state.outcome(record.intentId, { kind: 'accepted', value: { id: 'c1', status: null, moved } }, SENT, false);
      const rows = [redeemed('t9', { amount: '23' }), redeemed('t8', { amount: '22' })];
      expect(claimsIn('transactions', rows, state.records(), times)).toEqual(['transactions/t9']);
      expect(claimsIn('transactions', [row({ transactionId: 'c1' })], state.records(), times)).toEqual([]);
    });
  });
});
