/**
 * Secrets stay where they belong (INV-X1, C01 to C03, H07): sessions and commands run with secrets that are looked for
 * afterwards in every byte that was written or printed, in every spelling that a careless line could give them.
 */
import { createServer } from 'node:http';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, errorOf, run, strategyFile, type Ended, type Running } from './cli.ts';
import { sessions } from './session-view.ts';
import { writeStrategy, writeTelling } from './strategies.ts';

/** Characters that every escaping changes. */
const PASSPHRASE = 'Käfig "7"/+\\ & 100% canary';

/** Requests after which a session trades. */
const SIGNED_MIN = 12;

/** What the cashier needs of a fiat application: account numbers, of which nobody else is told. */
const DETAILS = 'Käfig 40817 810 canary';

/** In an answer: new keys, login tokens, the texts of codes. */
const GIVEN = /"(secretKey|token|code)":"([\w.-]{16,})"/g;

/** Of a session in one folder, in the order of a day. */
const VIEWS = [
  'status --config c.yaml',
  'plan --config c.yaml',
  'reconcile --dry-run --config c.yaml',
  'journal show SESSION',
  'journal verify SESSION',
  'journal export SESSION',
  'report RESULT',
  'panic --config c.yaml',
  'support-bundle SESSION --config c.yaml --out bundle',
];

interface Scene {
  readonly customer: Customer;
  /** Login tokens and signatures that were on the wire. */
  readonly wire: Set<string>;
  /** What the exchange answered that its caller alone may know, and its name. */
  readonly given: Map<string, string>;
  readonly printed: Map<string, string>;
}

function addSecrets(
  { 'x-api-signature': signature, authorization }: Readonly<Record<string, string | readonly string[] | undefined>>,
  wire: Set<string>,
): void {
  if (typeof signature === 'string') wire.add(signature);
  if (typeof authorization === 'string') wire.add(authorization.replace(/^Bearer /, ''));
}

/** Sees what leaves and comes back, as the network does. */
function watchWire(sandbox: Sandbox, wire: Set<string>, given: Map<string, string>): void {
  const handle = sandbox.handle.bind(sandbox);
  sandbox.handle = (request, respond) => {
    addSecrets(request.headers, wire);
    handle(request, (reply) => {
      for (const [, name = '', secret = ''] of reply?.body.matchAll(GIVEN) ?? []) given.set(secret, name);
      respond(reply);
    });
  };
}

async function openScene(): Promise<Scene> {
  const running = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void running.stop());
  const wire = new Set<string>();
  const given = new Map<string, string>();
  watchWire(running.sandbox, wire, given);
  return { customer: new Customer(running), wire, given, printed: new Map() };
}

/** Every spelling in which a secret could be found again. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  // Base64 of a text inside another one: three alignments, without the characters that its neighbours decide.
  const aligned = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  const url = aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString('hex');
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    ...aligned,
    ...url,
  ];
}

function leaks(texts: ReadonlyMap<string, string>, secrets: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = [];
  for (const [name, secret] of secrets) {
    const forms = new Set(spellings(secret).flatMap((form) => [form, Buffer.from(form, 'utf8').toString('latin1')]));
    for (const [where, text] of texts)
      for (const form of forms)
        if (text.includes(form))
          found.push(`${name} in ${where}: …${text.slice(Math.max(0, text.indexOf(form) - 60), text.indexOf(form))}`);
  }
  return found;
}

function secretsOf({ customer: { user }, wire, given }: Scene): ReadonlyMap<string, string> {
  const named = new Map([
    ['the secret key', user.apiKey.secretKey],
    ['the password', user.password],
    ['the TOTP seed', user.auth2faSecret],
    ['the passphrase', PASSPHRASE],
    ['the details', DETAILS],
  ]);
  for (const [secret, name] of given) named.set(`${name} ${secret.slice(0, 4)}…`, secret);
  for (const [index, value] of [...wire].entries()) named.set(`signature or token ${index}`, value);
  return named;
}

function expectNoLeak(scene: Scene): void {
  const texts = new Map([...scene.customer.written(), ...scene.printed]);
  texts.delete('c.yaml');
  // The text of a new code is shown once, to whoever made it.
  const shown = [...texts].filter(([name]) => name.startsWith('codes create') && name.endsWith('(stdout)'));
  const codes = [...scene.given].filter(([, name]) => name === 'code');
  for (const [name, text] of shown)
    texts.set(
      name,
      codes.reduce((rest, [code]) => rest.replaceAll(code, ''), text),
    );
  const second = [...texts].filter(([, text]) => /2fa_?code\W{1,6}\d{6}\b/i.test(text)).map(([name]) => name);
  expect(second, '2FA codes').toEqual([]);
  expect(leaks(texts, secretsOf(scene))).toEqual([]);
}

/** What anybody on the machine can see of a process. */
function argvOf({ child }: Running): string {
  return readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
}

