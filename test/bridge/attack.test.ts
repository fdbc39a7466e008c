/** Requests of an attacker: none gets further than an answer with a code, and the right token works all the time. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { SOCKETS_MAX } from '../../src/bridge/server/listen.ts';
import { Tokens } from '../../src/bridge/server/tokens.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { ask, bearer, raw, SECRET, served, type Answer, type Served } from './served.ts';

let here: Served;
let port = 0;

beforeAll(async () => {
  here = await served();
  ({ port } = here.server);
});
afterAll(() => here.close());

function codeOf({ text }: Answer): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code;
}

/** The status that refuses it. */
async function upgrade(to: number, headers: Readonly<Record<string, string>>): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${to}/api/v1/stream`, { headers });
  const status = await new Promise<number>((resolve, reject) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    socket.on('open', () => reject(new Error('it opened')));
    socket.on('error', () => {});
  });
  socket.terminate();
  return status;
}

const COMMANDS = '/api/v1/sessions/current/commands';

describe('bridge/attack: who calls', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', bearer('x'.repeat(42))],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${SECRET}` }],
    ['a forged cookie', { cookie: `tidewire_PORT=operate.99999999999999.${'0'.repeat(64)}` }],
  ])('%s is 401 and says nothing', async (_, headers) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', `${port}`)]),
    );
    const answer = await ask(port, '/api/v1/sessions', { headers: own });
    expect(answer.status).toBe(401);
    expect(codeOf(answer)).toBe('bridge_unauthorized');
    expect(answer.text).not.toContain(SECRET);
  });

  it('the role read may read and not command', async () => {
    const headers = bearer(new Tokens(SECRET).read);
    expect((await ask(port, '/api/v1/sessions', { headers })).status).toBe(200);
    const answer = await ask(port, COMMANDS, { method: 'POST', headers, body: '{"command":"kill","reason":"x"}' });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'bridge_forbidden']);
  });

  it('wrong tokens are slowed in turn and refused in a flood; the right one passes at once meanwhile', async () => {
    const clock = new VirtualClock(0);
    const slow = await served({ clock });
    const guesses = Array.from({ length: 40 }, () =>
      ask(slow.server.port, '/api/v1/me', { headers: bearer('g'.repeat(42)) }),
    );
    const refused = await Promise.race(guesses);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'bridge_too_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // No time passes on the server's clock, so that nothing slowed could answer.
    expect((await ask(slow.server.port, '/api/v1/me', { headers: bearer() })).status).toBe(200);
    clock.advanceTo(60_000_000);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(32);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
    await slow.close();
  });
});

