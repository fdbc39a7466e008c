/** Mutations of the bytes of a file, as seeds draw them: what disks, copies and editors do to it. */
import type { Random } from '../../src/model/ports.ts';

function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // A bit, a byte.
  (bytes, random) => {
    const at = below(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
    return bytes;
  },
  (bytes, random) => {
    bytes[below(random, bytes.length)] = below(random, 256);
    return bytes;
  },
  // Cut short; a sector of zeros; a part that is gone, is there twice, or changed places.
  (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  (bytes, random) => {
    const at = below(random, bytes.length);
    return bytes.fill(0, at, Math.min(bytes.length, at + 512));
  },
  (bytes, random) => {
    const at = below(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 300))]);
  },
  (bytes, random) => {
    const at = below(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 1 - below(random, 300)))]);
  },
  (bytes, random) => {
    const [from, to] = [below(random, bytes.length), below(random, bytes.length)];
    bytes.copy(bytes, to, from, Math.min(bytes.length, from + 64));
    return bytes;
  },
];

/** One mutation of a copy. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const mutate = MUTATIONS[below(random, MUTATIONS.length)];
  return bytes.length === 0 || mutate === undefined ? bytes : mutate(Buffer.from(bytes), random);
}
