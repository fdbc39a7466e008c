/** What a person does with the dashboard, in a real browser over a paper session. One browser, one session, in this order. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, isBrowserAsked, launch } from '../research/report/browser.ts';
import { Bot, isCreate } from './dashboard-bot.ts';
import { EVIL } from './dashboard-strategy.ts';

const WEIGHT_MAX = 400_000;
const FILLS_SEEN = 5;
const SCREENS = ['fleet', 'session', 'why', 'travel', 'control', 'research', 'recordings', 'settings'] as const;
const OF_SESSION: readonly string[] = ['session', 'why', 'travel', 'control'];

/** Figures of the machine, which fail nothing. */
const tell = (figure: string): void => void process.stderr.write(`dashboard: ${figure}\n`);

const chromium = findChromium();
const reason = 'no Chromium here: set TIDEWIRE_CHROMIUM, or install the package chromium';

test('a browser is there where it is asked for', (context) => {
  if (chromium === undefined && !isBrowserAsked) context.skip(reason);
  expect(chromium, reason).toBeDefined();
});

describe.skipIf(chromium === undefined)('dashboard', () => {
  let bot: Bot;
  let browser: Browser;
  let page: Page;
  let id: string;
  let lastFill: { readonly seq: number; readonly ref: string };
  const complaints: string[] = [];
  const foreign: string[] = [];
  let weight = 0;

  beforeAll(async () => {
    [bot, browser] = await Promise.all([Bot.start(), launch(chromium ?? '')]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(bot.origin)) foreign.push(request.url());
    });
    page.on('response', (response) => {
      if (response.url().includes('/api/')) return;
      response.body().then(
        (body) => (weight += body.length),
        () => undefined,
      );
    });
  });

  afterAll(async () => {
    await browser.close();
    await bot.end('SIGKILL');
    bot.remove();
  });

  const show = async (screen: (typeof SCREENS)[number], ...parts: readonly string[]): Promise<void> => {
    const path = [screen, ...(OF_SESSION.includes(screen) ? [id, ...parts] : parts)].map(encodeURIComponent).join('/');
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`);
    await page.waitForSelector(`main[data-screen="${screen}"] h1`);
  };
  /** A key, the dialog that it opens, its first button. */
  const command = async (key: string, button: string): Promise<void> => {
    await page.keyboard.press(key);
    await page.waitForSelector('dialog[open]');
    expect(await page.evaluate('document.activeElement.textContent')).toBe(button);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.toast:has-text("in the journal as entry")');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
    await page.click('.toast:last-child button');
  };

  test('dashboard/link/is-swapped-for-a-cookie-and-leaves-the-address-bar', async () => {
    await page.goto(bot.link);
    await page.waitForSelector('.session-card');
    expect(page.url()).not.toContain('token');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');
    id = (await bot.detail()).id;
    const painted = await page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity`,
    );
    tell(`first paint after ${painted.toFixed(0)} ms`);
    expect(painted).toBeLessThan(Infinity);
    expect(weight).toBeGreaterThan(100_000);
    expect(weight).toBeLessThanOrEqual(WEIGHT_MAX);
  });

  test('dashboard/session/a-fill-arrives-soon-after-its-entry', async () => {
    await show('session');
    await page.waitForSelector('.chart.ladder canvas');
    await page.waitForSelector('.chart.price canvas');
    const taken: number[] = [];
    while (taken.length < FILLS_SEEN) {
      const { seq = 0 } = await bot.next('a fill', ({ type, kind }) => type === 'entry' && kind === 'fill');
      const heard = performance.now();
      await page.waitForSelector(`tr[data-key="${seq}"]`);
      taken.push(performance.now() - heard);
      lastFill = { seq, ref: (await page.textContent(`tr[data-key="${seq}"] a`)) ?? '' };
    }
    tell(`fills shown after ${taken.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  });

  test('dashboard/session/text-from-outside-is-text', async () => {
    // As it is written; what was counted later may have left the list by then.
    await page.locator('.log li', { hasText: EVIL }).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Session · tidewire');
  });

  test('dashboard/command/pause-lets-no-new-order-go', async () => {
    const paused = bot.next('the pause', ({ kind, entry }) => kind === 'pause' && entry?.['on'] === true);
    await command('p', 'Pause');
    await paused;
    await page.waitForSelector('.head .badge:has-text("paused")');
    // What was decided before it may still be in its turn.
    await bot.during(3);
    const rows = await bot.during(12);
    expect(rows.filter(isCreate)).toEqual([]);
  });

  test('dashboard/command/resume-lets-orders-go-again', async () => {
    const created = bot.next('an order', isCreate);
    await command('r', 'Resume');
    await created;
    await page.waitForSelector('.head .badge:has-text("paused")', { state: 'detached' });
  });

  test('dashboard/why/of-the-last-fill-opens', async () => {
    await page.keyboard.press('w');
    await page.waitForSelector('.time-line li.fill');
    const title = await page.textContent('.why-grid > :last-child .card h2');
    const { fills } = await bot.read<{ fills: { ref: string | null; seq: number }[] }>('sessions/current/fills');
    expect(fills.filter(({ seq }) => seq >= lastFill.seq).map(({ ref }) => ref)).toContain(title);
    const steps = await page.locator('.time-line strong').allTextContents();
    expect(steps.slice(0, 3)).toEqual(['decision', 'intent', 'sending']);
    expect(await page.locator('.risk li').count()).toBeGreaterThan(0);
  });

  test('dashboard/why-not/says-reasons', async () => {
    await page.click('text=Why was there none?');
    await page.waitForSelector('ol.reasons li:nth-child(2)');
  });

  test('dashboard/travel/the-slider-shows-what-stood', async () => {
    await show('travel');
    await page.waitForSelector('.slider');
    const at = (await bot.read<{ fills: { ts: number; seq: number }[] }>('sessions/current/fills')).fills.find(
      ({ seq }) => seq === lastFill.seq,
    )?.ts;
    await page.locator('.slider').fill(String(Math.round(at ?? 0) + 1));
    await page.waitForSelector('.ladder-card .note:has-text("as of")');
    await page.waitForSelector(`.log li:has-text("${lastFill.ref}"), .log li:has-text("fill ")`);
    expect(await page.locator('.figure dd').first().textContent()).toMatch(/\dUSDT/);
    const moment = await page.textContent('.moment');
    expect(moment).toBe(new Date(Math.round(at ?? 0) + 1).toISOString().slice(11, 23));
  });

  test.each(SCREENS)('dashboard/%s/has-no-serious-finding-of-axe', async (screen) => {
    const found: unknown[] = [];
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await show(screen, ...(screen === 'why' ? [lastFill.ref] : []));
      await page.waitForSelector('.loading', { state: 'detached' });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: Finding[] }>('axe.run()');
      for (const { id: rule, impact, nodes } of violations)
        if (impact === 'serious' || impact === 'critical')
          found.push({
            scheme,
            rule,
            at: nodes.map(({ target, failureSummary }) => [target.join(' '), failureSummary]),
          });
    }
    expect(found, JSON.stringify(found, null, 1)).toEqual([]);
  });

  test('dashboard/keys/are-shown', async () => {
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open] kbd');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
  });

  test('dashboard/phone/nothing-overflows', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const screen of SCREENS) {
      await show(screen);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), screen).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('dashboard/lost/it-goes-on-after-the-last-entry-without-a-hole', async () => {
    await show('session');
    bot.freeze();
    await page.waitForSelector('.banner:has-text("Connection lost")');
    expect(await page.textContent('.banner')).toMatch(/What you see is .+ old/);
    bot.thaw();
    await page.waitForSelector('.banner', { state: 'detached' });
    const { seq } = await bot.next('a fill', ({ type, kind }) => type === 'entry' && kind === 'fill');
    await page.waitForSelector(`tr[data-key="${seq}"]`);
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.own-body tr[data-key]')].map((row) => row.dataset.key)`,
    );
    const { fills } = await bot.read<{ fills: { seq: number }[] }>('sessions/current/fills?limit=100');
    const known = fills.filter((fill) => fill.seq <= (seq ?? 0)).map((fill) => String(fill.seq));
    expect(
      shown
        .filter((key) => Number(key) <= (seq ?? 0))
        .toReversed()
        .slice(-known.length),
    ).toEqual(known);
  });

  test('dashboard/session/fills-between-a-reading-and-the-snapshot-are-shown', async () => {
    let readings = 0;
    // The first reading is of a moment before any fill.
    await page.route('**/fills?*', (asked) =>
      readings++ === 0 ? asked.fulfill({ json: { fills: [], next: 0 } }) : asked.continue(),
    );
    await page.reload();
    await show('session');
    const { fills } = await bot.read<{ fills: { seq: number }[] }>('sessions/current/fills?limit=100');
    await page.waitForSelector(`tr[data-key="${fills[0]?.seq}"]`, { state: 'attached' });
    await page.unroute('**/fills?*');
    expect(readings).toBeGreaterThan(1);
  });

  test('dashboard/command/kill-takes-the-orders-away', async () => {
    await show('session');
    await command('k', 'Kill now');
    await page.waitForSelector('.banner:has-text("Kill switch on")');
    await page.waitForSelector('.figure:has-text("Open orders") dd:text-is("0")');
    const detail = await bot.detail();
    expect(detail.killed).toContain('by hand from the dashboard');
    expect(detail.openOrders).toBe(0);
  });

  test('dashboard/command/resume-after-a-kill-needs-the-code', async () => {
    await page.keyboard.press('r');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Enter');
    const code = await page.textContent('dialog[open] code.code');
    expect((await bot.detail()).killed).not.toBeNull();
    await page.fill('dialog[open] input[name=code]', '000000');
    expect(await page.isDisabled('dialog[open] button[type=submit]')).toBe(code !== '000000');
    await page.fill('dialog[open] input[name=code]', code ?? '');
    const created = bot.next('an order', isCreate);
    await page.click('dialog[open] button[type=submit]');
    await created;
    await page.waitForSelector('.banner', { state: 'detached' });
  });

  test('dashboard/policy/nothing-was-refused-and-nobody-else-asked', () => {
    expect(foreign).toEqual([]);
    // Browsers log the 409 that brings the code of a second step, and the streams that a frozen bot did not answer.
    expect(complaints.filter((text) => !/status of 409|WebSocket connection/.test(text))).toEqual([]);
  });

  test('dashboard/lost/a-bot-that-died-is-said', async () => {
    await bot.end('SIGKILL');
    await page.waitForSelector('.banner:has-text("Connection lost")');
  });
});

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}