describe('bridge/attack: other hosts and origins', () => {
  it.each(['evil.example', 'evil.example:PORT', '127.0.0.1', 'localhost:1', 'localhost.evil.example:PORT'])(
    'Host %j is 421, for pages too (DNS rebinding)',
    async (host) => {
      for (const path of ['/', '/api/v1/sessions', '/api/v1/openapi.json']) {
        const headers = { ...bearer(), host: host.replace('PORT', String(port)) };
        const answer = await ask(port, path, { headers });
        expect([path, answer.status]).toEqual([path, 421]);
      }
    },
  );

  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT', 'bot.example.com'])(
    'Host %s is served',
    async (host) => {
      const headers = { ...bearer(), host: host.replace('PORT', String(port)) };
      expect((await ask(port, '/api/v1/me', { headers })).status).toBe(200);
    },
  );

  it('a listed name means with the port of the server too, and 0.0.0.0 means each own address', async () => {
    const any = await served({ listen: { host: '0.0.0.0', behindProxy: true } });
    const at = async (host: string, reached = '127.0.0.1'): Promise<number> => {
      const headers = { ...bearer(), host: host.replace('PORT', String(any.server.port)) };
      return (await ask(any.server.port, '/api/v1/me', { headers, host: reached })).status;
    };
    for (const host of ['bot.example.com', 'bot.example.com:PORT', 'BOT.example.com:PORT', '127.0.0.1:PORT'])
      expect([host, await at(host)]).toEqual([host, 200]);
    for (const host of ['bot.example.com:1', '127.0.0.2:PORT', '192.0.2.7:PORT', '0.0.0.0:PORT', '0.0.0.0'])
      expect([host, await at(host)]).toEqual([host, 421]);
    // Every address of 127/8 is of this machine.
    expect(await at('127.0.0.2:PORT', '127.0.0.2')).toBe(200);
    expect(await at('127.0.0.2:1', '127.0.0.2')).toBe(421);
    await any.close();
  });

  it('another Origin is refused, also with the right token', async () => {
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`]) {
      const answer = await ask(port, '/api/v1/me', { headers: { ...bearer(), origin } });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
  });

  it('the Origin belongs to the Host that was asked, for requests and upgrades', async () => {
    const [own, name] = [`127.0.0.1:${port}`, 'bot.example.com'];
    const at = async (host: string, origin: string): Promise<readonly number[]> => {
      const headers = { ...bearer(), host, origin };
      const { status } = await ask(port, '/api/v1/me', { headers });
      return [status, await upgrade(port, headers)];
    };
    expect(await at(own, `http://${own}`)).toEqual([200, 404]);
    expect(await at(name, `https://${name}`)).toEqual([200, 404]);
    for (const [host, origin] of [
      [name, `http://${name}`],
      [name, `http://${own}`],
      [own, `https://${name}`],
      [own, `http://localhost:${port}`],
    ] as const)
      expect([host, origin, await at(host, origin)]).toEqual([host, origin, [403, 403]]);
  });

  it('a cookie is for https alone behind a proxy and of a listed name, and writes with its origin', async () => {
    const proxied = await served({ listen: { behindProxy: true } });
    const login = async (to: Served, host: string): Promise<string> => {
      const asked = { method: 'POST', headers: { ...bearer(), host } };
      return (await ask(to.server.port, '/api/v1/login', asked)).headers['set-cookie']![0] ?? '';
    };
    expect(await login(proxied, 'bot.example.com')).toMatch(/; Secure$/);
    expect(await login(proxied, `127.0.0.1:${proxied.server.port}`)).toMatch(/; Secure$/);
    expect(await login(here, 'bot.example.com')).toMatch(/; Secure$/);
    expect(await login(here, `127.0.0.1:${port}`)).not.toContain('Secure');
    const cookie = (await login(proxied, 'bot.example.com')).split(';')[0]!;
    const write = async (origin: string): Promise<number> => {
      const headers = { cookie, host: 'bot.example.com', origin };
      return (await ask(proxied.server.port, '/api/v1/logout', { method: 'POST', headers })).status;
    };
    expect(await write('http://bot.example.com')).toBe(403);
    expect(await write('https://bot.example.com')).toBe(200);
    await proxied.close();
  });

  it('a cookie writes with the exact Origin alone (CSRF), and is HttpOnly and SameSite=Strict', async () => {
    const login = await ask(port, '/api/v1/login', { method: 'POST', headers: bearer() });
    const [set = ''] = login.headers['set-cookie'] as string[];
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; Path=\//);
    expect(set).not.toContain(SECRET);
    const cookie = set.split(';')[0] ?? '';
    expect((await ask(port, '/api/v1/me', { headers: { cookie } })).status).toBe(200);
    const body = '{"command":"kill","reason":"x"}';
    const without = await ask(port, COMMANDS, { method: 'POST', headers: { cookie }, body });
    expect([without.status, codeOf(without)]).toEqual([403, 'bridge_forbidden']);
    const origin = `http://127.0.0.1:${port}`;
    const withOrigin = await ask(port, COMMANDS, { method: 'POST', headers: { cookie, origin }, body });
    // It passes the gate; there is no session here.
    expect([withOrigin.status, codeOf(withOrigin)]).toEqual([404, 'bridge_unknown']);
  });

  it.each([
    ['without a cookie', {}, 401],
    ['from another origin', { ...bearer(), origin: 'http://evil.example' }, 403],
    ['by another host', { ...bearer(), host: 'evil.example' }, 421],
    ['with a wrong token', bearer('w'.repeat(42)), 401],
  ])('an upgrade %s is refused', async (_, headers, status) => {
    expect(await upgrade(port, headers)).toBe(status);
  });
});

