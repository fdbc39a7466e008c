/**
 * One loop for a second, in a process of its own: prints how many rounds of it a second it did. Started by `ceiling.ts`.
 * `integers` needs nothing but a core, `memory` reads more than any cache holds, `garbage` makes short-lived objects.
 */
const WARM_UP_MS = 300;
const MEASURED_MS = 1000;
const MEMORY_BYTES = 128 * 2 ** 20;
/** One number of each line of the cache: fetching the line is the work. */
const LINE_NUMBERS = 8;

/** Results go here, so that no loop is left out as useless. */
let kept: unknown;

function integers(): () => void {
  return () => {
    let value = 123_456_789;
    for (let round = 0; round < 1_000_000; round++) {
      value ^= value << 13;
      value ^= value >>> 17;
      value ^= value << 5;
    }
    kept = value;
  };
}

function memory(): () => void {
  const numbers = new Float64Array(MEMORY_BYTES / 8).fill(1);
  return () => {
    let sum = 0;
    for (let at = 0; at < numbers.length; at += LINE_NUMBERS) sum += numbers[at]!;
    kept = sum;
  };
}

function garbage(): () => void {
  return () => {
    const ring: unknown[] = [];
    for (let made = 0; made < 20_000; made++) ring[made & 1023] = { made, text: String(made), pair: [made, made + 1] };
    kept = ring;
  };
}

const LOOPS: Readonly<Record<string, () => () => void>> = { integers, memory, garbage };

/** Rounds a second. */
function rate(round: () => void, forMs: number): number {
  const started = performance.now();
  let rounds = 0;
  for (; performance.now() - started < forMs; rounds++) round();
  return (rounds / (performance.now() - started)) * 1000;
}

const loop = LOOPS[process.argv[2] ?? ''];
if (loop === undefined) throw new Error(`a loop of ${Object.keys(LOOPS).join(', ')}, not ${process.argv[2]}`);
const round = loop();
rate(round, WARM_UP_MS);
console.log(rate(round, MEASURED_MS));
if (kept === undefined) throw new Error('the loop did nothing');
