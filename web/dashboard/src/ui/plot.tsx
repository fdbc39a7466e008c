/** Mounts a `CurvePlot` and feeds it; the scheme or the zone changes, and it is made anew. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CurvePlot, type Columns, type PlotSpec } from '../charts/curve-plot.ts';
import { scheme } from '../state/theme.ts';
import { zone } from './time.ts';

interface PlotProps {
  readonly name: string;
  readonly columns: Columns;
  /** Read when the plot is made, so that colours are those of the scheme. */
  readonly spec: () => PlotSpec;
  readonly height: number;
}

export function Plot({ name, columns, spec, height }: PlotProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<CurvePlot | null>(null);
  useEffect(() => {
    if (box.current === null) return undefined;
    plot.current = new CurvePlot(box.current, columns, spec());
    return () => plot.current?.remove();
  }, [scheme.value, zone.value, columns.length]);
  useEffect(() => plot.current?.set(columns), [columns]);
  return <div class="chart" ref={box} role="img" aria-label={name} style={{ height: `${height}px` }} />;
}
