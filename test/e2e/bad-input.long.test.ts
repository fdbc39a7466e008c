/**
 * What a user gets wrong, and what tidewire answers: an exit code, one JSON document, and on stderr what, where, why and
 * what to do.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, root, run, start, strategyFile, type Ended } from './cli.ts';
import { sessions } from './session-view.ts';
import { sources, writeStrategy } from './strategies.ts';

const sample = join(root, 'data', 'sample');
const maker = strategyFile('spread-maker');

interface Result {
  readonly orders: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

let cwd = '';
beforeEach(() => {
  cwd = freshFolder();
});

function backtest(file: string, more: readonly string[] = []): Promise<Ended> {
  return run(['backtest', file, '--data', sample, '--json', ...more], { cwd });
}

/** Line of the source on which a text stands first. */
function lineIn(source: string, text: string): number {
  return source.slice(0, source.indexOf(text)).split('\n').length;
}

describe('a wrong configuration (2)', () => {
  function config(text: string): string {
    writeFileSync(join(cwd, 'my.yaml'), text);
    return 'my.yaml';
  }

  it('names path, value, what was expected, the nearest key and the line, all of them at once', async () => {
    const text = [
      'exchange:',
      '  baseUrl: sandbox',
      '  baseUri: sandbox',
      'risk:',
      '  maxOpenOrders: many',
      'journal: { durability: ful }',
      '',
    ].join('\n');
    const ended = await run(['paper', maker, '--config', config(text), '--json'], { cwd });
    expect(ended.code).toBe(2);
    const error = errorOf(ended);
    expect(error.code).toBe('config_invalid');
    expect(error.details).toMatchObject({
      problems: [
        { path: 'exchange.baseUri', line: 3, message: expect.stringMatching(/unknown key.*did you mean baseUrl\?/) },
        { path: 'risk.maxOpenOrders', line: 5, message: expect.stringMatching(/"many".*expected number/) },
        { path: 'journal.durability', line: 6, message: expect.stringMatching(/"ful".*"full"/) },
      ],
    });
    expect(ended.stderr).toContain('my.yaml:3');
  });

  it('names the line of what is no YAML, and says when there is no file', async () => {
    const broken = await run(
      ['config', 'check', '--config', config('exchange:\n  baseUrl: sandbox\n bad: [\n'), '--json'],
      {
        cwd,
      },
    );
    expect(broken.code).toBe(2);
    expect(errorOf(broken)).toMatchObject({ code: 'config_syntax', message: expect.stringContaining('my.yaml:3') });
    const missing = await run(['config', 'check', '--config', 'nope.yaml', '--json'], { cwd });
    expect(missing.code).toBe(2);
    expect(errorOf(missing).code).toBe('config_not_found');
  });

  it('refuses two strategies of one tag', async () => {
    const text = `strategies:\n  - { file: ${maker}, tag: one }\n  - { file: ${strategyFile('imbalance')}, tag: one }\n`;
    const ended = await run(['paper', '--config', config(text), '--json'], { cwd });
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'duplicate_tag', message: expect.stringContaining('one') });
  });
});

describe('a wrong command line (2)', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown command', ['papr'], /papr/],
    ['an unknown option', ['paper', '--fast'], /--fast/],
    ['an unknown subcommand', ['data', 'nfo', '.'], /nfo/],
    ['a missing argument', ['data', 'info'], /path/],
    ['no data', ['backtest', maker], /--data/],
    ['a duration that is none', ['paper', maker, '--for', 'soon'], /--for soon/],
    ['a time that is none', ['backtest', maker, '--data', sample, '--from', 'yesterday'], /--from yesterday/],
    ['a seed that is none', ['paper', maker, '--seed', '-1'], /--seed -1/],
    ['an unknown parameter', ['paper', maker, '--param', 'simbol=BTCUSDT'], /did you mean symbol/],
    ['a parameter of the wrong type', ['paper', maker, '--param', 'halfSpreadBps=wide'], /halfSpreadBps/],
    ['a parameter without a value', ['paper', maker, '--param', 'symbol'], /key=value/],
    ['a symbol that the exchange does not have', ['paper', maker, '--param', 'symbol=BTCUSD'], /BTCUSDT/],
    [
      'a symbol that the data do not have',
      ['backtest', maker, '--data', sample, '--param', 'symbol=ETHUSD'],
      /ETHUSDT/,
    ],
    ['a sandbox port that is none', ['sandbox', '--port', 'http'], /--port http/],
    ['no strategy anywhere', ['paper'], /no strategy/],
    ['a session that is not there', ['status', 'paper-nothing'], /paper-nothing/],
    ['a journal that is not there', ['journal', 'verify', 'nothing'], /nothing/],
    ['a report of nothing', ['report', 'nothing.json'], /nothing\.json/],
  ];

  it.each(cases)('%s', async (_, args, says) => {
    const ended = await run([...args, '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(2);
    expect(errorOf(ended).message).toMatch(says);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toContain('internal');
    expect(existsSync(join(cwd, 'data')), 'no session is left behind').toBe(false);
  });

  it('offers what was probably meant', async () => {
    expect((await run(['papr'], { cwd })).stderr).toContain('paper');
    expect((await run(['paper', '--parm', 'a=b'], { cwd })).stderr).toContain('--param');
  });
});

