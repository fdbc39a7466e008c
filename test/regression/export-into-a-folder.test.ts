/**
 * `data export --out` with the name of a folder wrote everything, could not rename it, closed the file twice and called
 * that a bug of tidewire; the draft stayed.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { TextFile } from '../../src/recording/export/text-file.ts';
import { trade, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

it.each(['csv', 'jsonl', 'parquet'])('%s is refused before anything is read, and leaves nothing', async (format) => {
  const { path } = await world.record([trade(1_700_000_000_000, '100', '1', 'buy')]);
  const folder = join(world.dir, `out-${format}`);
  mkdirSync(join(folder, 'there'), { recursive: true });
  const { exit, err } = await world.command('data', 'export', path, '--format', format, '--out', folder);
  expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('import_bad_option') });
  expect(readdirSync(world.dir).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

it('a file that cannot take its name leaves no draft', () => {
  const folder = join(world.dir, 'taken');
  mkdirSync(join(folder, 'there'), { recursive: true });
  const file = new TextFile(folder);
  file.line('a');
  expect(() => file.finish()).toThrow('rename');
  file.abandon();
  expect(readdirSync(world.dir).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
