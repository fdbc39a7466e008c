/** What a strategy logged with `log.info` in a backtest was shown nowhere; the fields of `log.warn` and `log.error` were not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, root, run } from '../e2e/cli.ts';

it('backtest/log/info-of-a-strategy-goes-to-stderr-up-to-a-bound', async () => {
  const cwd = freshFolder();
  const file = join(cwd, 'chatty.ts');
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'tidewire';
export default defineStrategy({
  name: 'chatty',
  params: z.object({}),
  setup({ log }) {
    for (let number = 1; number <= 105; number++) log.info({ number, token: 'abc' }, 'wide');
    log.warn({}, 'narrow');
    log.warn({ left: 2, token: 'abc' }, 'narrower');
    log.error({ left: 1 }, 'narrowest');
  },
});
`,
  );
  const ended = await run(['backtest', file, '--data', join(root, 'data', 'sample'), '--json'], { cwd });
  expect(ended.code).toBe(0);
  expect(documentOf<{ readonly strategy: string }>(ended).strategy).toBe('chatty');
  const said = ended.stderr.split('\n');
  const info = said.filter((line) => line.startsWith('info chatty: wide'));
  expect(info).toHaveLength(100);
  expect(info[0]).toBe('info chatty: wide {"number":1,"token":"***"}');
  expect(said).toContain('info strategies say more: after 100 lines only warnings and errors are shown');
  expect(said).toContain('warn chatty: narrow');
  expect(said).toContain('warn chatty: narrower {"left":2,"token":"***"}');
  expect(said).toContain('error chatty: narrowest {"left":1}');
});
