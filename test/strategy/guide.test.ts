/**
 * Every TypeScript block of the guides compiles: whole files as they are, small examples inside of a `setup`. Those that
 * place orders are run on the sample data, and none is denied.
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as rxjs from 'rxjs';
import * as tidewire from '../../src/index.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { problemText, typecheckStrategy } from '../../src/strategy/loading/typecheck.ts';

const builders = Object.keys(tidewire).filter((name) => /^[a-z]/.test(name));
const operators = Object.keys(rxjs).filter((name) => /^[a-z]/.test(name) && !builders.includes(name));

function moduleOf(block: string): string {
  if (block.startsWith('import ')) return block;
  return [
    `import { ${builders.join(', ')} } from 'tidewire';`,
    `import { ${operators.join(', ')} } from 'rxjs';`,
    "export default defineStrategy({ name: 'block', params: z.object({ symbol: z.string().default('BTCUSDT') }),",
    'setup({ params, market, account, p2p, clock, random, state, signals, indicators, chart, log }) {',
    'const { symbol } = params;',
    block,
    '} });',
  ].join('\n');
}

async function guideBlocks(page = 'strategy'): Promise<readonly string[]> {
  const guide = await readFile(`docs/${page}.md`, 'utf8');
  return [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

/** They import strategies of this repository. */
async function otherBlocks(): Promise<readonly string[]> {
  const blocks = await Promise.all(['testing', 'programs'].map((page) => guideBlocks(page)));
  return blocks.flat().map((block) => block.replaceAll("'../strategies/", `'${resolve('strategies')}/`));
}

test('the code blocks of the guide', { timeout: 90_000 }, async () => {
  const others = await otherBlocks();
  const blocks = [...(await guideBlocks()), ...others];
  expect(others.length).toBeGreaterThan(1);
  expect(blocks.length).toBeGreaterThan(30);
  const folder = await mkdtemp(join(tmpdir(), 'tidewire-guide-'));
  try {
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await Promise.all(blocks.map((block, index) => writeFile(join(folder, `block-${index}.ts`), moduleOf(block))));
    // A test imports a strategy of the guide by its name.
    for (const block of blocks) {
      const name = /define(?:Candle)?Strategy\(\{\s*name: '([\w-]+)'/.exec(block)?.[1];
      if (name !== undefined) await writeFile(join(folder, `${name}.ts`), block);
    }
    const all = blocks.map((_, index) => `import './block-${index}.ts';`).join('\n');
    await writeFile(join(folder, 'all.ts'), all);
    const result = await typecheckStrategy(join(folder, 'all.ts'));
    expect(result.kind === 'checked' ? result.problems.map(problemText) : result).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the code blocks that place orders are taken by the market of the sample', async () => {
  const blocks = (await guideBlocks()).filter((block) => /\bplace\(/.test(block));
  expect(blocks.length).toBeGreaterThan(1);
  const folder = await mkdtemp(join(tmpdir(), 'tidewire-guide-'));
  try {
    // Of "Read a file": above the market, so that it fills.
    await writeFile(join(folder, 'levels.csv'), 'price,quantity\n60500,0.001\n');
    for (const [index, block] of blocks.entries()) {
      const file = join(folder, `block-${index}.ts`);
      await writeFile(file, moduleOf(block));
      const { result, failures } = await backtest({
        config: configSchema.parse({}),
        strategies: await prepareStrategies({ file, params: {}, entries: [] }),
        data: ['data/sample'],
        seed: 1,
        repeat: 1,
        logger: silentLogger,
      });
      expect([...failures.values()]).toEqual([]);
      // What was withdrawn before it left is the guide's own example of that.
      const taken = result.orders.filter(({ reason }) => reason !== 'superseded');
      expect(taken.filter(({ state }) => state !== 'filled' && state !== 'canceled')).toEqual([]);
      expect(result.fills.length).toBeGreaterThan(0);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
