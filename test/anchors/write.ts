/** `npm run anchors`: renews `golden.json`, and prints what moved. Cases whose data is absent keep their hashes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorCases, isHere, type Hashes } from './cases.ts';

const FILE = join(import.meta.dirname, 'golden.json');
const before = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Hashes>;
const after: Record<string, Hashes> = {};

for (const anchor of anchorCases) {
  const { name } = anchor;
  const known = before[name];
  if (!isHere(anchor)) {
    if (known !== undefined) after[name] = known;
    process.stdout.write(`${name}: not run, ${anchor.needs} is absent\n`);
    continue;
  }
  const hashes = await anchor.run();
  after[name] = hashes;
  const moved = Object.keys(hashes).filter((part) => hashes[part] !== known?.[part]);
  process.stdout.write(`${name}: ${moved.length === 0 ? 'the same' : `moved: ${moved.join(', ')}`}\n`);
}
writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);
