/**
 * Frames a second of the dashboard's session screen in headless Chromium: the real book, 200 levels a side, beside a maker on
 * paper. The floor is an empty page of the same browser, in turn.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findChromium, launch } from '../test/research/report/browser.ts';
import { print, race, shown, spread } from './harness.ts';
import { benchData, SPREAD_MAKER } from './recordings.ts';

const LAUNCHER = join(import.meta.dirname, '..', 'bin', 'tidewire.js');
const LEVELS = 200;
const WATCHED_MS = 5_000;

/** Milliseconds between frames. In the page. */
const FRAMES = `new Promise((done) => {
  const times = [];
  const began = performance.now();
  let last = began;
  requestAnimationFrame(function next(now) {
    times.push(now - last);
    last = now;
    if (now - began < ${WATCHED_MS}) requestAnimationFrame(next);
    else done(times.slice(1));
  });
})`;

class Programs {
  readonly folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  readonly #open: ChildProcess[] = [];

  /** What it finds in what the program says. */
  async start(args: readonly string[], found: RegExp): Promise<RegExpExecArray> {
    const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#open.push(child);
    let text = '';
    return new Promise((resolve, reject) => {
      const hear = (data: Buffer): void => {
        text = `${text}${data.toString()}`.slice(-20_000);
        const hit = found.exec(text);
        if (hit !== null) resolve(hit);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', () => reject(new Error(`${args.join(' ')} has ended: ${text}`)));
    });
  }

  async end(): Promise<void> {
    for (const child of this.#open.toReversed()) {
      if (child.exitCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function linkOf(programs: Programs): Promise<string | null> {
  const data = await benchData(programs.folder);
  if (data === null) return null;
  const [line] = await programs.start(['sandbox', '--market', `replay:${data.path}`, '--json'], /^\{.*\}$/m);
  const { restUrl, gatewayUrl, wsUrl } = JSON.parse(line) as Readonly<Record<string, string>>;
  const config = join(programs.folder, 'replayed.yaml');
  writeFileSync(config, `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`);
  const paper = ['paper', SPREAD_MAKER, '--config', config, '--dashboard', '0'];
  const [, link = ''] = await programs.start(paper, /^dashboard (http:\S+)$/m);
  return link;
}

async function opened(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.click('.session-card a');
  await page.waitForSelector('.chart.ladder canvas');
}

/** Levels of the side that has fewer, as the page is told. */
async function levelsOf(link: string): Promise<number> {
  const { origin, hash } = new URL(link);
  const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
  const answer = await fetch(`${origin}/api/v1/sessions/current/book?symbol=BTCUSDT&depth=${LEVELS}`, { headers });
  const { bids, asks } = (await answer.json()) as {
    readonly bids: readonly object[];
    readonly asks: readonly object[];
  };
  return Math.min(bids.length, asks.length);
}

export async function framesBench(): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined) return console.log('no Chromium here: frames are not measured');
  const programs = new Programs();
  const browser = await launch(chromium);
  try {
    const link = await linkOf(programs);
    if (link === null) return;
    const [empty, screen] = await Promise.all([browser.newPage(), browser.newPage()]);
    await opened(screen, link);
    console.log(`  ${await levelsOf(link)} levels a side`);
    const slowest: number[] = [];
    const rateOf = async (page: Page): Promise<number> => {
      await page.bringToFront();
      const times = await page.evaluate<readonly number[]>(FRAMES);
      if (page === screen) slowest.push(spread(times).max);
      return (1000 * times.length) / times.reduce((sum, time) => sum + time, 0);
    };
    const rates = await race([
      { name: 'an empty page', run: () => rateOf(empty) },
      { name: 'a session', run: () => rateOf(screen) },
    ]);
    print('Dashboard, what a browser shows', 'frames/s', rates);
    const { median, min, max } = spread(slowest);
    console.log(`  slowest frame of a session: ${shown(median)} ms (${shown(min)} … ${shown(max)})`);
  } finally {
    await browser.close();
    await programs.end();
  }
}
