/** Every TypeScript block of docs/strategy.md compiles: whole files as they are, small examples inside of a `setup`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as rxjs from 'rxjs';
import { problemText, typecheckStrategy } from '../../src/strategy/typecheck.ts';

const builders = 'cancel, cancelAll, defineStrategy, flatten, note, place, quote, target, transfer, z';
const operators = Object.keys(rxjs)
  .filter((name) => /^[a-z]/.test(name))
  .join(', ');

function moduleOf(block: string): string {
  if (block.startsWith('import ')) return block;
  return [
    `import { ${builders} } from 'tidewire';`,
    `import { ${operators} } from 'rxjs';`,
    "export default defineStrategy({ name: 'block', params: z.object({ symbol: z.string() }),",
    'setup({ params, market, account, p2p, clock, random, state, indicators, log }) {',
    'const { symbol } = params;',
    block,
    '} });',
  ].join('\n');
}

test('the code blocks of the guide', async () => {
  const guide = await readFile('docs/strategy.md', 'utf8');
  const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(blocks.length).toBeGreaterThan(15);
  const folder = await mkdtemp(join(tmpdir(), 'tidewire-guide-'));
  try {
    await Promise.all(blocks.map((block, index) => writeFile(join(folder, `block-${index}.ts`), moduleOf(block))));
    const all = blocks.map((_, index) => `import './block-${index}.ts';`).join('\n');
    await writeFile(join(folder, 'all.ts'), all);
    const result = await typecheckStrategy(join(folder, 'all.ts'));
    expect(result.kind === 'checked' ? result.problems.map(problemText) : result).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
