/** `tidewire account` against a real sandbox: shapes, filters, pages, refusals, and what cannot be read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listing } from '../../src/cli/operations/listing.ts';
import { openCliDesk, type CliDesk, type Json } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(71);
});
afterAll(() => desk.stop());

interface List {
  readonly command: string;
  readonly complete: boolean;
  readonly items: readonly Json[];
  readonly nextCursor?: string | null;
  readonly totals?: readonly Json[];
  readonly reason?: string;
}

describe('account overview', () => {
  it('lists every balance and their totals per currency', async () => {
    const { complete, items, totals } = await desk.json<List>('alice', 'account', 'overview', '--currency', 'usdt');
    expect(complete).toBe(true);
    expect(items).toContainEqual({
      account: 'p2p',
      currency: 'USDT',
      available: '10000',
      locked: '0',
      total: '10000',
    });
    const sum = items.reduce((total, row) => total + Number(row['total']), 0);
    expect(totals).toEqual([{ currency: 'USDT', available: String(sum), locked: '0', total: String(sum) }]);
  });

  it('shows a table of at most 80 columns', async () => {
    const { code, stdout } = await desk.call('alice', ['account', 'overview', '--account', 'p2p']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^account +currency +available +locked +total\n/);
    expect(stdout).not.toContain('funding');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('ends with 4 when they cannot be read, and shows no empty list', async () => {
    await desk.fault('/api/v1/accounting/client/report-account/accounts/overview', 'status', { status: 500 });
    await desk.fails(4, 'list_incomplete', 'alice', 'account', 'overview');
    await desk.clearFaults();
  });
});

describe('account transactions', () => {
  it('filters, pages with a cursor, and reads to the end with --all', async () => {
    for (const amount of ['1', '2', '3'])
      await desk.json('alice', 'transfer', 'make', 'funding', 'p2p', 'USDT', amount, '--yes');
    const page = ['account', 'transactions', '--type', 'transfer', '--limit', '2'];
    const first = await desk.json<List>('alice', ...page);
    expect(first).toMatchObject({ complete: false, items: [{ amount: '3', type: 'transfer' }, { amount: '2' }] });
    const second = await desk.json<List>('alice', ...page, '--cursor', first.nextCursor!);
    expect(second).toMatchObject({ complete: true, nextCursor: null, items: [{ amount: '1', fee: '0' }] });
    const all = await desk.json<List>('alice', 'account', 'transactions', '--all');
    expect(all).toMatchObject({ complete: true, nextCursor: null });
    expect(all.items).toHaveLength(3);
    const none = await desk.json<List>('alice', 'account', 'transactions', '--to', '2020-01-01T00:00:00Z');
    expect(none.items).toEqual([]);
    const text = await desk.call('alice', page);
    expect(text.stdout).toContain(`--cursor ${first.nextCursor}`);
  });

  it('shows what was read when a later page fails, says so and ends with 4', () => {
    const reading = { kind: 'partial', asOf: 1, items: [{ id: 'a' }], reason: 'page 2 did not come' } as const;
    const text = (items: readonly { id: string }[]): string => items.map(({ id }) => id).join(',');
    const result = listing({ command: 'x', what: 'rows', reading, text });
    expect(result.exit).toBe(4);
    expect(result.json).toEqual({ command: 'x', complete: false, reason: 'page 2 did not come', items: [{ id: 'a' }] });
    expect(result.text).toBe('a\nNOT COMPLETE: 1 rows were read, then page 2 did not come');
  });

  it('refuses a wrong filter before anything is asked', async () => {
    await desk.fails(2, 'operation_invalid', 'alice', 'account', 'transactions', '--limit', '0');
    const backwards = ['--from', '2026-02-01T00:00:00Z', '--to', '2026-01-01T00:00:00Z'];
    await desk.fails(2, 'operation_invalid', 'alice', 'account', 'transactions', ...backwards);
    await desk.fails(2, 'bad_option', 'alice', 'account', 'transactions', '--from', 'yesterday');
    await desk.fails(2, 'usage', 'alice', 'account', 'transactions', '--type', 'gift');
  });
});

describe('the rest of account', () => {
  it('shows fees, referral, user and dictionaries', async () => {
    const fees = await desk.json<List>('alice', 'account', 'fees', '--symbol', 'btcusdt');
    expect(fees.items).toEqual([{ symbol: 'BTCUSDT', maker: expect.any(String), taker: expect.any(String) }]);
    expect(await desk.json('alice', 'account', 'referral')).toMatchObject({ linkId: expect.any(String), rewards: [] });
    expect(await desk.json('alice', 'account', 'me')).toMatchObject({ command: 'account me', login: 'alice' });
    const assets = await desk.json<List>('alice', 'account', 'assets');
    expect(assets.items).toContainEqual({ currency: 'RUB', title: expect.any(String), isCoin: false, precision: 2 });
    const networks = await desk.json<List>('alice', 'account', 'networks');
    expect(networks).toMatchObject({ complete: true });
    expect(networks.items[0]).toEqual({ network: expect.any(String), title: expect.any(String) });
  });

  it('needs a key, and an exchange of its own', async () => {
    const env = { TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' };
    const keyless = await desk.call('alice', ['account', 'me'], { env });
    expect([keyless.code, keyless.stderr.split(':')[0]]).toEqual([2, 'error no_api_key']);
    const secret = 'ab'.repeat(32);
    const forged = await desk.call('alice', ['account', 'me'], { env: { TIDEWIRE_API_SECRET: secret } });
    expect([forged.code, forged.stderr.includes('invalid_signature')]).toEqual([1, true]);
    expect(forged.stderr).not.toContain(secret);
  });
});
