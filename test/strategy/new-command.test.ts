import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from '../../src/cli/commands/new.ts';
import type { CliIo } from '../../src/cli/command.ts';

let cwd: string;
let out: string;
let err: string;
let code: number | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tidewire-new-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<void> {
  out = '';
  err = '';
  code = undefined;
  const io: CliIo = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isTty: false,
    env: {},
    cwd,
    interrupted: new Promise(() => {}),
    exit: (given) => void (code = given),
  };
  await build(io).option('--json').parseAsync(args, { from: 'user' });
}

test('writes a strategy, checks it and says what to run next', async () => {
  await run('my-maker');
  expect(code).toBe(0);
  expect(await readFile(join(cwd, 'strategies/my-maker.ts'), 'utf8')).toContain("name: 'my-maker'");
  expect(out).toContain('it type-checks');
  expect(out).toContain('npx tidewire paper strategies/my-maker.ts');
});

test('--candle writes one without RxJS', async () => {
  await run('trend', '--candle', '--json');
  expect(JSON.parse(out)).toMatchObject({
    command: 'new',
    strategy: 'trend',
    typecheck: { kind: 'checked', problems: [] },
  });
  const source = await readFile(join(cwd, 'strategies/trend.ts'), 'utf8');
  expect(source).toContain('defineCandleStrategy');
  expect(source).not.toContain("from 'rxjs'");
});

test('an existing file is never touched', async () => {
  await run('mine', '--candle');
  const before = await readFile(join(cwd, 'strategies/mine.ts'), 'utf8');
  await run('mine');
  expect(code).toBe(2);
  expect(err).toContain('strategy_exists');
  expect(await readFile(join(cwd, 'strategies/mine.ts'), 'utf8')).toBe(before);
});

test('a name that cannot be a file or an order ref is refused', async () => {
  for (const name of ['../up', 'a b', '-x.ts', '']) {
    await run('--', name);
    expect(code).toBe(2);
    expect(err).toContain('strategy_name_invalid');
  }
});

test('suggests a paper session in which the template can trade: pairs looks back on 30 s first', async () => {
  await run('my-pairs', '--template', 'pairs');
  expect(out).toContain('npx tidewire paper strategies/my-pairs.ts --for 2m\n');
  await run('my-grid', '--template', 'grid');
  expect(out).toContain('npx tidewire paper strategies/my-grid.ts --for 30s\n');
});
