/**
 * Found by a session that could not be replayed: its strategy had a parameter without a default, given by `--param`, and stood
 * in no configuration. `replay`, `drift` and `shadow` asked for the parameter instead of taking the session's.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { configSchema } from '../../src/session/config/schema.ts';
import { strategiesOf } from '../../src/session/rerun.ts';

const dir = mkdtempSync(join(tmpdir(), 'tidewire-parameter-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const CODE = `import { EMPTY } from 'rxjs';
import { defineStrategy, z } from 'tidewire';

export default defineStrategy({
  name: 'asker',
  params: z.object({ symbol: z.string(), since: z.number().default(7) }),
  setup: () => EMPTY,
});
`;

it('is taken from the session, and a default that is new since then from the code', async () => {
  const file = join(dir, 'asker.ts');
  writeFileSync(file, CODE);
  const [prepared] = await strategiesOf([{ file, tag: 'mine', params: { symbol: 'BTCUSDT' } }], configSchema.parse({}));
  expect(prepared).toMatchObject({ file, tag: 'mine', params: { symbol: 'BTCUSDT', since: 7 }, onStop: 'cancel' });
});