function keep(scene: Scene, name: string, ended: Ended): Ended {
  scene.printed.set(`${name} (stdout)`, ended.stdout);
  scene.printed.set(`${name} (stderr)`, ended.stderr);
  return ended;
}

describe('the search itself', () => {
  it('finds a secret in every spelling', () => {
    const secrets = new Map([['it', PASSPHRASE]]);
    const around = (text: string): ReadonlyMap<string, string> => new Map([['here', `xx${text}yy`]]);
    const bytes = Buffer.from(PASSPHRASE, 'utf8');
    for (const text of [
      PASSPHRASE,
      bytes.toString('latin1'),
      JSON.stringify({ deep: JSON.stringify({ PASSPHRASE }) }),
      encodeURIComponent(PASSPHRASE),
      bytes.toString('hex'),
      Buffer.from(`name:${PASSPHRASE}!`, 'utf8').toString('base64'),
      Buffer.from(`n:${PASSPHRASE}`, 'utf8').toString('base64url'),
    ])
      expect(leaks(around(text), secrets), text).not.toEqual([]);
    expect(leaks(around('nothing of the kind'), secrets)).toEqual([]);
  });
});

describe('secrets are in no byte that is written or printed', () => {
  it('by live, recording and paper sessions, also when they are killed or their strategy fails', async () => {
    const scene = await openScene();
    const { customer, printed } = scene;
    const maker = strategyFile('spread-maker');
    const login = customer.user.login;
    const live = ['run', maker, '--live', '--confirm', login];
    const record = customer.begin(['record', '--symbols', 'BTCUSDT']);
    const first = customer.begin(live);
    // Login, balances, clock and orders have been signed by then.
    await first.during('signed requests', () => (scene.wire.size > SIGNED_MIN ? true : undefined));
    printed.set('argv of run', argvOf(first));
    printed.set('argv of record', argvOf(record));
    keep(scene, 'run, killed', await first.signal('SIGKILL'));
    keep(scene, 'record', await record.signal('SIGINT'));
    const bad = writeStrategy(customer.cwd, 'throws');
    keep(scene, 'paper', await customer.begin(['paper', bad]).ended);
    const wrong = { TIDEWIRE_API_SECRET: customer.user.apiKey.secretKey.replace(/^./, 'f').replace(/.$/, '0') };
    keep(scene, 'run with a wrong secret', await customer.begin(live, { env: wrong }).ended);
    keep(scene, 'status', await customer.call(['status']));
    const [session] = await sessions(customer.cwd);
    keep(scene, 'journal', await customer.call(['journal', 'export', session?.id ?? '']));
    expectNoLeak(scene);
  });

  it('by commands that log in, keep keys and move money', async () => {
    const scene = await openScene();
    const { customer } = scene;
    const login = { ...customer.login(), TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE };
    const noKey = { TIDEWIRE_API_KEY: undefined, TIDEWIRE_API_SECRET: undefined };
    const calls: readonly (readonly [argv: string, env?: Readonly<Record<string, string | undefined>>])[] = [
      ['transfer make unified-trading funding USDT 5 --yes'],
      ['codes create USDT 3 --yes'],
      ['codes my'],
      ['wallet history'],
      ['account overview'],
      ['futures positions'],
      ['p2p trades', { ...login, ...noKey }],
      ['keys create --name bot --permission transfer=full --yes', { ...login, ...noKey }],
      ['keys list', { ...login, ...noKey }],
      ['keys status', { TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE, ...noKey }],
      ['account overview', { TIDEWIRE_KEY_PASSPHRASE: `${PASSPHRASE}!`, ...noKey }],
      ['keys list', { ...login, ...noKey, TIDEWIRE_PASSWORD: `${customer.user.password}!` }],
      ['config show'],
      ['doctor'],
    ];
    for (const [argv, env = {}] of calls) keep(scene, argv, await customer.call(argv.split(' '), { env }));
    const fiat = 'fiat create withdrawal RUB 5000 --method sbp --yes --details -';
    keep(scene, fiat, await customer.call(fiat.split(' '), { input: JSON.stringify({ account: DETAILS }) }));
    expect(scene.wire.size).toBeGreaterThan(5);
    expect([...new Set(scene.given.values())].toSorted()).toEqual(['code', 'secretKey', 'token']);
    expectNoLeak(scene);
  });

  it('by what is shown of sessions afterwards, and by the report of a crash', async () => {
    const scene = await openScene();
    const { customer } = scene;
    const maker = strategyFile('spread-maker');
    // Node writes such reports when it is told to: of fatal errors, or of a signal as here. They hold the environment.
    const live = customer.begin(['run', maker, '--live', '--confirm', customer.user.login], {
      env: { NODE_OPTIONS: '--report-on-signal' },
    });
    await live.during('signed requests', () => (scene.wire.size > SIGNED_MIN ? true : undefined));
    live.child.kill('SIGUSR2');
    const report = await live.during('the report of a crash', () =>
      [...customer.written()].find(([name, text]) => /^report\..*json$/.test(name) && text.trimEnd().endsWith('}')),
    );
    expect(report[1]).toContain('javascriptStack');
    keep(scene, 'run', await live.signal('SIGINT'));
    const [session] = await sessions(customer.cwd);
    const result = [...customer.written().keys()].find((name) => name.endsWith('result.json')) ?? '';
    for (const view of VIEWS) {
      const argv = view.replace('SESSION', session?.id ?? '').replace('RESULT', result);
      const shown = await run([...argv.split(' '), '--json'], { cwd: customer.cwd, env: customer.keys() });
      expect(keep(scene, view, shown).code, `${argv}: ${shown.stderr}`).toBe(0);
    }
    expect([...customer.written().keys()].filter((name) => name.endsWith('.html'))).not.toEqual([]);
    expectNoLeak(scene);
  });

  it('by the support bundle, even of a log, a configuration and strategies that hold them (H07)', async () => {
    const scene = await openScene();
    const { customer } = scene;
    const { secretKey } = customer.user.apiKey;
    const tells = writeTelling(customer.cwd, `I was told ${secretKey}`);
    const telling = [{ kind: 'webhook', url: '${ALERT_URL}' }];
    appendFileSync(join(customer.cwd, 'c.yaml'), `alerts: ${JSON.stringify(telling)}\n`);
    const env = {
      ALERT_URL: `http://127.0.0.1:9/${encodeURIComponent(PASSPHRASE)}`,
      TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE,
    };
    const paper = customer.begin(['paper', tells, '--for', '2s'], { env });
    expect((await paper.ended).code).toBe(0);
    const [session] = await sessions(customer.cwd);
    if (session === undefined) throw new Error('there is no session');
    const careless = [...spellings(PASSPHRASE), ...spellings(customer.user.password)].map((msg) =>
      JSON.stringify({ msg }),
    );
    appendFileSync(join(session.path, 'session.log'), `${careless.join('\n')}\n`);
    const words = ['support-bundle', session.id, '--out', 'bundle'];
    const ended = await customer.call(words, { env: { ...env, TIDEWIRE_PASSWORD: customer.user.password } });
    expect(ended.code, ended.stderr).toBe(0);
    expect(documentOf<{ readonly hidden: number }>(ended).hidden).toBeGreaterThan(5);
    const bundle = new Map([...customer.written()].filter(([name]) => name.startsWith('bundle/')));
    expect([...bundle.keys()].toSorted()).toEqual(
      ['about.json', 'config.json', 'journal.jsonl', 'log.jsonl', 'session.json', 'streams.json'].map(
        (name) => `bundle/${name}`,
      ),
    );
    expect(bundle.get('bundle/journal.jsonl')).toContain('I was told ***');
    expect(leaks(bundle, secretsOf(scene))).toEqual([]);
    const again = await customer.call(words);
    expect([again.code, errorOf(again).code]).toEqual([2, 'bundle_exists']);
  });

  it('by an exchange that says back what it was sent', async () => {
    const scene = await openScene();
    const { customer } = scene;
    const echo = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isSigned = 'x-api-signature' in request.headers || request.method === 'POST';
        if (!isSigned) {
          void fetch(`${customer.sandbox.restUrl}${request.url ?? ''}`)
            .then((answer) => answer.text())
            .then((text) => response.end(text));
          return;
        }
        addSecrets(request.headers, scene.wire);
        const { 'x-api-signature': signature = '', authorization = '' } = request.headers;
        const said = `${String(signature)} ${authorization} ${Buffer.concat(chunks).toString('utf8')}`;
        const isJson = (request.url ?? '').length % 2 === 0;
        response.writeHead(isJson ? 400 : 500, { 'content-type': 'text/plain' });
        response.end(isJson ? JSON.stringify({ code: 'insufficient_balance', message: said }) : said);
      });
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    beforeRemoval(() => void echo.close());
    const { port } = echo.address() as AddressInfo;
    const env = {
      ...customer.login(),
      TIDEWIRE_KEY_PASSPHRASE: PASSPHRASE,
      TIDEWIRE_EXCHANGE_BASE_URL: `http://127.0.0.1:${port}`,
      TIDEWIRE_EXCHANGE_GATEWAY_URL: `http://127.0.0.1:${port}`,
    };
    const noKey = { TIDEWIRE_API_KEY: undefined, TIDEWIRE_API_SECRET: undefined };
    for (const argv of ['account overview', 'codes my', 'transfer make unified-trading funding USDT 5 --yes'])
      keep(scene, argv, await customer.call(argv.split(' '), { env }));
    keep(scene, 'keys list', await customer.call(['keys', 'list'], { env: { ...env, ...noKey } }));
    expect(scene.wire.size).toBeGreaterThan(0);
    expectNoLeak(scene);
  });
});
