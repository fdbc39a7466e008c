/**
 * How V8's heap grows in commands that read much data. Left alone it takes what makes nothing faster: these are called once
 * each by such commands, and by the benches that stand for them.
 */
import { setFlagsFromString } from 'node:v8';

/** A shorter replay makes too little garbage for the heap to grow. */
const LONG_EVENTS = 30_000_000;

/**
 * Keeps V8's young generation at the size that loading the program has given it (about 30 MB); it would grow to 134 MB in a
 * long replay or import. When the modules are there.
 */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the heap of a long replay grow by half between two collections instead of to four times of what is alive: the rest
 * would be orders that are long forgotten. When its events are counted.
 */
export function keepHeapNarrow(events: number): void {
  if (events >= LONG_EVENTS) setFlagsFromString('--heap-growing-percent=50');
}