describe('bridge/attack: bodies, paths and sockets', () => {
  it('a gigabyte is 413 before it is read, and the connection ends', async () => {
    const head = `POST ${COMMANDS} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${SECRET}\r\n`;
    const said = await raw(port, (socket) =>
      socket.write(`${head}Content-Length: 1073741824\r\n\r\n${'x'.repeat(1000)}`),
    );
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    expect(said).toContain('bridge_too_large');
  });

  it('a body without a length is cut at the bound', async () => {
    const head = `POST ${COMMANDS} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${SECRET}\r\n`;
    const chunk = `10000\r\n${'x'.repeat(0x1_0000)}\r\n`;
    const said = await raw(port, (socket) => socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`));
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('a body that trickles is cut after ten seconds', async () => {
    const clock = new VirtualClock(0);
    const slow = await served({ clock });
    const head = `POST ${COMMANDS} HTTP/1.1\r\nHost: localhost:${slow.server.port}\r\nAuthorization: Bearer ${SECRET}\r\n`;
    let isAsked = false;
    const said = raw(slow.server.port, (socket) => {
      socket.write(`${head}Content-Length: 100\r\n\r\n{`);
      isAsked = true;
    });
    // Another request that is answered proves that the first was begun.
    while (!isAsked) await ask(slow.server.port, '/api/v1/me', { headers: bearer() });
    for (let i = 0; i < 5; i++) await ask(slow.server.port, '/api/v1/me', { headers: bearer() });
    clock.advanceTo(11_000_000);
    expect(await said).toMatch(/^HTTP\/1\.1 408 /);
    await slow.close();
  });

  it.each([
    '/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/../../../package.json',
    '/....//....//package.json',
    '/..\\..\\package.json',
    '//etc/passwd',
    '/%00',
    '/assets/%00.js',
    '/index.html/../../package.json',
  ])('no path leads out of the page: %s', async (path) => {
    const answer = await ask(port, path);
    expect(answer.text).not.toContain('"devDependencies"');
    expect(answer.text).not.toContain('root:');
    expect([400, 404]).toContain(answer.status);
  });

  it.each(['../x', '..', '.dashboard', 'a/b', '%2e%2e', '%00', '/etc', 'x'.repeat(500)])(
    'no id of a session is a path: %j',
    async (id) => {
      const answer = await ask(port, `/api/v1/sessions/${encodeURIComponent(id)}`, { headers: bearer() });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'bridge_unknown']);
    },
  );

  it('every answer forbids inline script, frames and sniffing', async () => {
    for (const path of ['/', '/api/v1/me', '/nothing', '/api/v1/openapi.json']) {
      const { headers } = await ask(port, path, { headers: bearer() });
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['not JSON', '{', 'body'],
    ['an array', '[]', 'body'],
    ['an unknown command', '{"command":"withdraw","reason":"x"}', 'command'],
    ['a field too many', '{"command":"pause","reason":"x","amount":"1"}', 'amount'],
    ['no reason', '{"command":"pause"}', 'reason'],
    ['a number for a text', '{"command":"pause","reason":7}', 'reason'],
    ['a text without end', `{"command":"pause","reason":"${'x'.repeat(501)}"}`, 'reason'],
  ])('%s is 400 with its field', async (_, body, field) => {
    const answer = await ask(port, COMMANDS, { method: 'POST', headers: bearer(), body });
    expect(answer.status).toBe(400);
    expect((JSON.parse(answer.text) as { error: object }).error).toMatchObject({ code: 'bridge_bad_request', field });
  });

  it('what is broken HTTP ends its own connection alone', async () => {
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      '\0\0\0\0',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
    ])
      await raw(port, (socket) => socket.write(bytes));
    expect((await ask(port, '/api/v1/me', { headers: bearer() })).status).toBe(200);
  });

  it.each([
    ['GARBAGE\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: localhost:PORT\r\n${'a: b\r\n'.repeat(5_000)}\r\n`, 400],
    ['GET /api/v1/me HTTP/1.1\r\n\r\n', 400],
    ['GET /api/v1/me HTTP/1.1\r\nHost: ?\r\n\r\n', 400],
    ['GET http://evil.example/api/v1/me HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n', 421],
    ['GET http://evil.example@localhost:PORT/ HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n', 421],
    ['GET http://localhost:PORT/api/v1/me HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
    ['GET http://localhost:PORT/api/v1/me HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n', 401],
  ])('what is no request, or not for this server, gets a code: %j', async (bytes, status) => {
    const said = await raw(port, (socket) =>
      socket.end(bytes.replaceAll('PORT', String(port)).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
    );
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(said).toContain('"code":"bridge_');
    expect(said.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  it.each([
    ['DELETE', '/api/v1/sessions/x', 'GET, HEAD'],
    ['PUT', COMMANDS, 'POST'],
    ['GET', COMMANDS, 'POST'],
    ['DELETE', COMMANDS, 'POST'],
    ['POST', '/api/v1/sessions/x/entries', 'GET, HEAD'],
    ['POST', '/api/v1/sessions', 'GET, HEAD'],
    ['GET', '/api/v1/login', 'POST'],
    ['POST', '/metrics', 'GET, HEAD'],
    ['PUT', '/', 'GET, HEAD'],
  ])('%s %s is 405 and names what is allowed', async (method, path, allow) => {
    const answer = await ask(port, path, { method, headers: bearer() });
    expect([answer.status, codeOf(answer), answer.headers['allow']]).toEqual([405, 'bridge_method', allow]);
  });

  it('a body that is not UTF-8 is 400', async () => {
    const body = Buffer.concat([
      Buffer.from('{"command":"kill","reason":"a'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const answer = await ask(port, COMMANDS, { method: 'POST', headers: bearer(), body });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bridge_bad_request']);
  });

  it('ten thousand sockets do not keep the operator out', async () => {
    const sockets = new Set<Socket>();
    const opened = async (): Promise<void> => {
      const socket = connect({ host: '127.0.0.1', port });
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      await new Promise<void>((resolve) => {
        socket.once('connect', () => resolve());
        socket.once('close', () => resolve());
      });
    };
    const latest: number[] = [];
    for (let batch = 0; batch < 40; batch++) {
      await Promise.all(Array.from({ length: 250 }, opened));
      if (batch % 10 === 0) latest.push((await ask(port, '/api/v1/me', { headers: bearer() })).status);
    }
    expect(latest).toEqual([200, 200, 200, 200]);
    expect(sockets.size).toBeLessThanOrEqual(2 * SOCKETS_MAX);
    for (const socket of sockets) socket.destroy();
  });
});
