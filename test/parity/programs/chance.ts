/** Draws of the parity runs of programs. */

export type Random = () => number;

/** A plain generator of the tests' own. */
export function chanceOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[Math.floor(random() * items.length)] ?? items[0];
export const between = (random: Random, from: number, to: number): number => from + random() * (to - from);
/** `{ name: value }`, or nothing when undefined. */
export const given = <K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { [key in K]: V });
