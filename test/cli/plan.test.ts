/**
 * `plan`, `reconcile`, `why`, `why-not` and a restore from a backup, as a user types them after a crash: a live session
 * against a sandbox in a process of its own, killed, looked at, healed, and put back from an older backup.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, start, type Ended } from '../e2e/cli.ts';
import { signed } from '../conformance/raw-client.ts';
import { callCli } from './call-cli.ts';
import { ladder } from './ladder.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

interface Plan {
  readonly adopt: readonly { readonly order: { readonly ref: string }; readonly next: string }[];
  readonly cancel: readonly unknown[];
  readonly refuse: readonly { readonly reason: string; readonly needsHuman: boolean }[];
  readonly resolve: readonly { readonly order: { readonly ref: string } }[];
  readonly foreign: readonly unknown[];
  readonly external: readonly { readonly orderId: string }[];
  readonly changes: readonly { readonly kind: string; readonly code?: string }[];
  readonly balances: readonly { readonly name: string; readonly verdict: string }[];
  readonly limits: readonly { readonly limit: string; readonly of: string; readonly stands: string }[];
  readonly requests: Readonly<Record<string, number>>;
  readonly nothingToDo: boolean;
}

interface Why {
  readonly chain: {
    readonly steps: readonly { readonly kind: string }[];
    readonly decision: { readonly kind: string };
    readonly stood: { readonly openOrders: number };
    readonly order: { readonly state: string };
  };
  readonly recorded: { readonly market: { readonly best: object | null; readonly frames: readonly unknown[] } };
}

it('after a crash a session is planned, healed, explained, and comes back from a backup without new risk', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(100));
  const call = async (...argv: string[]): Promise<Ended> => {
    const { code, stdout, stderr } = await callCli([...argv, '--json'], cwd, { env: exchange.keys });
    return { code, signal: null, stdout, stderr };
  };
  const configured = (...argv: string[]): Promise<Ended> => call(...argv, '--config', config);
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  const standing = (count: number): Promise<boolean> =>
    live.during(`${count} orders`, async () => ((await exchange.activeOrders()).length >= count ? true : undefined));

  await standing(2);
  const [running] = await sessions(cwd);
  const id = running?.id ?? '';
  const path = running?.path ?? '';
  expect((await call('journal', 'backup', id, 'backup.db')).code).toBe(0);
  const saved = documentOf<{ rows: number }>(await call('journal', 'verify', 'backup.db')).rows;
  expect(errorOf(await configured('reconcile')).code).toBe('session_running');
  const beside = await configured('plan');
  expect(documentOf<Plan>(beside).refuse).toMatchObject([{ reason: 'session_running', needsHuman: true }]);
  expect([0, 5]).toContain(beside.code);
  await standing((await exchange.activeOrders()).length + 2);
  await live.signal('SIGKILL');
  // A human takes one away meanwhile.
  const [gone, kept] = await exchange.activeOrders();
  const order = `/api/v2/exchange/client/order/${gone?.orderId ?? ''}`;
  expect((await signed(exchange.line.restUrl, exchange.user.apiKey, 'DELETE', order)).status).toBe(200);
  const active = await exchange.activeOrders();

  // A plan changes nothing, and names every order that stands there.
  const rows = entriesOf(path, 'intent').length;
  const planned = documentOf<Plan>(await configured('plan'));
  expect(planned.adopt.length + planned.resolve.length).toBe(active.length);
  expect(planned.changes).toContainEqual(
    expect.objectContaining({
      kind: 'order',
      order: expect.objectContaining({ orderId: gone?.orderId, state: 'canceled' }),
    }),
  );
  expect(planned).toMatchObject({ cancel: [], refuse: [], foreign: [], external: [], nothingToDo: false });
  expect(planned.limits[0]).toMatchObject({ limit: 'maxOpenOrders', of: 'account', stands: String(active.length) });
  expect(Object.values(planned.requests).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(10);
  expect(entriesOf(path, 'intent')).toHaveLength(rows);
  expect(entriesOf(path, 'session').filter(({ event }) => event === 'start')).toHaveLength(1);

  // After a panic that found it dead the start cancels everything, and the plan says so.
  writeFileSync(join(path, 'KILL'), 'panic\n');
  const panicked = documentOf<Plan>(await configured('plan'));
  expect(panicked).toMatchObject({ adopt: [], refuse: [{ reason: 'killed', needsHuman: true }] });
  expect(panicked.cancel.length + panicked.resolve.length).toBe(active.length);
  rmSync(join(path, 'KILL'));

  // One pass converges, the second finds nothing to do.
  const { code, stdout } = await callCli(['plan', '--yes', '--config', config], cwd, { env: exchange.keys });
  expect(code, stdout).toBe(0);
  expect(stdout).not.toMatch(/Nothing was changed/);
  expect(stdout).toMatch(/\d+ changes? made/);
  const again = documentOf<{ changes: unknown[]; openOrders: number }>(await configured('reconcile'));
  expect(again).toMatchObject({ changes: [], openOrders: active.length });
  const settled = await configured('plan');
  expect(documentOf<Plan>(settled)).toMatchObject({ nothingToDo: true, changes: [] });
  expect(settled.code).toBe(0);

  const why = documentOf<Why>(await call('why', 'step-1'));
  expect(why.chain.steps.map(({ kind }) => kind).slice(0, 3)).toEqual(['decision', 'intent', 'sending']);
  expect(why.chain).toMatchObject({
    decision: { kind: 'decision' },
    stood: { openOrders: 1 },
    order: { state: 'open' },
  });
  expect(why.recorded.market.best).not.toBeNull();
  expect(why.recorded.market.frames.length).toBeGreaterThan(0);
  const byId = await call('why', kept?.orderId ?? '', '--session', id);
  expect(documentOf<Why>(byId).chain.order).toMatchObject({ orderId: kept?.orderId });
  expect(errorOf(await call('why', 'step-99')).code).toBe('order_not_found');

  // The disk is lost; the backup knows fewer orders than the exchange.
  rmSync(path, { recursive: true });
  const restored = documentOf<{ dir: string; session: string }>(await call('journal', 'restore', 'backup.db', 'again'));
  expect(restored).toMatchObject({ session: 'again' });
  const amnesia = await configured('plan');
  expect(amnesia.code).toBe(5);
  const lost = documentOf<Plan>(amnesia);
  expect(lost.refuse).toMatchObject([{ reason: 'restored', needsHuman: true }]);
  expect(lost.foreign).toEqual([]);
  expect(lost.adopt).toHaveLength(active.length);
  expect(lost.changes.filter(({ code }) => code === 'adopted_order').length).toBeGreaterThan(0);
  expect(documentOf<{ rows: number }>(await call('journal', 'verify', 'again')).rows).toBe(saved + 1);

  // It goes on with the restored session, sends nothing new, and cancels all of them at its end.
  const resumed = start(args, { cwd, env: exchange.keys });
  const isDenied = (): boolean => entriesOf(restored.dir, 'denial').some(({ reason }) => reason === 'restored');
  await resumed.during('it is denied new risk', () => (isDenied() ? true : undefined));
  const careful = await resumed.signal('SIGINT');
  expect(careful.stderr).toContain('resuming again');
  const sent = entriesOf(restored.dir, 'sending').length;
  expect(await exchange.activeOrders()).toEqual([]);
  expect((await exchange.orderHistory()).length).toBe(active.length + 1);
  const denials = entriesOf(restored.dir, 'denial').map(({ reason }) => reason);
  expect(new Set(denials)).toEqual(new Set(['restored', 'duplicate_ref']));
  const gates = entriesOf(restored.dir, 'gate').filter(({ gate }) => gate === 'restored');
  expect(gates).toMatchObject([{ state: 'closed', reason: 'restored', symbol: '' }]);
  const journal = documentOf<{ rows: { ts: number; entry: { reason: string } }[] }>(
    await call('journal', 'show', 'again', '--kind', 'denial'),
  );
  const at = journal.rows.find(({ entry }) => entry.reason === 'restored')?.ts ?? 0;
  const whyNot = documentOf<{ because: string[]; moment: { gates: { gate: string }[] } }>(
    await call('why-not', `BTCUSDT@${at}`, '--session', 'again'),
  );
  expect(whyNot.moment.gates).toMatchObject([{ gate: 'restored' }]);
  expect(whyNot.because[0]).toContain('The gate "restored" was closed');

  expect((await call('journal', 'acknowledge', 'again', '--reason', 'compared')).code).toBe(0);
  expect((await configured('plan')).code).toBe(0);
  expect(entriesOf(restored.dir, 'sending')).toHaveLength(sent);
  expect(documentOf(await call('journal', 'verify', 'again'))).toMatchObject({ ok: true });
}, 60_000);
