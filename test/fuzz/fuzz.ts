/** All targets with their shares of a number of inputs. The same seed draws the same inputs. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../../src/model/random.ts';
import { fuzzAccount } from './account.ts';
import { fuzzAnswers } from './answers.ts';
import { fuzzBook } from './book.ts';
import { gatherCorpus, type Corpus } from './corpus.ts';
import { fuzzFiles } from './files.ts';
import { Findings, type Finding } from './findings.ts';
import { fuzzReadings } from './readings.ts';
import { fuzzWire } from './wire.ts';

type Fuzz = (count: number, corpus: Corpus, random: ReturnType<typeof seededRandom>, findings: Findings) => unknown;

const targets: readonly (readonly [name: string, share: number, fuzz: Fuzz])[] = [
  ['wire', 0.5, fuzzWire],
  ['book', 0.2, fuzzBook],
  ['account', 0.14, fuzzAccount],
  ['readings', 0.05, fuzzReadings],
  ['answers', 0.1, fuzzAnswers],
  ['files', 0.01, fuzzFiles],
];

export interface FuzzReport {
  readonly inputs: number;
  readonly findings: readonly Finding[];
  readonly broken: number;
  /** `target kind` and how often. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Heap after all inputs less the heap before, KiB. */
  readonly heapGrowthKib: number;
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heapKib(): number {
  if (typeof collect === 'function') for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed / 1024;
}

export async function fuzz(seed: number, count: number, onTarget?: (line: string) => void): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const corpus = await gatherCorpus(seed);
  const kinds = new Map<string, number>();
  const findings: Finding[] = [];
  let inputs = 0;
  let broken = 0;
  let startKib = 0;
  for (const [name, share, run] of targets) {
    const found = new Findings(name);
    // What every target loads and compiles once is not growth.
    await run(Math.min(200, count), corpus, random.fork(`${name} before`), new Findings(name));
    startKib ||= heapKib();
    const part = Math.round(count * share);
    const startedMs = performance.now();
    await run(part, corpus, random.fork(name), found);
    onTarget?.(`${name}: ${part} inputs, ${found.total} broken, ${Math.round(performance.now() - startedMs)} ms`);
    for (const [kind, times] of found.kinds) kinds.set(`${name} ${kind}`, times);
    findings.push(...found.list);
    inputs += part;
    broken += found.total;
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) {
    findings.push({ target: 'all', law: 'the prototype of every object was changed', input: '' });
    broken++;
  }
  return { inputs, findings, broken, kinds, heapGrowthKib: Math.round(heapKib() - startKib) };
}
