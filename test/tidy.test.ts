/**
 * What can be held of the style: layers and cycles, clock and chance in their one file, links that lead somewhere,
 * reference pages equal to their tables, files that stay small, and words that have no place here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/command-table.ts';
import { commandsPage, denyReasonsPage, errorsPage, errorTables } from '../docs/generate.ts';
import { interfacePage } from '../docs/interface-page.ts';
import { operationsTablePage } from '../docs/operations-table-page.ts';
import { configPage } from '../docs/config-page.ts';
import { sandboxPage } from '../docs/sandbox-page.ts';
import { foreignWords } from './vocabulary.ts';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = tracked.filter((file) => /^src\/.*\.ts$/.test(file));
const pages = tracked.filter((file) => file.endsWith('.md'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Code without comments, roughly: good enough to look for calls. */
function codeOf(file: string): string {
  return read(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

/** Longer than 400 lines for a reason that stands in the file's header. */
const LONG_FILES: readonly string[] = [];

/** The files that implement the ports of time and chance, or exist to replace the globals. */
const CLOCK_FILES = new Set([
  'src/session/clock/system-clock.ts',
  'src/strategy/traps.ts',
  'src/strategy/running/virtual-time.ts',
  'src/cli/main.ts',
]);

describe('the sources', () => {
  it('are there', () => expect(sources.length).toBeGreaterThan(100));

  it('import only from floors below', () => {
    const output = execFileSync(process.execPath, ['bin/check-layers.js'], { cwd: root, encoding: 'utf8' });
    expect(output).toMatch(/ 0 violations/);
  });

  it('take time and chance from ports', () => {
    const banned = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|setImmediate\()/;
    const found = sources.filter((file) => !CLOCK_FILES.has(file) && banned.test(codeOf(file)));
    expect(found).toEqual([]);
  });

  it('never use fetch, which may send an order twice', () => {
    expect(sources.filter((file) => /(?<![.\w'#])fetch\(/.test(codeOf(file)))).toEqual([]);
  });

  it('use no RxJS time operator below the strategy floor', () => {
    const timed =
      /\b(debounceTime|throttleTime|auditTime|sampleTime|bufferTime|delayWhen|timeout|interval|timer|delay)\b[^;]*from 'rxjs'/;
    const below = sources.filter((file) =>
      /^src\/(model|exchange|clearing|simulation|execution|statistics|streams|recording|sandbox)\//.test(file),
    );
    expect(below.filter((file) => timed.test(codeOf(file)))).toEqual([]);
  });

  it('stay small', () => {
    const long = sources.filter((file) => read(file).split('\n').length > 400 && !LONG_FILES.includes(file));
    expect(long).toEqual([]);
  });

  it('open with what they are for', () => {
    expect(sources.filter((file) => !/^(#!.*\n)?\/(\*\*|\/)/.test(read(file)))).toEqual([]);
  });

  it('speak in the terms of the field', () => {
    expect(sources.flatMap((file) => foreignWords(file, read(file)))).toEqual([]);
  });

  it('hold no unfinished work', () => {
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`);
    expect(tracked.filter((file) => /\.(ts|js|md|yaml)$/.test(file) && marks.test(read(file)))).toEqual([]);
  });
});

describe('the pages', () => {
  it('link to files that are there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('describe every error and every deny reason', async () => {
    expect(read('docs/errors.md')).toBe(await errorsPage());
    expect(read('docs/deny-reasons.md')).toBe(denyReasonsPage());
  });

  it('describe every command', async () => {
    expect(read('docs/commands.md')).toBe(await commandsPage());
  });

  it('describe the interface and what the sandbox assumes', () => {
    expect(read('docs/interface.md')).toBe(interfacePage());
    expect(read('docs/operations-table.md')).toBe(operationsTablePage());
    expect(read('docs/sandbox.md')).toBe(sandboxPage(read('docs/sandbox.md')));
    expect(read('docs/config.md')).toBe(configPage(read('docs/config.md')));
  });

  it('name commands that exist', () => {
    const main = read('src/cli/command-table.ts');
    const named = new Set(
      pages.flatMap((page) =>
        [...read(page).matchAll(/npx tidewire ([a-z0-9]+(?:-[a-z0-9]+)*)/g)].map((match) => match[1] ?? ''),
      ),
    );
    expect([...named].filter((name) => !main.includes(`/${name}.ts'`))).toEqual([]);
  });

  it('give a reason for each dependency', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const page = read('docs/dependencies.md');
    const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
      Object.keys(manifest[key] ?? {}),
    );
    expect(names.filter((name) => !name.startsWith('@types/') && !page.includes(name))).toEqual([]);
  });
});

describe('the errors', () => {
  it('have codes of their own, a meaning and a remedy', async () => {
    const seen = new Map<string, string>();
    for (const { room, rows } of await errorTables()) {
      for (const [code, row] of Object.entries(rows)) {
        expect(seen.get(code), `${code} stands in ${seen.get(code)} and ${room}`).toBeUndefined();
        seen.set(code, room);
        expect(code).toMatch(/^[a-z0-9_]+$/);
        expect(row.meaning.length, code).toBeGreaterThan(10);
        expect(row.remedy.length, code).toBeGreaterThan(10);
      }
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  it('name commands that there are', async () => {
    const rows = (await errorTables()).flatMap((table) => Object.entries(table.rows));
    const named = rows.flatMap(([code, { remedy }]) =>
      [...remedy.matchAll(/`tidewire ([a-z-]+)/g)].map(([, command = '']) => ({ code, command })),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ command }) => !Object.hasOwn(commands, command))).toEqual([]);
  });
});

describe('the tests', () => {
  it('mirror rooms that exist', () => {
    const rooms = new Set(
      tracked.filter((file) => /^test\/[a-z]+\//.test(file)).map((file) => relative('test', file).split('/')[0] ?? ''),
    );
    const others = new Set([
      'conformance',
      'e2e',
      'regression',
      'chaos',
      'fuzz',
      'long',
      'reliability',
      'model-check',
      'parity',
      'anchors',
      'strategies',
      'properties',
    ]);
    expect([...rooms].filter((room) => !others.has(room) && !existsSync(join(root, 'src', room)))).toEqual([]);
  });
});
