/** A paper session that falls out of the band of its validation: an alarm, a page, and a pause. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, start, strategyFile } from './cli.ts';
import { entriesOf, sessions } from './session-view.ts';

it('a session below the band of its validation is paused and paged', async () => {
  const cwd = freshFolder();
  const fan = [{ period: 1, band: [2, 2, 2, 2, 3] }];
  const base = { sampleMs: 1000 };
  const validation = (strategy: string): string =>
    JSON.stringify({ command: 'validate', strategy, params: {}, base, bands: { fan } });
  writeFileSync(join(cwd, 'validation.json'), validation('another'));
  const entry = { file: strategyFile('spread-maker'), band: { validation: 'validation.json', action: 'pause' } };
  const alerts = [{ kind: 'file', path: 'alerts.jsonl' }];
  writeFileSync(join(cwd, 'c.yaml'), JSON.stringify({ strategies: [entry], alerts }));
  const refused = await run(['paper', '--config', 'c.yaml', '--json'], { cwd });
  expect([refused.code, errorOf(refused).code]).toEqual([2, 'band_unusable']);

  writeFileSync(join(cwd, 'validation.json'), validation('spread-maker'));
  const running = start(['paper', '--config', 'c.yaml', '--json'], { cwd });
  const path = await running.during('a pause', async () => {
    const [session] = await sessions(cwd);
    return session !== undefined && entriesOf(session.path, 'pause').length > 0 ? session.path : undefined;
  });
  expect(entriesOf(path, 'pause')[0]).toMatchObject({ strategy: 'spread-maker', on: true });
  expect(entriesOf(path, 'alarm').map(({ code }) => code)).toContain('left_band');
  await running.during('the page', () =>
    existsSync(join(cwd, 'alerts.jsonl')) && readFileSync(join(cwd, 'alerts.jsonl'), 'utf8').includes('left_band')
      ? true
      : undefined,
  );
  await running.during('no order', async () => ((await sessions(cwd))[0]?.openOrders.length === 0 ? true : undefined));
  const ended = await running.signal('SIGINT');
  expect(ended.code).toBe(0);
  const { warnings } = documentOf<{ readonly warnings: readonly string[] }>(ended);
  expect(warnings).toContainEqual(
    expect.stringMatching(/^alarm left_band: spread-maker: the result is .* after 1 s, /),
  );
});
