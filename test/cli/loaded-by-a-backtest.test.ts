/** A backtest waits for no file that it does not run: the client of the exchange, the reconciler, the bridge, the report. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { freshFolder, root, run, strategyFile } from '../e2e/cli.ts';

const NOT_RUN = /\/(undici|ws)\/|src\/(bridge|exchange\/client|reconciler\/reconciler|research\/report|sandbox)\b/;

function hookInto(list: string): string {
  return `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => {
  appendFileSync(${JSON.stringify(list)}, url + '\\n');
  return next(url, context);
} });`;
}

it('loads what it runs, and the report where one is asked for', async () => {
  const cwd = freshFolder();
  cpSync(join(root, 'data/sample-bars'), join(cwd, 'bars'), { recursive: true });
  const loaded = async (...more: string[]): Promise<string[]> => {
    const [list, hook] = [join(cwd, 'loaded.txt'), join(cwd, 'hook.mjs')];
    writeFileSync(list, '');
    writeFileSync(hook, hookInto(list));
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` };
    const ended = await run(['backtest', strategyFile('ema-cross'), '--data', 'bars', ...more], { cwd, env });
    expect(ended).toMatchObject({ code: 0 });
    return readFileSync(list, 'utf8').split('\n');
  };
  const bare = await loaded();
  expect(bare.filter((url) => url.includes('src/session/backtest.ts'))).toHaveLength(1);
  expect(bare.filter((url) => NOT_RUN.test(url))).toEqual([]);
  const reported = await loaded('--report', 'report.html');
  expect(reported.some((url) => url.includes('src/research/report/render.ts'))).toBe(true);
});
