/**
 * Found from outside: `data import` and `data download` into a folder that was no recording deleted all that it held, without a word:
 * `--out data` took the journals of live sessions.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording, requireReplaceable } from '../../src/recording/importers/import.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const TRADE = JSON.stringify({ ts: 1, symbol: 'A', type: 'trade', tradeId: '1', price: 1, quantity: 1, side: 'buy' });

const imported = (out: string) =>
  importRecording({ format: 'jsonl', files: [writeFixture('x.jsonl', TRADE)], symbols: [], out, now: 0 });

const refused = { code: 'recording_exists', exit: 2 };

it('data/import/refuses-a-folder-with-other-files', async () => {
  const out = join(freshDir(), 'data');
  mkdirSync(join(out, 'sessions', 'live-1'), { recursive: true });
  writeFileSync(join(out, 'sessions', 'live-1', 'journal.db'), 'money');
  await expect(imported(out)).rejects.toMatchObject(refused);
  await expect(imported(join(out, 'sessions', 'live-1', 'journal.db'))).rejects.toMatchObject(refused);
  expect(() => requireReplaceable({ format: 'jsonl', symbols: ['A'], out })).toThrow('holds sessions');
  expect(readFileSync(join(out, 'sessions', 'live-1', 'journal.db'), 'utf8')).toBe('money');
});

it('data/import/refuses-files-beside-an-import-of-its-own-and-segments-without-a-manifest', async () => {
  const out = join(freshDir(), 'out');
  await imported(out);
  writeFileSync(join(out, 'diary.txt'), 'mine');
  await expect(imported(out)).rejects.toMatchObject(refused);
  rmSync(join(out, 'diary.txt'));
  writeFileSync(join(out, 'compiled.tape'), '');
  expect((await imported(out)).frames).toBe(1);
  rmSync(join(out, 'recording.json'));
  await expect(imported(out)).rejects.toMatchObject(refused);
  expect(readdirSync(out)).toContain('frames-000001.twf');
});

it('data/import/takes-an-empty-folder', async () => {
  const out = join(freshDir(), 'out');
  mkdirSync(out);
  expect((await imported(out)).frames).toBe(1);
});
