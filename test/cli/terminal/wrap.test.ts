/** Lines are broken and not cut: every character stays, none is beyond the width, colours go on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrap, wrapCommand } from '../../../src/cli/terminal/wrap.ts';

const COLOUR = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');
const word = fc.stringMatching(/^[a-z]{1,30}$/);
const line = fc.array(fc.tuple(word, fc.boolean()), { minLength: 1, maxLength: 12 });

describe('wrap', () => {
  it('wrap/whole: words stay, and no part is too wide', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 5, max: 100 }), (words, columns) => {
        const text = words.map(([each, red]) => (red ? `\u001b[31m${each}\u001b[0m` : each)).join('  ');
        const parts = wrap(text, columns).map((part) => part.replaceAll(COLOUR, ''));
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(columns);
        expect(parts.join('').replaceAll(' ', '')).toBe(words.map(([each]) => each).join(''));
      }),
    );
  });

  it('wrap/at-spaces: a word that fits a line is not broken, and the rest is indented', () => {
    expect(wrap('realised +1.50, unrealised +2.25 USDT', 24)).toEqual([
      'realised +1.50, ',
      '    unrealised +2.25 ',
      '    USDT',
    ]);
  });

  it('wrap/colour: goes on in the next part, and ends with each', () => {
    expect(wrap('\u001b[31mabc def\u001b[0m', 4)).toEqual(['\u001b[31mabc \u001b[0m', '\u001b[31mdef\u001b[0m']);
  });

  it('wrap/command: a shell that reads the lines has the command', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 100 }),
        (words, columns) => {
          const lines = wrapCommand(words.join(' '), columns);
          for (const each of lines) expect(each.length).toBeLessThanOrEqual(columns);
          expect(lines.join('\n').replaceAll('\\\n', '')).toBe(words.join(' '));
        },
      ),
    );
  });
});
