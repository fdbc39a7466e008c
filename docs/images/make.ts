/**
 * Makes `report.png` anew: a month of the synthetic minutes of `data/sample-bars` under slow averages, as the command line
 * reports it. Needs a Chromium (TIDEWIRE_CHROMIUM, or where systems put it): `node docs/images/make.ts`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, launch, open } from '../../test/research/report/browser.ts';

const WIDTH = 1180;
const HEIGHT = 1580;

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'tidewire-picture-'));
const chromium = findChromium();
if (chromium === undefined) throw new Error('no Chromium here: set TIDEWIRE_CHROMIUM');
try {
  const report = join(folder, 'report.html');
  const averages = ['--param', 'fast=240', '--param', 'slow=960'];
  const data = ['--data', join(root, 'data', 'sample-bars'), '--report', report];
  const command = ['backtest', join(root, 'strategies', 'ema-cross.ts'), ...data, ...averages];
  execFileSync(process.execPath, [join(root, 'bin', 'tidewire.js'), ...command], { cwd: folder });
  const browser = await launch(chromium);
  const { page } = await open(browser, report, WIDTH, 'light');
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await page.screenshot({ path: join(import.meta.dirname, 'report.png') });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
