/**
 * The Chromium of the machine, driven over a report that lies on disk: what it logs and asks for is kept. Used by the test of
 * the report and by its bench.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `TIDEWIRE_CHROMIUM`, or where systems put it; nothing without one. */
export function findChromium(): string | undefined {
  const named = process.env['TIDEWIRE_CHROMIUM'];
  return named === undefined ? PLACES.find((path) => existsSync(path)) : named;
}

/** CI has one (.ci/run installs it): there a test without it fails. */
export const isBrowserAsked = process.env['CI'] !== undefined || process.env['TIDEWIRE_BROWSER'] === 'required';

export async function launch(executablePath: string): Promise<Browser> {
  // Of pages on disk that we wrote ourselves; as root there is no sandbox.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and breaches of the policy. */
  readonly complaints: readonly string[];
  /** Addresses asked for beside the page itself. */
  readonly requests: readonly string[];
}

export async function open(
  browser: Browser,
  file: string,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const address = pathToFileURL(file).href;
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  await page.goto(address);
  await settled(page);
  return { page, complaints, requests };
}

/** Two frames on: what was asked to be drawn has been. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}
