/** A paper session that is steered from outside: signals, metrics and Telegram at once, over real sockets. */
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { BotApiServer } from './telegram/bot-api-server.ts';
import { get, type Answer } from './plain-http.ts';

const SECRET = 'a secret of sixteen characters or more';
const PATH = 'tv-3f9c1d7a8b2e4c60';
const OWNER = 4711;

const STRATEGY = `
import { defineStrategy, note } from 'tidewire';
import { map, merge } from 'rxjs';

export default defineStrategy({
  name: 'listener',
  setup: ({ market, signals }) =>
    merge(
      merge(signals('trend'), signals('alerts')).pipe(map(({ id, data }) => note('heard ' + id, data))),
      market.top('BTCUSDT').pipe(map(() => [])),
    ),
});
`;

let folder: string;
let telegram: BotApiServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-remote-'));
  telegram = new BotApiServer();
  await telegram.listen();
});
afterEach(() => {
  telegram.close();
  rmSync(folder, { recursive: true, force: true });
});

function signed(url: string, body: string, { id = 'a', atMs = Date.now(), secret = SECRET } = {}): Promise<Answer> {
  const signature = createHmac('sha256', secret).update(`${atMs}\n${id}\n${body}`).digest('hex');
  const headers = { 'x-signal-id': id, 'x-signal-timestamp': String(atMs), 'x-signal-signature': signature };
  return get(`${url}/api/v1/signals/trend`, headers, 'POST', body);
}

/** Its folder, address and token, once it listens. */
async function listening(): Promise<{ readonly path: string; readonly url: string; readonly token: string }> {
  const root = join(folder, 'sessions');
  const found = (): string | undefined =>
    existsSync(root)
      ? readdirSync(root)
          .map((name) => join(root, name))
          .find((path) => existsSync(join(path, 'dashboard.json')))
      : undefined;
  await expect.poll(found, { timeout: 20_000 }).toBeDefined();
  const path = found()!;
  const { url } = JSON.parse(readFileSync(join(path, 'dashboard.json'), 'utf8')) as { readonly url: string };
  return { path, url, token: readFileSync(join(path, 'dashboard.token'), 'utf8').trim() };
}

/** The answer, not a page that comes meanwhile. */
async function ask(text: string): Promise<string> {
  const answers = (): readonly string[] =>
    telegram.sent.map((sent) => sent.text).filter((each) => !each.startsWith('tidewire paper '));
  const before = answers().length;
  telegram.write(OWNER, text, Math.floor(Date.now() / 1_000));
  await expect.poll(() => answers().length, { timeout: 15_000 }).toBe(before + 1);
  return answers().at(-1)!;
}

test('bridge/remote/signals, metrics and Telegram reach a session that trades, and nothing secret is written', async () => {
  const file = join(folder, 'listener.ts');
  writeFileSync(file, STRATEGY);
  const config = {
    journal: { dir: join(folder, 'sessions') },
    dashboard: { port: 0 },
    metrics: { port: 0 },
    signals: { trend: { secret: SECRET }, alerts: { secretPath: PATH } },
    alerts: [{ telegram: { token: telegram.token, chats: [OWNER], baseUrl: telegram.baseUrl }, on: ['page'] }],
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const interrupted = Promise.withResolvers<string>();
  const run = callCli(['paper', file, '--config', 'config.yaml', '--json'], folder, {
    interrupted: interrupted.promise,
  });
  const { path, url, token } = await listening();

  // Until its strategies decide it takes none: the sender tries again.
  await expect
    .poll(async () => (await signed(url, '{"side":"long"}')).status, { timeout: 20_000, interval: 100 })
    .toBe(202);
  const statuses = async (...answers: readonly Promise<Answer>[]): Promise<readonly number[]> =>
    (await Promise.all(answers)).map(({ status }) => status);
  expect(
    await statuses(
      signed(url, '{"side":"long"}'),
      signed(url, '{}', { id: 'b', secret: 'another secret of this length' }),
      signed(url, '{}', { id: 'b', atMs: Date.now() + 60_000 }),
      signed(url, JSON.stringify('x'.repeat(70_000)), { id: 'b' }),
      get(`${url}/api/v1/signals/alerts/${PATH}`, {}, 'POST', 'BTCUSDT crossing 60000'),
      get(`${url}/api/v1/signals/alerts/${PATH}x`, {}, 'POST', 'BTCUSDT crossing 60000'),
      get(`${url}/api/v1/signals/alerts`, {}, 'POST', 'BTCUSDT crossing 60000'),
    ),
  ).toEqual([409, 401, 401, 413, 202, 404, 404]);
  const repeated = await signed(url, '{"side":"long"}');
  expect(JSON.parse(repeated.body)).toMatchObject({ error: { code: 'signal_seen' } });

  expect((await get(`${url}/metrics`)).status).toBe(401);
  const metrics = await get(`${url}/metrics`, { authorization: `Bearer ${token}` });
  expect(metrics.type).toContain('version=0.0.4');
  for (const name of [
    'tick_to_order_seconds_bucket{',
    'stream_age_seconds{',
    'orders_total{',
    'fills_total{',
    'equity{',
    'journal_commit_seconds_bucket{',
    'reconciliations_total{',
    'gate{',
  ])
    expect(metrics.body).toContain(`tidewire_${name}`);

  expect(await ask('/status')).toMatch(/^paper paper-listener-\S+: running\nlistener: running\nequity [\d,.]+ USDT/);
  expect(await ask('/pause noon')).toMatch(/^Done: pause, journal row \d+\./);
  expect(await ask('/status')).toContain('listener: paused, noon');
  expect(await ask('/resume')).toMatch(/^Done: resume/);
  expect(await ask('/kill drill')).toContain('Done: kill, journal row');
  const [, code = ''] = /confirm (\w{6})/.exec(await ask('/resume over')) ?? [];
  expect(await ask('/status')).toContain('KILLED: drill');
  expect(await ask(`/confirm ${code}`)).toMatch(/^Done: resume/);
  expect(await ask('/why nothing-7')).toMatch(/nothing-7/);
  expect(await ask('/logs 40')).toContain('a command from outside');

  // What a kill pages for goes to the same chat.
  expect(telegram.sent.some((sent) => sent.text.includes('killed: the kill switch is on: drill'))).toBe(true);

  interrupted.resolve('SIGINT');
  const end = await run;
  const notes = (JSON.parse(end.stdout) as { readonly session: string }).session;
  expect(path).toContain(notes);
  const actions = readFileSync(join(path, 'actions.jsonl'), 'utf8');
  expect(actions.match(/heard a"/g)).toHaveLength(1);
  expect(actions).toContain('BTCUSDT crossing 60000');
  const written = readdirSync(path).flatMap((name) =>
    name.endsWith('.token') || name === 'recording' ? [] : [readFileSync(join(path, name), 'latin1')],
  );
  for (const secret of [SECRET, PATH, 'a-token-of-the-bot', token])
    expect(`${written.join('')}${end.stderr}`.replaceAll(`#token=${token}`, '')).not.toContain(secret);
}, 90_000);
