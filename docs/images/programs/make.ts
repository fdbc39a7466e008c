/**
 * Makes the picture of each program from the example that stands under its heading in `docs/programs.md`:
 * `node docs/images/programs/make.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictures } from './pictures.ts';

for (const { name, svg, end } of await pictures()) {
  process.stdout.write(`${name}: ${end}\n`);
  writeFileSync(join(import.meta.dirname, `${name}.svg`), svg);
}
