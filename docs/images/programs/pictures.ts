/** The pictures that belong to the examples of `docs/programs.md` as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw } from './draw.ts';
import { lives } from './lives.ts';
import { run } from './run.ts';

export interface Picture {
  readonly name: string;
  readonly svg: string;
  /** The program's last word. */
  readonly end: string;
}

export async function pictures(): Promise<readonly Picture[]> {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'programs.md'), 'utf8');
  const made: Picture[] = [];
  for (const [name, life] of Object.entries(lives)) {
    const code = new RegExp(`^### \`${name}\`[\\s\\S]*?\`\`\`ts\\n([\\s\\S]*?)\`\`\``, 'm').exec(page)?.[1];
    if (code === undefined) throw new Error(`docs/programs.md has no example of ${name}`);
    const happened = await run(code, life);
    made.push({ name, svg: draw(name, life, happened), end: happened.end });
  }
  return made;
}
