/**
 * On the dashboard's Research screen the parameters of several strategies stood as one JSON line each, which pushed the
 * other results off the screen; their figures could not be seen one by one; and a search over one parameter was drawn as a
 * heat map of one row.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run, start, strategyFile, root } from '../e2e/cli.ts';
import { findChromium, isBrowserAsked, launch } from '../research/report/browser.ts';

const chromium = findChromium();

it('a browser is there where it is asked for', (context) => {
  if (chromium === undefined && !isBrowserAsked) context.skip('no Chromium here');
  expect(chromium).toBeDefined();
});

const TRIALS = 6;

async function writeResults(cwd: string): Promise<void> {
  const data = ['--data', join(root, 'data', 'sample')];
  const maker = strategyFile('spread-maker');
  mkdirSync(join(cwd, 'data', 'results'), { recursive: true });
  mkdirSync(join(cwd, 'data', 'sessions'), { recursive: true });
  for (const wide of [2, 3]) {
    const strategies = [
      { file: maker, tag: 'maker', params: { halfSpreadBps: 0.5 } },
      { file: maker, tag: 'wide', params: { halfSpreadBps: wide } },
    ];
    writeFileSync(join(cwd, 'c.yaml'), JSON.stringify({ strategies }));
    const result = ['--result', `data/results/wide-${wide}.json`];
    const tested = await run(['backtest', '--config', 'c.yaml', ...data, '--without-lockbox', ...result], { cwd });
    expect(tested.code, tested.stderr).toBe(0);
  }
  writeFileSync(join(cwd, 'space.yaml'), 'parameters: { halfSpreadBps: { from: 0.2, to: 3 } }\n');
  const asked = ['--space', 'space.yaml', '--method', 'random', '--trials', String(TRIALS), '--workers', '1'];
  const swept = await run(['sweep', maker, ...data, ...asked, '--result', 'data/results/sweep.json'], { cwd });
  expect(swept.code, swept.stderr).toBe(0);
}

it.skipIf(chromium === undefined)(
  'shows several strategies one by one, and a single parameter as a chart',
  async () => {
    const cwd = freshFolder();
    await writeResults(cwd);
    const server = start(['dashboard', '--data', 'data', '--port', '0'], { cwd });
    const link = await server.during('the link', async () => /http:\S+#token=\S+/.exec(server.stderr)?.[0]);
    const browser = await launch(chromium ?? '');
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(link);
      await page.waitForSelector('main[data-screen] h1');
      const list = (await page.evaluate(`fetch('/api/v1/results').then((answer) => answer.json())`)) as {
        readonly results: readonly { readonly id: string; readonly file: string }[];
      };
      const ids = new Map(list.results.map(({ id, file }) => [file.split('/').at(-1) ?? '', id]));
      const show = async (hash: string, wanted: string): Promise<void> => {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        await page.waitForSelector(wanted);
      };

      await show(`#/research?with=${ids.get('wide-2.json')},${ids.get('wide-3.json')}`, 'table.compared');
      const rows = (await page.evaluate(
        `[...document.querySelectorAll('table.compared td.num.mono')].map((cell) => cell.closest('tr').innerText)`,
      )) as readonly string[];
      expect([...new Set(rows)]).toEqual(['wide halfSpreadBps\t2\t3']);
      const fits = `[...document.querySelectorAll('.scroll')].every((one) => one.scrollWidth <= one.clientWidth)`;
      expect(await page.evaluate(fits)).toBe(true);

      const select = 'select[aria-label="Figures and parameters of"]';
      await show(`#/research/${ids.get('wide-2.json')}`, select);
      await page.selectOption(select, 'wide');
      await page.waitForSelector('.pairs code:text-is("2")');
      await page.click('button:text-is("maker")');
      await page.waitForSelector('.pairs code:text-is("0.5")');

      await show(`#/research/${ids.get('sweep.json')}`, 'svg.profile');
      expect(await page.locator('svg.profile circle').count()).toBe(TRIALS);
      expect(await page.locator('svg.profile circle.best').count()).toBe(1);
      expect(await page.locator('svg.heat-map, svg.parallel').count()).toBe(0);
    } finally {
      await browser.close();
    }
  },
);
