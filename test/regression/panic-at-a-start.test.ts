/**
 * Found by hand: a `run` that was still asking the exchange who it is had no session folder yet, so `panic` told nobody,
 * ended with 0, and the bot traded a moment later (INV-K1).
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimSession, openFolder, type FolderWish } from '../../src/session/store/open-folder.ts';
import { Problems, tellSessions } from '../../src/session/emergency/panic.ts';
import { listSessions } from '../../src/session/store/store.ts';
import { beforeRemoval, freshFolder, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';

/** Passes everything on to `upstream`; `seen` is called with each path before that. Answers its own address. */
async function between(upstream: string, seen: (path: string) => void): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    seen(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request(`${upstream}${incoming.url ?? ''}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  beforeRemoval(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('reaches a run that has no session yet: it begins with the latch on', async () => {
  const cwd = freshFolder();
  const root = join(cwd, 'data', 'sessions');
  const exchange = await startExchange(cwd);
  const told: (readonly object[])[] = [];
  const panic = (path: string): void => {
    if (path.endsWith('/auth/me') && told.length === 0) told.push(tellSessions(root, 'panic', new Problems()));
  };
  const restUrl = await between(exchange.line.restUrl, panic);
  const gatewayUrl = await between(exchange.line.gatewayUrl, panic);
  const config = writeExchangeConfig(cwd, { ...exchange.line, restUrl, gatewayUrl });
  const login = exchange.user.login;
  const args = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', login, '--json'];
  const bot = start(args, { cwd, env: exchange.keys });
  const path = await bot.during('an order that is sent, or denied for the kill switch', () => {
    const folder = listSessions(root)[0]?.path;
    // Written once the journal stands.
    if (folder === undefined || !existsSync(join(folder, 'journal.witness'))) return undefined;
    const isDenied = entriesOf(folder, 'denial').some(({ reason }) => reason === 'killed');
    return isDenied || entriesOf(folder, 'intent').length > 0 ? folder : undefined;
  });
  // There was no session to be told.
  expect(told).toEqual([[]]);
  expect(entriesOf(path, 'kill')).toMatchObject([{ on: true, reason: 'panic' }]);
  const ended = await bot.signal('SIGTERM');
  expect(ended.code, ended.stderr).toBe(3);
  expect(entriesOf(path, 'intent')).toEqual([]);
  expect(await exchange.activeOrders()).toEqual([]);
  expect(await exchange.orderHistory()).toEqual([]);
});

const HOUR_S = 3600;

function starting(begin: (wish: FolderWish, file: string) => void, name = '.KILL'): void {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-starts-'));
  const wish = { mode: 'live', strategies: [], seed: 1, account: 'alice', exchange: 'http://127.0.0.1:1' } as const;
  try {
    begin({ ...wish, root, fresh: false }, join(root, name));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What a start that holds its claim, and has opened its folder, was told. */
function heard(claim: ReturnType<typeof claimSession>, folder: string): string | null {
  claim.passOn(folder);
  claim.release();
  const file = join(folder, 'KILL');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

describe('the file that a panic leaves for starts', () => {
  it.each([{ claimed: 'after' }, { claimed: 'before' }])(
    'is heeded when it was written since the process began, which claims its account $claimed it',
    ({ claimed }) =>
      starting((wish) => {
        const early = claimed === 'before' ? claimSession(wish) : null;
        expect(tellSessions(wish.root, 'panic', new Problems())).toEqual([]);
        const claim = early ?? claimSession(wish);
        expect(heard(claim, openFolder(wish, 1).path)).toBe('panic');
      }),
  );

  it('begins with a dot, so that it is no session', () =>
    starting(({ root }, file) => {
      tellSessions(root, 'panic', new Problems());
      expect(readdirSync(root)).toEqual(['.KILL']);
      expect(readFileSync(file, 'utf8')).toBe('panic\n');
    }));

  it('is heeded under its earlier name, too', () =>
    starting((wish, file) => {
      const claim = claimSession(wish);
      writeFileSync(file, 'panic of an earlier version\n');
      expect(heard(claim, openFolder(wish, 1).path)).toBe('panic of an earlier version');
    }, 'KILL'));

  it('is of no matter to a process that began later', () =>
    starting((wish, file) => {
      writeFileSync(file, 'panic\n');
      const past = Date.now() / 1000 - HOUR_S;
      utimesSync(file, past, past);
      expect(heard(claimSession(wish), openFolder(wish, 1).path)).toBeNull();
    }));

  it('is of no matter either when a clock that was wrong has dated it ahead', () =>
    starting((wish, file) => {
      writeFileSync(file, 'panic\n');
      const ahead = Date.now() / 1000 + HOUR_S;
      utimesSync(file, ahead, ahead);
      expect(heard(claimSession(wish), openFolder(wish, 1).path)).toBeNull();
    }));

  it('is heeded whatever it is dated when it changed after the claim', () =>
    starting((wish, file) => {
      writeFileSync(file, 'panic of yesterday\n');
      utimesSync(file, 1000, 1000);
      const claim = claimSession(wish);
      writeFileSync(file, 'panic of now\n');
      utimesSync(file, 2000, 2000);
      expect(heard(claim, openFolder(wish, 1).path)).toBe('panic of now');
    }));

  it('leaves no moment between: a panic that comes too late for it finds the session', () =>
    starting((wish) => {
      const claim = claimSession(wish);
      const { path, record } = openFolder(wish, 1);
      expect(heard(claim, path)).toBeNull();
      expect(tellSessions(wish.root, 'panic', new Problems())).toMatchObject([{ id: record.id }]);
      expect(readFileSync(join(path, 'KILL'), 'utf8')).toBe('panic\n');
    }));
});
