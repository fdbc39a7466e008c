/**
 * `npm run fuzz:bridge -- [--count 100000] [--seed 1]`: mutated requests against a paper session of its own, 10,000 by each
 * seed from the given one on. A line after each seed says where to go on after an interruption.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzBridge } from './fuzz.ts';
import { Api, PaperSession } from './paper-session.ts';
import { patient } from './patient.ts';

const BY_SEED = 10_000;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const folder = mkdtempSync(join(tmpdir(), 'tidewire-fuzz-'));
const session = new PaperSession(folder, ['--dashboard', '0', ...patient(folder)]);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
let [requests, messages, broken] = [0, 0, 0];
const all: Record<string, number> = {};
try {
  const api = new Api(await session.link());
  for (let seed = Number(values.seed); requests < Number(values.count); seed++) {
    const count = Math.min(BY_SEED, Number(values.count) - requests);
    const from = performance.now();
    const report = await fuzzBridge(api, seed, count);
    requests += report.requests;
    messages += report.messages;
    broken += report.broken.length;
    for (const [status, times] of Object.entries(report.byStatus)) all[status] = (all[status] ?? 0) + times;
    for (const line of report.broken.slice(0, 20)) say(line);
    const seconds = Math.round((performance.now() - from) / 1_000);
    say(`seed ${seed}: ${report.requests} requests in ${seconds} s, ${report.broken.length} broken`);
  }
} finally {
  const isAlive = session.child.exitCode === null;
  say(JSON.stringify(all));
  say(`${requests} requests, ${messages} messages, ${broken} broken, session ${isAlive ? 'runs' : 'ENDED'}`);
  process.exitCode = broken > 0 || !isAlive ? 1 : 0;
  await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
