/** The examples of docs/programs.md do what their pictures show, over a kill of the process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pictures } from '../../docs/images/programs/pictures.ts';
import { isProgram } from '../../src/programs/rules.ts';

it('the pictures are those of the examples, one for each program', async () => {
  const made = await pictures();
  expect(made.filter(({ name }) => isProgram(name))).toHaveLength(13);
  for (const { name, svg, end } of made) {
    expect(end, name).toMatch(name === 'grid' ? /^works, 0\.0[1-9] filled$/ : /^done: /);
    expect(readFileSync(join('docs/images/programs', `${name}.svg`), 'utf8'), name).toBe(svg);
  }
});
