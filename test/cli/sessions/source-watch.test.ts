/** When a change of sources counts: once it rests, once each, on real files. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rest, signatureOf, watchSources } from '../../../src/cli/sessions/source-watch.ts';
import { HandClock, settle } from '../../execution/rig.ts';
import { freshFolder } from '../../e2e/cli.ts';

describe('a change', () => {
  it('counts once it has rested, and not when it was taken back', () => {
    const rest = new Rest('a');
    expect(rest.look('b', 0)).toBe(false);
    expect(rest.look('c', 200)).toBe(false);
    expect(rest.look('c', 400)).toBe(false);
    expect(rest.look('c', 500)).toBe(true);
    expect(rest.look('c', 700)).toBe(false);
    expect(rest.look('d', 900)).toBe(false);
    expect(rest.look('c', 1000)).toBe(false);
    expect(rest.look('c', 9000)).toBe(false);
  });

  it('is told exactly once for each state that came to rest', () => {
    const step = fc.record({ text: fc.constantFrom('a', 'b', 'c'), ms: fc.constantFrom(100, 200, 400) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const rest = new Rest('a');
        let now = 0;
        let known = 'a';
        let since = 0;
        let last = 'a';
        for (const { text, ms } of steps) {
          now += ms;
          if (text !== last) [last, since] = [text, now];
          const told = rest.look(text, now);
          expect(told).toBe(text !== known && now - since >= 300);
          if (told) known = text;
        }
      }),
    );
  });
});

describe('the sources', () => {
  it('are the strategy and its local imports, also new ones, and a file that is replaced', async () => {
    const dir = freshFolder();
    const main = join(dir, 'main.ts');
    mkdirSync(join(dir, 'parts'));
    writeFileSync(main, "import { a } from './parts/a.ts';\n");
    writeFileSync(join(dir, 'parts', 'a.ts'), 'export const a = 1;\n');
    writeFileSync(join(dir, 'other.ts'), 'nothing\n');
    const clock = new HandClock();
    const watch = watchSources([main], clock);
    let told = 0;
    const count = async (): Promise<void> => {
      await watch.changed();
      told++;
      await count();
    };
    void count();
    const rests = async (): Promise<number> => {
      clock.advance(1000);
      await settle();
      return told;
    };
    expect(await rests()).toBe(0);
    writeFileSync(join(dir, 'other.ts'), 'something else\n');
    expect(await rests()).toBe(0);
    writeFileSync(join(dir, 'parts', 'a.ts'), 'export const a = 22;\n');
    expect(await rests()).toBe(1);
    writeFileSync(join(dir, 'new.ts'), "import { a } from './parts/a.ts';\nimport './other.ts';\n");
    renameSync(join(dir, 'new.ts'), main);
    expect(await rests()).toBe(2);
    writeFileSync(join(dir, 'other.ts'), 'it counts now\n');
    expect(await rests()).toBe(3);
    rmSync(main);
    expect(await rests()).toBe(4);
    expect(signatureOf([main])).toBe('');
    watch.stop();
  });
});
