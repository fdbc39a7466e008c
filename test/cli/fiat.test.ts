/** `tidewire fiat` against a real sandbox: the states of an application, refusals, and that details are never shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCliDesk, type CliDesk, type Json } from './cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(73);
});
afterAll(() => desk.stop());

const deposit = ['deposit', 'RUB', '5000', '--method', 'sbp', '--yes'] as const;

describe('fiat', () => {
  it('drafts, submits, lists and deletes', async () => {
    const draft = await desk.json('alice', 'fiat', 'draft', ...deposit);
    expect(draft).toMatchObject({
      command: 'fiat draft',
      applicationId: expect.any(String),
      status: 'created',
      type: 'deposit',
      currency: 'RUB',
      amount: '5000',
      method: 'sbp',
    });
    const id = String(draft['applicationId']);
    expect(await desk.json('alice', 'fiat', 'submit', id, '--yes')).toMatchObject({
      applicationId: id,
      status: 'submitted',
    });
    const refused = await desk.fails(1, 'operation_refused', 'alice', 'fiat', 'submit', id, '--yes');
    expect(refused).toMatchObject({ code: 'illegal_transition' });
    expect(await desk.json('alice', 'fiat', 'delete', id, '--yes')).toMatchObject({ status: 'canceled' });
    const open = await desk.json<{ items: Json[] }>('alice', 'fiat', 'list', '--open');
    expect(open.items.map((row) => row['applicationId'])).not.toContain(id);
    const all = await desk.json<{ complete: boolean; items: Json[] }>('alice', 'fiat', 'list');
    expect(all.complete).toBe(true);
    expect(all.items).toContainEqual(
      expect.objectContaining({ applicationId: id, status: 'canceled', amount: '5000' }),
    );
  });

  it('submits a withdrawal at once, with details that appear nowhere', async () => {
    const secret = 'account 40817810099910004312';
    writeFileSync(join(desk.folder, 'details.json'), JSON.stringify({ account: secret }));
    const create = ['fiat', 'create', 'withdrawal', 'RUB', '300', '--method', 'sbp', '--details', 'details.json'];
    const ended = await desk.call('alice', [...create, '--yes', '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ command: 'fiat create', status: 'submitted', amount: '300' });
    expect(ended.stderr).toContain('10000000 -> 9999700 RUB available');
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    const money = await desk.json('alice', 'money', 'list');
    expect(JSON.stringify(money)).not.toContain(secret);
  });

  it('refuses details that say they are JSON and are not, without showing them', async () => {
    const secret = '{"account": 40817810099910004312';
    for (const [file, text] of Object.entries({ 'bad.json': 'account 40817810099910004312', 'bad.txt': secret })) {
      writeFileSync(join(desk.folder, file), text);
      const call = ['fiat', 'create', 'withdrawal', 'RUB', '300', '--method', 'sbp', '--details', file, '--yes'];
      const ended = await desk.call('alice', call);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`--details ${file} is broken JSON`)]);
      expect(ended.stderr).not.toContain('4081781');
    }
  });

  it('refuses what is too small, not covered, or not confirmed', async () => {
    const withdraw = ['fiat', 'create', 'withdrawal', 'RUB'];
    const small = await desk.fails(1, 'operation_refused', 'alice', ...withdraw, '5', '--method', 'x', '--yes');
    expect(small).toMatchObject({ code: 'below_minimum', field: 'amount' });
    const large = await desk.fails(
      1,
      'operation_refused',
      'alice',
      ...withdraw,
      '99999999999',
      '--method',
      'x',
      '--yes',
    );
    expect(large).toMatchObject({ code: 'insufficient_balance' });
    await desk.fails(3, 'not_confirmed', 'alice', ...withdraw, '500', '--method', 'x');
    await desk.fails(2, 'usage', 'alice', ...withdraw, '500', '--yes');
    await desk.fails(2, 'operation_invalid', 'alice', ...withdraw, '500', '--method', 'x', '--details', 'none.json');
  });

  it('does not submit a second time when the answer was lost', async () => {
    await desk.fault('/api/v1/processing/create-and-submit-fiat-application', 'dropAfterEffect');
    const create = ['fiat', 'create', 'deposit', 'RUB', '777', '--method', 'sbp', '--yes'];
    await desk.fails(4, 'operation_unknown', 'alice', ...create);
    await desk.clearFaults();
    await desk.fails(3, 'operation_happened', 'alice', ...create);
    const { items } = await desk.json<{ items: Json[] }>('alice', 'fiat', 'list');
    expect(items.filter((row) => row['amount'] === '777')).toHaveLength(1);
  });
});
