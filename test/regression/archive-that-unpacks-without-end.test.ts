/** An import is bounded before it is built up in memory: by the length of a line, and by how far an archive unpacks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, createGzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';

const MB = 1024 * 1024;

/** `megabytes` times the same piece, packed. */
async function packed(piece: Buffer, megabytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
  const out: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => out.push(chunk));
  for (let count = 0; count < megabytes; count++) {
    await new Promise((resolve) => gzip.write(piece, resolve));
  }
  await new Promise((resolve) => gzip.end(resolve));
  return Buffer.concat(out);
}

const TRADE =
  '{"ts":1700000000000,"symbol":"BTCUSDT","type":"trade","tradeId":"1","price":"1","quantity":"1","side":"buy"}\n';

const CASES = [
  { name: 'a line without end', piece: Buffer.alloc(MB, 0x30), megabytes: 300, says: 'a line is longer' },
  { name: 'lines without end', piece: Buffer.from(TRADE.repeat(10_000)), megabytes: 300, says: 'times its size' },
];

it.each(CASES)(
  'import/bounds/$name-are-refused-in-little-memory',
  { timeout: 60_000 },
  async ({ piece, megabytes, says }) => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'big.gz'), await packed(piece, megabytes));
    const args = ['data', 'import', '--from', 'jsonl', 'big.gz', '--symbol', 'BTCUSDT', '--out', 'out', '--json'];
    // A process that built up what unpacks would need far more than this.
    const ended = await run(args, { cwd, env: { NODE_OPTIONS: '--max-old-space-size=160' } });
    expect([ended.code, ended.signal]).toEqual([2, null]);
    expect(errorOf(ended)).toMatchObject({ code: 'import_wrong_format', message: expect.stringContaining(says) });
  },
);
