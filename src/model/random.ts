/** xoshiro128** seeded through SplitMix32. */
import type { Random } from './ports.ts';

function hashName(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

function splitMix32(state: number): () => number {
  let current = state >>> 0;
  return () => {
    current = (current + 0x9e3779b9) >>> 0;
    let mixed = current ^ (current >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

export function seededRandom(seed: number): Random {
  const mix = splitMix32(seed);
  let a = mix();
  let b = mix();
  let c = mix();
  let d = mix();
  const nextUint = (): number => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return {
    next: () => (nextUint() * 0x200000 + (nextUint() >>> 11)) / 0x20000000000000,
    fork: (name) => seededRandom(hashName(seed, name)),
  };
}

/** Marsaglia polar method. */
export function normal(random: Random): number {
  for (;;) {
    const u = 2 * random.next() - 1;
    const v = 2 * random.next() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.next());
}
