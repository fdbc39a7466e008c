/** Nearest known name: edit distance with transpositions. */

function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** Best first. */
export function nearest(wanted: string, known: Iterable<string>, count = 1): readonly string[] {
  const lower = wanted.toLowerCase();
  return [...known]
    .map((name) => ({ name, off: distance(lower, name.toLowerCase()) }))
    .filter(({ name, off }) => off <= Math.max(2, Math.floor(Math.max(name.length, wanted.length) / 2)))
    .toSorted((left, right) => left.off - right.off || left.name.localeCompare(right.name))
    .slice(0, count)
    .map(({ name }) => name);
}
