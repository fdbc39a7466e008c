/**
 * Found by a session that could not be replayed: its schema turned the text of a parameter into a number, and took the number
 * that was recorded for a mistake. And by two backtests with one run hash: what they were given became a Set, of which JSON
 * keeps nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { configSchema } from '../../src/session/config/schema.ts';
import { strategiesOf } from '../../src/session/rerun.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';

const dir = mkdtempSync(join(tmpdir(), 'tidewire-recalled-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function strategyWith(name: string, params: string): string {
  const file = join(dir, `${name}.ts`);
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'tidewire';
export default defineStrategy({ name: '${name}', params: z.object({ ${params} }), setup() {} });
`,
  );
  return file;
}

const prepare = (file: string, params: Readonly<Record<string, string>>) =>
  prepareStrategies({ file, params, entries: [] });

it('are those of the session, where the schema changes their type, too', async () => {
  const share = 'z.string().transform((text) => Number(text) / 100).default(0.05)';
  const file = strategyWith(
    'changing',
    `share: ${share}, twice: z.number().transform((n) => 2 * n), since: z.number().default(7)`,
  );
  const [live] = await prepare(file, { share: '7', twice: '3' });
  expect(live?.params).toEqual({ share: 0.07, twice: 6, since: 7 });
  const config = configSchema.parse({});
  const [again] = await strategiesOf([{ file, tag: 'changing', params: { share: 0.07, twice: 6 } }], config);
  expect(again?.params).toEqual({ share: 0.07, twice: 6, since: 7 });
  const wrong = strategiesOf([{ file, tag: 'changing', params: { share: 0.07, twice: 6, since: 'noon' } }], config);
  await expect(wrong).rejects.toMatchObject({
    code: 'strategy_param_invalid',
    message: expect.stringContaining('since'),
  });
});

it.each([
  ['a bigint', 'z.bigint()', '5'],
  ['a Set', "z.string().transform((text) => new Set(text.split(',')))", 'a,b'],
  ['a Date', 'z.date()', '2026-01-01'],
  ['an infinite number', 'z.string().transform(Number)', 'Infinity'],
  ['one of them inside a list', 'z.array(z.string().transform((text) => new Date(text)))', '2026-01-01'],
])('are refused where no session could keep them: %s', async (_, schema, text) => {
  const file = strategyWith('odd', `value: ${schema}`);
  await expect(prepare(file, { value: text })).rejects.toMatchObject({
    code: 'strategy_param_invalid',
    message: expect.stringMatching(/value.*plain JSON/),
  });
});
