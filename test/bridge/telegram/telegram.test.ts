/** The bot against a server that speaks the Bot API: commands, codes, strangers, floods, and a Telegram that is down. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BotApi } from '../../../src/bridge/telegram/bot-api.ts';
import type { BotSession } from '../../../src/bridge/telegram/bot-session.ts';
import { Bot } from '../../../src/bridge/telegram/bot.ts';
import { botCommands } from '../../../src/bridge/telegram/commands.ts';
import { CommandDesk } from '../../../src/bridge/telegram/desk.ts';
import type { SessionDetail } from '../../../src/bridge/schemas/session.ts';
import type { RemoteOrder } from '../../../src/session/remote/remote-order.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
import { HandClock } from '../../execution/rig.ts';
import { lines } from '../metrics/lines.ts';
import { BotApiServer } from './bot-api-server.ts';
import { detailWith } from './detail.ts';

const OWNER = 4711;
let server: BotApiServer;
let stop: () => void = () => {};
let logger = lines();
let orders: RemoteOrder[] = [];
let detail: SessionDetail;

beforeEach(async () => {
  server = new BotApiServer();
  await server.listen();
  logger = lines();
  orders = [];
  detail = detailWith();
});
afterEach(() => {
  stop();
  server.close();
  // Whatever went wrong, no line holds the token.
  expect(logger.all.join('\n')).not.toContain('a-token-of-the-bot');
});

const session: BotSession = {
  detail: async () => detail,
  why: async (ref) => `why ${ref}`,
  plan: async () => ({
    session: 's',
    halts: [{ symbol: 'ETHUSDT', reason: 'two explanations' }],
    decisions: [
      {
        id: 'd1',
        kind: 'liquidation',
        symbol: 'BTCUSDT',
        what: 'a liquidation',
        choices: [{ id: 'maker', text: 'of maker' }],
      },
    ],
  }),
  log: async (count) => Array.from({ length: count }, (_, index) => `line ${index + 1}`),
  order: async (order) => {
    orders.push(order);
    const addsRisk =
      order.command === 'resume' || order.command === 'limits/override' || order.command === 'plan/apply';
    if (addsRisk && order.code === undefined)
      return { kind: 'confirm', confirmCode: 'A1B2C3', expiresAt: 0, what: 'take the kill switch off' };
    if (addsRisk && order.code !== 'A1B2C3')
      return { kind: 'failed', code: 'remote_not_confirmed', message: 'the code is another one', remedy: 'Again.' };
    return { kind: 'done', seq: 42, ts: 0 };
  },
};

function start(clock: HandClock | typeof systemClock = systemClock, token = server.token): CommandDesk {
  const desk = new CommandDesk(session);
  const api = new BotApi({ baseUrl: server.baseUrl, token });
  const answer = (text: string, chat: string, id: number): Promise<string> => desk.answer(text, chat, id);
  const removesRisk = (text: string): boolean => desk.removesRisk(text);
  stop = new Bot({ api, chats: [String(OWNER)], clock, logger, answer, removesRisk }).start();
  return desk;
}

const seconds = (): number => Math.floor(systemClock.now() / 1_000);

async function ask(text: string): Promise<string> {
  const before = server.sent.length;
  server.write(OWNER, text, seconds());
  await expect.poll(() => server.sent.length, { interval: 2 }).toBe(before + 1);
  return server.sent.at(-1)!.text;
}

describe('bridge/telegram', () => {
  test('each command answers; those that read order nothing', async () => {
    start();
    expect(await ask('/status')).toBe(
      'paper paper-maker-1: running\nmaker: running\ntaker: running\nequity 100,012.50 USDT, own result +12.50\n1 open orders, 3 fills',
    );
    expect(await ask('/positions')).toBe('maker: 0.5 BTCUSDT at 60000, +5.00 USDT');
    expect(await ask('/orders@tidewire_bot')).toBe('maker-7: buy 0.01 BTCUSDT at 59990, open, 0.002 filled');
    expect(await ask('/profit')).toContain('own result +12.50 USDT in 1.5 h, 3 fills');
    expect(await ask('/daily')).toBe('today since 22:30 UTC\nown result +12.50 USDT\ndrift of holdings -3.25');
    expect(await ask('/balance')).toBe('70599.9 USDT, 599.9 locked');
    expect(await ask('/why maker-7')).toBe('why maker-7');
    expect(await ask('/plan')).toContain('of maker: /plan d1=maker');
    expect(await ask('/limits')).toBe('risk.maxOpenOrders 50 of 200, 25%');
    expect(await ask('/logs 2')).toBe('line 1\nline 2');
    expect(await ask('/statsu')).toBe('There is no /statsu. Do you mean /status?');
    const help = await ask('/help');
    for (const name of Object.keys(botCommands)) expect(help).toContain(`/${name} `);
    expect(orders).toEqual([]);
  });

  test('what removes risk is done at once, and says who and why', async () => {
    start();
    expect(await ask('/pause maker news at noon')).toBe('Done: pause, journal row 42.');
    expect(await ask('/flatten BTCUSDT')).toBe('Done: flatten, journal row 42.');
    expect(await ask('/flatten BTCUSTD')).toBe('There is no strategy and no symbol BTCUSTD here.');
    expect(await ask('/kill it is on fire')).toBe('Done: kill, journal row 42.');
    expect(orders).toMatchObject([
      { command: 'pause', strategy: 'maker', reason: 'news at noon', who: `telegram ${OWNER}` },
      { command: 'flatten', symbol: 'BTCUSDT' },
      { command: 'kill', reason: 'it is on fire' },
    ]);
    expect(new Set(orders.map(({ key }) => key)).size).toBe(3);
  });

  test('what adds risk needs the code of the answer, once', async () => {
    start();
    expect(await ask('/confirm A1B2C3')).toBe('Nothing waits for a code.');
    expect(await ask('/resume')).toBe(
      'This would take the kill switch off.\nTo do it, within a minute: /confirm A1B2C3',
    );
    expect(await ask('/confirm 000000')).toContain('the code is another one');
    expect(await ask('/confirm A1B2C3')).toBe('Nothing waits for a code.');
    await ask('/resume ETHUSDT');
    expect(await ask('/confirm A1B2C3')).toBe('Done: resume, journal row 42.');
    await ask('/limits risk.maxOpenOrders 300 30m');
    expect(await ask('/confirm a1b2c3 ')).toContain('the code is another one');
    expect(orders.at(-3)).toMatchObject({ command: 'resume', symbol: 'ETHUSDT', code: 'A1B2C3' });
    expect(orders.at(-2)).toMatchObject({ limit: 'risk.maxOpenOrders', value: '300', forMs: 1_800_000 });
  });

  test('a chat that is not listed gets nothing, and the log its number once', async () => {
    start();
    for (let each = 0; each < 5; each++) server.write(666, '/kill', seconds());
    server.write(OWNER, 'a text that is no command', seconds());
    server.push({ edited_message: { text: '/kill' } });
    server.push({ message: { date: seconds(), chat: { id: OWNER }, text: 7 } });
    expect(await ask('/logs 1')).toBe('line 1');
    expect(orders).toEqual([]);
    expect(server.sent.map(({ chat_id: chat }) => chat)).toEqual([String(OWNER)]);
    expect(logger.all.filter((line) => line.includes('666'))).toHaveLength(1);
  });

  test('an old command is not carried out, and says so', async () => {
    start();
    server.write(OWNER, '/flatten', seconds() - 3_600);
    await expect.poll(() => server.sent.length).toBe(1);
    expect(server.sent[0]!.text).toMatch(/^This is 36\d\d s old and was not carried out/);
    expect(orders).toEqual([]);
  });

  test('a flood gets twenty answers a minute, the last of which says so', async () => {
    start();
    for (let each = 0; each < 300; each++) server.write(OWNER, '/logs 1', seconds());
    await expect.poll(() => server.sent.length).toBe(20);
    await expect.poll(() => server.offsets.at(-1)).toBe(400);
    expect(server.sent.at(-1)!.text).toContain('20 commands in a minute');
    server.write(OWNER, '/resume', seconds());
    // What removes risk is carried out and answered nonetheless, each with a bound of its answers alone.
    expect(await ask('/kill@tidewire_bot too many')).toBe('Done: kill, journal row 42.');
    for (let each = 0; each < 60; each++) server.write(OWNER, '/flatten', seconds());
    await expect.poll(() => orders.length).toBe(61);
    expect(new Set(orders.map(({ command }) => command))).toEqual(new Set(['kill', 'flatten']));
    await expect.poll(() => server.sent.length).toBe(40);
    expect(server.sent.at(-1)!.text).toContain('for a moment more are carried out without an answer');
  });

  test('a command is acknowledged before it is carried out, so a restart repeats none', async () => {
    start();
    await ask('/kill first');
    expect(server.offsets).toContain(101);
    stop();
    start();
    await ask('/kill second');
    expect(orders.map(({ reason }) => reason)).toEqual(['first', 'second']);
  });

  test.each(['hang', 'reset', 'html', 'endless'] as const)(
    'one that is down (%s) is asked again, ever more seldom',
    async (fault) => {
      const clock = new HandClock();
      server.fault = fault;
      start(clock);
      if (fault === 'hang') {
        await expect.poll(() => server.calls).toBe(1);
        return;
      }
      await expect.poll(() => logger.text.length, { timeout: 10_000 }).toBe(1);
      for (let count = 2; count <= 6; count++) {
        const calls = server.calls;
        await expect.poll(() => (clock.advance(32_000), server.calls)).toBeGreaterThan(calls);
      }
      server.fault = null;
      await expect.poll(() => (clock.advance(60_000), logger.text.at(-1))).toBe('Telegram answers again');
      // Once, however often it failed.
      expect(logger.text).toHaveLength(2);
      expect(logger.text[0]).toMatch(/^Telegram was not reached: /);
    },
  );

  test('a wrong token is named as such, without the token', async () => {
    start(new HandClock(), '99:another-one');
    await expect
      .poll(() => logger.text)
      .toEqual(['Telegram was not reached: status 401; the token of the bot is wrong']);
    expect(logger.all.join()).not.toContain('another-one');
  });

  test('a kill is not held up by an answer that Telegram does not take', async () => {
    start();
    server.sendFault = { status: 429, retryAfterS: 20 };
    server.write(OWNER, '/status', seconds());
    server.write(OWNER, '/kill now', seconds());
    await expect.poll(() => orders.length).toBe(1);
    expect(server.sent).toEqual([]);
  });
});
