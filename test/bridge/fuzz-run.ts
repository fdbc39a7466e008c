/** `npm run fuzz:bridge -- [--count 100000] [--seed 1]`: mutated requests against a paper session of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzBridge } from './fuzz.ts';
import { Api, PaperSession } from './paper-session.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const folder = mkdtempSync(join(tmpdir(), 'tidewire-fuzz-'));
const session = new PaperSession(folder, ['--dashboard', '0']);
try {
  const { requests, messages, byStatus, broken } = await fuzzBridge(
    new Api(await session.link()),
    Number(values.seed),
    Number(values.count),
  );
  for (const line of broken.slice(0, 20)) process.stdout.write(`${line}\n`);
  process.stdout.write(`${JSON.stringify(byStatus)}\n`);
  const isAlive = session.child.exitCode === null;
  process.stdout.write(
    `seed ${values.seed}: ${requests} requests, ${messages} messages, ${broken.length} broken, session ${isAlive ? 'runs' : 'ENDED'}\n`,
  );
  process.exitCode = broken.length > 0 || !isAlive ? 1 : 0;
} finally {
  await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
