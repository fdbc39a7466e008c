/**
 * Makes the pictures of the dashboard anew: every screen over a paper session on the sandbox, light and dark, at the widths of
 * a desk and of a phone. Takes some minutes and needs a Chromium: `node docs/images/dashboard.ts`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launch } from '../../test/research/report/browser.ts';

const PLAYED_MS = 120_000;
/** The heat of the book grows while the page is open. */
const LOOKED_AT_MS = 40_000;
const QUALITY = 0.82;
const ALL = [
  'session',
  'fleet',
  'why',
  'travel',
  'control',
  'research',
  'search',
  'drift',
  'recordings',
  'settings',
] as const;
/** Parts of Research. */
const OF_RESEARCH: readonly string[] = ['search', 'drift'];
const WIDTHS = [
  { name: 'desk', width: 1440, height: 900, scale: 1, screens: ALL, schemes: ['light', 'dark'] },
  { name: 'phone', width: 390, height: 844, scale: 1.5, screens: ['fleet', 'session', 'search'], schemes: ['light'] },
  { name: 'phone', width: 390, height: 844, scale: 1.5, screens: ['why', 'travel', 'drift'], schemes: ['dark'] },
] as const;

/** Nothing is being read any more. */
const IS_WHOLE = `!document.querySelector('.loading') && !document.body.textContent.includes('Reading the')`;

const root = join(import.meta.dirname, '..', '..');
const out = join(import.meta.dirname, 'dashboard');
const folder = mkdtempSync(join(tmpdir(), 'tidewire-pictures-'));
const launcher = join(root, 'bin', 'tidewire.js');

function tidewire(...args: readonly string[]): void {
  execFileSync(process.execPath, [launcher, ...args], { cwd: folder, stdio: 'ignore' });
}

/** A search that runs for as long as the pictures take. */
function search(): ChildProcess {
  const maker = join(root, 'strategies', 'spread-maker.ts');
  const space = join(root, 'config', 'spread-maker.space.yaml');
  const data = join(root, 'data', 'sample');
  const pace = ['--method', 'random', '--trials', '2000', '--workers', '1', '--seed', '7'];
  const args = [launcher, 'sweep', maker, '--data', data, '--space', space, ...pace];
  return spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
}

/** A session that is over, compared with its backtest. */
function compared(): void {
  const maker = join(root, 'strategies', 'spread-maker.ts');
  tidewire('paper', maker, '--param', 'everyMs=100', '--for', '90s', '--no-dashboard');
  tidewire('drift', readdirSync(join(folder, 'data', 'sessions')).find((name) => name.startsWith('paper-')) ?? '');
}

/** What Research has to show. */
function results(): void {
  mkdirSync(join(folder, 'results'));
  const bars = ['--data', join(root, 'data', 'sample-bars')];
  for (const fast of ['120', '240'])
    tidewire(
      'backtest',
      join(root, 'strategies', 'ema-cross.ts'),
      ...bars,
      '--param',
      `fast=${fast}`,
      '--param',
      'slow=960',
      '--result',
      `results/ema-${fast}.json`,
    );
  const space = join(root, 'config', 'spread-maker.space.yaml');
  tidewire(
    'sweep',
    join(root, 'strategies', 'spread-maker.ts'),
    '--data',
    join(root, 'data', 'sample'),
    '--space',
    space,
    '--trials',
    '40',
    '--result',
    'results/search.json',
  );
}

async function session(strategy: string, ...more: readonly string[]): Promise<{ child: ChildProcess; link: string }> {
  const args = [launcher, 'paper', join(root, 'strategies', `${strategy}.ts`), ...more];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  for await (const data of child.stderr) {
    text += String(data);
    const link = /^dashboard (http:\S+)$/m.exec(text)?.[1];
    if (link !== undefined) return { child, link };
  }
  throw new Error(`${strategy} did not start: ${text}`);
}

/** Chromium packs its own picture. */
async function packed(packer: Page, png: Buffer, name: string): Promise<void> {
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const text = await packer.evaluate<string>(`(async () => {
    const picture = await createImageBitmap(await (await fetch(${JSON.stringify(source)})).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  writeFileSync(join(out, `${name}.webp`), Buffer.from(text.split(',')[1] ?? '', 'base64'));
}

interface Shown {
  readonly id: string;
  readonly ref: string;
  /** Ids of results. */
  readonly search: string;
  readonly running: string;
  readonly drift: string;
}

async function pictures(browser: Browser, link: string, shown: Shown): Promise<void> {
  const { id, ref, search: over, running, drift } = shown;
  const packer = await browser.newPage();
  const addresses = {
    session: `#/session/${id}`,
    fleet: '#/fleet',
    why: `#/why/${id}/${ref}`,
    travel: `#/travel/${id}`,
    control: `#/control/${id}`,
    research: `#/research/${over}`,
    search: `#/research/${running}`,
    drift: `#/research/${drift}`,
    recordings: '#/recordings',
    settings: '#/settings',
  };
  for (const { name, width, height, scale, screens, schemes } of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
    const page = await context.newPage();
    await page.goto(link);
    await page.waitForSelector('.session-card');
    for (const screen of screens) {
      await page.evaluate(`location.hash = ${JSON.stringify(addresses[screen])}`);
      await page.waitForSelector(`main[data-screen="${OF_RESEARCH.includes(screen) ? 'research' : screen}"] h1`);
      while (!(await page.evaluate(IS_WHOLE))) await wait(200);
      await wait(screen === 'session' ? (name === 'desk' ? LOOKED_AT_MS : 5_000) : 2_500);
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        await wait(600);
        if (screen === 'drift') await page.locator('[aria-label="Drift"]').scrollIntoViewIfNeeded();
        await packed(packer, await page.screenshot(), `${screen}-${name}-${scheme}`);
      }
    }
    await context.close();
  }
}

interface Result {
  readonly id: string;
  readonly kind: string;
  readonly session: string | null;
  readonly progress: object | null;
}

const chromium = findChromium();
if (chromium === undefined) throw new Error('no Chromium here: set TIDEWIRE_CHROMIUM');
mkdirSync(out, { recursive: true });
const open: ChildProcess[] = [];
try {
  results();
  compared();
  const maker = await session('spread-maker', '--dashboard', '0');
  open.push(maker.child);
  const grid = await session('grid', '--dashboard', '0');
  open.push(grid.child);
  const { origin, hash } = new URL(maker.link);
  const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
  const read = async (path: string): Promise<Record<string, never>> =>
    (await (await fetch(`${origin}/api/v1/${path}`, { headers })).json()) as Record<string, never>;
  open.push(search());
  await wait(PLAYED_MS);
  const browser = await launch(chromium);
  const { id } = await read('sessions/current');
  const fills: readonly { readonly ref: string }[] = (await read('sessions/current/fills'))['fills'] ?? [];
  const found: readonly Result[] = (await read('results'))['results'] ?? [];
  const idOf = (is: (result: Result) => boolean): string => found.find(is)?.id ?? '';
  await pictures(browser, maker.link, {
    id: String(id),
    ref: fills.at(-1)?.ref ?? '',
    search: idOf(({ kind, progress }) => kind === 'sweep' && progress === null),
    running: idOf(({ progress }) => progress !== null),
    drift: idOf(({ session: of }) => of !== null),
  });
  await browser.close();
} finally {
  for (const child of open) child.kill();
  await wait(2_000);
  rmSync(folder, { recursive: true, force: true });
}
