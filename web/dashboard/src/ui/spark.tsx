/** A small curve without axes; a dotted line is where it began. */
import type { VNode } from 'preact';

const [WIDTH, HEIGHT, AIR] = [240, 40, 3];

export function Spark({ values, name }: { readonly values: readonly number[]; readonly name: string }): VNode {
  if (values.length < 2)
    return (
      <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: too few points yet`} />
    );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const x = (index: number): number => (index / (values.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - AIR - ((value - low) / span) * (HEIGHT - 2 * AIR);
  const path = values
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const start = y(values[0] ?? 0);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={name}>
      <path class="area" d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <line x1="0" x2={WIDTH} y1={start} y2={start} />
      <path d={path} />
    </svg>
  );
}
