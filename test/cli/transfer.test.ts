/** `tidewire transfer` against a real sandbox: checks, the question, outcomes, and that nothing is done twice. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from './call-cli.ts';
import { answering, openCliDesk, type CliDesk, type Json } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(72);
});
afterAll(() => desk.stop());

const make = ['transfer', 'make', 'funding', 'p2p', 'USDT'] as const;
const PATH = '/api/v1/accounting/client/transfer/account';

async function available(account: string): Promise<number> {
  const { items } = await desk.json<{ items: Json[] }>('alice', 'account', 'overview', '--currency', 'USDT');
  return Number(items.find((row) => row['account'] === account)?.['available']);
}

describe('transfer', () => {
  it('lists what the terminal moved as complete', async () => {
    for (const list of [
      ['money', 'list'],
      ['transfer', 'routes'],
    ])
      expect(await desk.json('alice', ...list)).toMatchObject({ complete: true });
  });

  it('lists the routes and moves money, with what both accounts hold before and after', async () => {
    const { items } = await desk.json<{ items: Json[] }>('alice', 'transfer', 'routes');
    expect(items).toContainEqual({ from: 'funding', to: 'p2p', currencies: null });
    const before = await available('p2p');
    const done = await desk.json('alice', ...make, '10.50', '--yes');
    expect(done).toMatchObject({
      command: 'transfer make',
      transferId: expect.any(String),
      from: 'funding',
      to: 'p2p',
      currency: 'USDT',
      amount: '10.5',
      createdAt: expect.any(Number),
    });
    expect(done['available']).toContainEqual({
      account: 'p2p',
      currency: 'USDT',
      before: String(before),
      after: String(before + 10.5),
    });
  });

  it('shows the plan, asks, and does nothing unless the answer is yes', async () => {
    const before = await available('p2p');
    const no = await desk.call('alice', [...make, '1'], { terminal: answering('no') });
    expect([no.code, no.stderr.includes('not_confirmed')]).toEqual([3, true]);
    expect(no.stderr).toContain(`p2p: ${before} -> ${before + 1} USDT available`);
    const nobody = await desk.call('alice', [...make, '1']);
    expect([nobody.code, nobody.stderr.includes('--yes was not given')]).toEqual([3, true]);
    expect(await available('p2p')).toBe(before);
    const yes = await desk.call('alice', [...make, '1'], { terminal: answering('yes') });
    expect([yes.code, yes.stdout.includes('transferred 1 USDT from funding to p2p')]).toEqual([0, true]);
    expect(await available('p2p')).toBe(before + 1);
  });

  it('refuses beforehand what has no route or no cover, with the code of the exchange', async () => {
    const route = await desk.fails(
      1,
      'operation_refused',
      'alice',
      'transfer',
      'make',
      'funding',
      'overdraft',
      'USDT',
      '1',
      '--yes',
    );
    expect(route).toMatchObject({ code: 'route_not_available' });
    const cover = await desk.fails(1, 'operation_refused', 'alice', ...make, '99999999999', '--yes');
    expect(cover).toMatchObject({ code: 'insufficient_balance', field: 'amount' });
    const credit = ['transfer', 'make', 'overdraft', 'unified-trading', 'USDT', '99999999'];
    expect(await desk.fails(1, 'operation_refused', 'alice', ...credit, '--yes')).toMatchObject({
      code: 'insufficient_balance',
    });
    for (const amount of ['0', '1e3', 'NaN', '1,5', ''])
      await desk.fails(2, 'operation_invalid', 'alice', ...make, amount, '--yes');
    await desk.fails(2, 'operation_invalid', 'alice', 'transfer', 'make', 'p2p', 'p2p', 'USDT', '1', '--yes');
    await desk.fails(2, 'usage', 'alice', 'transfer', 'make', 'pocket', 'p2p', 'USDT', '1', '--yes');
  });

  it('ends with 4 when the answer is lost, looks it up, and does not do it a second time', async () => {
    const before = await available('p2p');
    await desk.fault(PATH, 'dropAfterEffect');
    const lost = await desk.call('alice', [...make, '7', '--yes', '--json']);
    await desk.clearFaults();
    expect(lost.code).toBe(4);
    expect(JSON.parse(lost.stdout)).toMatchObject({ error: { code: 'operation_unknown' } });
    expect(lost.stdout).toContain('IT HAPPENED');
    expect(await available('p2p')).toBe(before + 7);
    await desk.fails(3, 'operation_happened', 'alice', ...make, '7.0', '--yes');
    expect(await available('p2p')).toBe(before + 7);
    await desk.json('alice', ...make, '7', '--yes', '--again');
    expect(await available('p2p')).toBe(before + 14);
  });

  it('denies a repeat while nothing proves how the first one ended', async () => {
    const before = await available('p2p');
    await desk.fault(PATH, 'drop');
    await desk.fails(4, 'operation_unknown', 'alice', ...make, '8', '--yes');
    await desk.clearFaults();
    const denied = await desk.fails(3, 'operation_denied', 'alice', ...make, '8', '--yes');
    expect(denied).toMatchObject({ reason: 'unresolved_money' });
    expect(await available('p2p')).toBe(before);
  });

  it('moves nothing by a money journal that is gone until a human has looked and said so', async () => {
    const before = await available('p2p');
    const [name = ''] = readdirSync(join(desk.folder, 'data', 'money')).filter((file) => file.includes('alice'));
    const journal = join('data', 'money', name);
    rmSync(join(desk.folder, journal, 'journal.db'));
    const denied = await desk.fails(3, 'operation_denied', 'alice', ...make, '9', '--yes');
    expect(denied).toMatchObject({ reason: 'restored' });
    expect(await available('p2p')).toBe(before);
    const { code } = await callCli(['journal', 'acknowledge', `${journal}/`, '--reason', 'compared'], desk.folder);
    expect(code).toBe(0);
    await desk.json('alice', ...make, '9', '--yes');
    expect(await available('p2p')).toBe(before + 9);
  });

  it('ends with 4 when nobody listens at the address', async () => {
    const config = readFileSync(join(desk.folder, 'c.yaml'), 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1');
    writeFileSync(join(desk.folder, 'nowhere.yaml'), config);
    const { publicKey, secretKey } = desk.running.users[0]!.apiKey;
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
    const ended = await callCli([...make, '1', '--yes', '--config', 'nowhere.yaml'], desk.folder, { env });
    expect([ended.code, ended.stdout, ended.stderr.split(':')[0]]).toEqual([4, '', 'error exchange_unreachable']);
  });

  it('refuses the embedded sandbox, whose accounts end with the process', async () => {
    const ended = await callCli(['account', 'overview'], desk.folder);
    expect([ended.code, ended.stderr.split(':')[0]]).toEqual([2, 'error operation_needs_exchange']);
  });
});