describe('a strategy that cannot be loaded (2)', () => {
  const cases: readonly (readonly [keyof typeof sources, string, RegExp])[] = [
    ['noDefault', 'strategy_no_default_export', /noDefault\.ts.*only name/],
    ['noStrategy', 'strategy_wrong_export', /noStrategy\.ts/],
    ['syntax', 'strategy_unreadable', /syntax\.ts:2:/],
    ['badImport', 'strategy_import_failed', /badImport\.ts:1:.*defineStrategie/],
    ['enumeration', 'strategy_unreadable', /enumeration\.ts:1:/],
  ];

  it.each(cases)('%s: %s', async (name, code, says) => {
    const file = writeStrategy(cwd, name);
    const ended = await backtest(file);
    expect(ended.code, ended.stderr).toBe(2);
    expect(errorOf(ended).code).toBe(code);
    expect(errorOf(ended).message).toMatch(says);
    expect(errorOf(ended).hint.length).toBeGreaterThan(20);
  });

  it('offers the nearest file for one that is not there', async () => {
    writeStrategy(cwd, 'throws');
    const ended = await backtest('throwz.ts');
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      code: 'strategy_not_found',
      message: expect.stringContaining('did you mean throws.ts'),
    });
  });

  it('warns of what does not type-check, and refuses it with --strict', async () => {
    const file = writeStrategy(cwd, 'types');
    const loose = await backtest(file);
    expect(loose.code, loose.stderr).toBe(0);
    const line = lineIn(sources.types, 'midd');
    expect(documentOf<Result>(loose).warnings.join('\n')).toMatch(new RegExp(`types\\.ts:${line}:.*midd`));
    const strict = await backtest(file, ['--strict']);
    expect(strict.code).toBe(2);
    const paper = await run(['paper', file, '--for', '3s', '--json'], { cwd });
    expect(paper.code, paper.stderr).toBe(0);
    expect(paper.stderr).toMatch(new RegExp(`types\\.ts:${line}:.*midd`));
  });
});

describe('a strategy that goes wrong while it runs', () => {
  it('is stopped with the line and the event that it threw at (1), in a backtest and on paper', async () => {
    const file = writeStrategy(cwd, 'throws');
    const line = lineIn(sources.throws, 'throw new Error');
    const says = new RegExp(`out of ideas at throws\\.ts:${line}:\\d+, at event top BTCUSDT`);
    for (const command of [
      ['backtest', file, '--data', sample],
      ['paper', file],
    ]) {
      const ended = await run([...command, '--json'], { cwd });
      expect(ended.code, ended.stderr).toBe(1);
      const { warnings, orders } = documentOf<Result>(ended);
      expect(warnings.join('\n')).toMatch(says);
      expect(ended.stderr).toMatch(says);
      expect(orders['submitted']).toBeGreaterThan(0);
      expect(orders['canceled']).toBe(orders['accepted']);
    }
    const [session] = await sessions(cwd);
    expect(session).toMatchObject({ clean: true, openOrders: [] });
  });

  it('ends with 1 when it throws in setup, and says where', async () => {
    const file = writeStrategy(cwd, 'throwsAtSetup');
    const ended = await run(['paper', file, '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(1);
    const line = lineIn(sources.throwsAtSetup, 'throw new');
    expect(documentOf<Result>(ended).warnings.join('\n')).toMatch(
      new RegExp(`not today at throwsAtSetup\\.ts:${line}`),
    );
  });

  it('has orders off the grid denied and counted, each with its reason; nothing is rounded', async () => {
    const file = writeStrategy(cwd, 'off');
    const ended = await backtest(file, ['--result', 'result.json']);
    expect(ended.code, ended.stderr).toBe(0);
    const { orders, warnings } = documentOf<Result>(ended);
    expect(orders).toMatchObject({ submitted: 1, accepted: 1, denied: 4, rejected: 0 });
    const text = warnings.join('\n');
    expect(text).toMatch(/off_tick.*58000\.001.*0\.01/);
    expect(text).toMatch(/off_lot.*0\.0010001.*0\.00001/);
    expect(text).toMatch(/not_(finite|positive)/);
    expect(text).toMatch(/below_min/);
  });
});

describe('a call that goes wrong', () => {
  it('is told what to do after a wrong usage (2)', async () => {
    const ended = await run(['backtests'], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/unknown command 'backtests'[\s\S]*See `tidewire COMMAND --help`/);
  });

  it('does not take the embedded exchange for one whose address was forgotten (2)', async () => {
    writeFileSync(join(cwd, 'my.yaml'), 'exchange: { baseUrl: "http://127.0.0.1:9", wsUrl: "ws://127.0.0.1:9" }\n');
    const ended = await run(['paper', maker, '--for', '1s', '--config', 'my.yaml', '--json'], { cwd });
    expect(ended.code).toBe(2);
    expect(errorOf(ended).message).toContain('exchange.gatewayUrl is "sandbox"');
  });

  it('ends at once when a computation is interrupted', async () => {
    const source = [
      "import { defineStrategy } from 'tidewire';",
      "export default defineStrategy({ name: 'endless', setup() { process.stdout.write('inside\\n'); for (;;); } });",
    ].join('\n');
    writeFileSync(join(cwd, 'endless.ts'), source);
    const running = start(['backtest', 'endless.ts', '--data', sample], { cwd });
    await running.line();
    const ended = await running.signal('SIGINT');
    expect(ended.signal).toBe('SIGINT');
  });
});
