/** A certificate of its own: HTTPS and WSS of a real session beyond this machine, and what is refused without it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { callCli } from '../cli/call-cli.ts';
import { Api, PaperSession, until } from './paper-session.ts';
import { ask, bearer, SECRET, served } from './served.ts';

const NAME = 'bot.example.com';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** `NAME.pem` and `NAME.key` in the folder. */
function selfSigned(folder: string, file: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, `${file}.pem`), join(folder, `${file}.key`)];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const whose = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  execFileSync('openssl', ['req', '-x509', ...kind, ...whose, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  return { certificate, key };
}

describe.skipIf(!hasOpenssl)('bridge/tls', () => {
  let folder: string;
  let own: { readonly certificate: string; readonly key: string };
  let session: PaperSession;
  let ca: string;
  let port = 0;
  let token = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidewire-tls-'));
    own = selfSigned(folder, 'own');
    ca = readFileSync(own.certificate, 'utf8');
    writeFileSync(
      join(folder, 'tls.yaml'),
      `dashboard: { host: 0.0.0.0, names: [${NAME}], tls: { certificate: own.pem, key: own.key } }\n`,
    );
    session = new PaperSession(folder, ['--dashboard', '0', '--config', 'tls.yaml']);
    const link = await session.link();
    expect(link.url).toMatch(/^https:/);
    ({ token } = link);
    port = Number(new URL(link.url).port);
  });
  afterAll(async () => {
    await session.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  interface Secure {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly trust?: string;
    readonly body?: string;
  }

  /** As a browser asks that goes by the name and trusts the certificate. */
  const secure = ({ method = 'GET', path = '/api/v1/me', headers = {}, trust = ca, body }: Secure = {}) =>
    new Promise<{ readonly status: number; readonly cookie: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method, path, ca: trust, servername: NAME };
      const outgoing = request({ ...options, headers: { host: NAME, ...headers } }, (response) => {
        response.resume();
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, cookie: response.headers['set-cookie']?.[0] ?? '' }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  it('HTTPS for who trusts the certificate, and for nobody else', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await secure({ headers })).status).toBe(200);
    expect((await secure({ headers: { ...headers, host: `${NAME}:${port}` } })).status).toBe(200);
    expect((await secure()).status).toBe(401);
    expect((await secure({ headers: { ...headers, host: 'elsewhere.example.com' } })).status).toBe(421);
    const other = readFileSync(selfSigned(folder, 'other').certificate, 'utf8');
    await expect(secure({ headers, trust: other })).rejects.toThrow(/self-signed/);
  });

  it('the cookie is for HTTPS alone, and writes with the exact origin', async () => {
    const origin = { origin: `https://${NAME}`, 'content-type': 'application/json' };
    const by = { ...origin, authorization: `Bearer ${token}` };
    const login = await secure({ method: 'POST', path: '/api/v1/login', headers: by });
    expect(login.cookie).toMatch(/HttpOnly; SameSite=Strict.*; Secure/);
    const cookie = login.cookie.split(';')[0] ?? '';
    const order = { method: 'POST', path: '/api/v1/sessions/current/commands', body: '{"command":"pause"}' };
    // No reason is given: it got as far as its fields.
    expect((await secure({ ...order, headers: { ...origin, cookie } })).status).toBe(400);
    const plain = { ...origin, origin: `http://${NAME}:${port}` };
    expect((await secure({ ...order, headers: { ...plain, cookie } })).status).toBe(403);
  });

  it('WSS gives the snapshot and the entries', async () => {
    const url = `wss://127.0.0.1:${port}/api/v1/stream`;
    const options = { ca, servername: NAME, headers: { authorization: `Bearer ${token}` } };
    const socket = new WebSocket(url, options);
    const types: string[] = [];
    socket.on('message', (data: Buffer) => types.push((JSON.parse(data.toString('utf8')) as { type: string }).type));
    await until('an entry', () => (types.includes('entry') ? true : undefined));
    expect(types[0]).toBe('snapshot');
    socket.close();
    const foreign = new WebSocket(url, { ...options, origin: 'https://elsewhere.example.com' });
    const status = await new Promise((resolve) =>
      foreign.on('unexpected-response', (_, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(403);
  });

  it('neither speaks plain HTTP nor an old TLS', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/api/v1/me`)).rejects.toThrow();
    const end = await new Promise((resolve) => {
      const options = {
        host: '127.0.0.1',
        port,
        ca,
        servername: NAME,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
      } as const;
      const socket = connect({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, () => resolve('connected'));
      socket.on('error', () => resolve('refused'));
    });
    expect(end).toBe('refused');
  });

  it('a server of another process reaches it by the certificate of its folder, and by no other', async () => {
    const root = join(folder, 'data/sessions');
    const other = await served({ root });
    const look = async (): Promise<boolean | undefined> => {
      const { text } = await ask(other.server.port, '/api/v1/sessions', { headers: bearer(SECRET) });
      const { sessions } = JSON.parse(text) as { sessions: readonly { id: string; equity: number | null }[] };
      return sessions[0]?.equity !== null;
    };
    expect(await until('its live part', async () => ((await look()) === true ? true : undefined))).toBe(true);
    const { text } = await ask(other.server.port, '/api/v1/sessions', { headers: bearer(SECRET) });
    const { sessions } = JSON.parse(text) as { sessions: readonly { id: string }[] };
    const file = join(root, sessions[0]!.id, 'dashboard.json');
    const address = JSON.parse(readFileSync(file, 'utf8')) as object;
    const order = async (): Promise<number> => {
      const path = `/api/v1/sessions/${sessions[0]!.id}/commands`;
      const body = '{"command": "cancel-all", "reason": "a test"}';
      return (await ask(other.server.port, path, { method: 'POST', headers: bearer(SECRET), body })).status;
    };
    expect(await order()).toBe(202);
    const by = new Api({ url: other.server.url, token: SECRET });
    const reader = by.stream(`?session=${sessions[0]!.id}&topics=equity`);
    await reader.first('equity');
    await reader.close();
    const wrong = readFileSync(selfSigned(folder, 'wrong').certificate, 'utf8');
    writeFileSync(file, JSON.stringify({ ...address, certificate: wrong }));
    expect(await order()).toBe(504);
    await other.close();
  });

  it('beyond this machine nothing starts without it, or with the key of another', async () => {
    // As every command with a server; `paper` in fleet.test.ts.
    const refused = async (dashboard: string): Promise<string> => {
      writeFileSync(join(folder, 'refused.yaml'), `dashboard: ${dashboard}\n`);
      const { code, stderr } = await callCli(['dashboard', '--port', '0', '--config', 'refused.yaml'], folder);
      expect(code).not.toBe(0);
      return stderr;
    };
    expect(await refused('{ host: 0.0.0.0, public: true }')).toContain('dashboard_exposed');
    const { key } = selfSigned(folder, 'third');
    expect(await refused(`{ host: 0.0.0.0, tls: { certificate: own.pem, key: ${key} } }`)).toContain('dashboard_tls');
  });
});
