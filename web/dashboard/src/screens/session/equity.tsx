/** Equity with its drawdown, and the result of trading apart from the drift of what was held. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { css } from '../../charts/palette.ts';
import { digitsOf, type Columns, type PlotSpec } from '../../charts/curve-plot.ts';
import type { SessionStore } from '../../state/session-store.ts';
import type { EquityPoint } from '../../wire/types.ts';
import { grouped, money, percent, signed } from '../../ui/number.ts';
import { Card, Choice } from '../../ui/parts.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Empty } from '../../ui/states.tsx';
import { deepestFall } from '../../state/curve.ts';
import { stampSeconds } from '../../ui/time.ts';

const VIEWS = [
  { id: 'pnl', text: 'Trading PnL' },
  { id: 'equity', text: 'Equity' },
] as const;

export function EquityCard({ store }: { readonly store: SessionStore }): VNode {
  const [view, setView] = useState<(typeof VIEWS)[number]['id']>('pnl');
  const currency = store.detail.value?.currency ?? '';
  const points = store.curve.points;
  const version = store.curve.version.value;
  const fall = useMemo(() => deepestFall(points), [version]);
  return (
    <Card
      title="Result"
      note={`${currency}, deepest fall of equity ${money(fall.amount)} (${percent(fall.share, 3)})`}
      actions={<Choice name="Curve" tabs={VIEWS} selected={view} onSelect={setView} />}
    >
      {points.length < 2 ? (
        <Empty title="No curve yet">
          <span>A point is added each second while the session runs.</span>
        </Empty>
      ) : view === 'pnl' ? (
        <PnlPlot key="pnl" points={points} version={version} currency={currency} />
      ) : (
        <EquityPlot key="equity" points={points} version={version} currency={currency} />
      )}
    </Card>
  );
}

interface PlotProps {
  readonly points: readonly EquityPoint[];
  readonly version: number;
  readonly currency: string;
}

const hidden = { points: { show: false } };

function PnlPlot({ points, version, currency }: PlotProps): VNode {
  const columns = useMemo<Columns>(
    () => [points.map(({ ts }) => ts), points.map(({ netPnl }) => netPnl), points.map(({ heldDrift }) => heldDrift)],
    [version],
  );
  const spec = (): PlotSpec => ({
    height: 190,
    unit: currency,
    showTime: true,
    series: [
      { stroke: css('--accent'), width: 1.75, ...hidden },
      { stroke: css('--price'), width: 1, dash: [4, 3], show: false, ...hidden },
    ],
    describe: (index, [ts, pnl, drift]) =>
      `${stampSeconds(ts?.[index])}   trading ${signed(pnl?.[index], digitsOf([...(pnl ?? [])]))}   drift of what was held ${signed(drift?.[index])} ${currency}`,
  });
  return (
    <>
      <Plot name="Trading PnL over time" columns={columns} spec={spec} height={190} />
      <div class="foot legend">
        <span class="buy">
          <i /> result of own trading, after fees
        </span>
        <span>{`drift of what was held: ${signed(points.at(-1)?.heldDrift)} ${currency}, not made by trading`}</span>
      </div>
    </>
  );
}

function EquityPlot({ points, version, currency }: PlotProps): VNode {
  const columns = useMemo<Columns>(() => {
    let peak = Number.NEGATIVE_INFINITY;
    const peaks = points.map(({ equity }) => (peak = Math.max(peak, equity)));
    return [points.map(({ ts }) => ts), points.map(({ equity }) => equity), peaks];
  }, [version]);
  const falls = useMemo<Columns>(() => {
    const [ts, equity, peaks] = columns;
    return [ts, (equity ?? []).map((value, index) => ((value ?? 0) / (peaks?.[index] || 1) - 1) * 100)];
  }, [columns]);
  const main = (): PlotSpec => ({
    height: 130,
    unit: currency,
    showTime: false,
    series: [
      { stroke: css('--accent'), width: 1.5, ...hidden },
      { stroke: 'transparent', width: 0, ...hidden },
    ],
    bands: [{ series: [2, 1], fill: css('--loss-soft') }],
    describe: (index, [ts, equity]) => `${stampSeconds(ts?.[index])}   ${grouped(equity?.[index] ?? 0, 2)} ${currency}`,
  });
  const under = (): PlotSpec => ({
    height: 90,
    unit: '%',
    showTime: true,
    range: (low) => [low < 0 ? low * 1.1 : -0.01, 0],
    series: [{ stroke: css('--loss'), width: 1, fill: css('--loss-soft'), ...hidden }],
    describe: (index, [ts, fall]) =>
      `${stampSeconds(ts?.[index])}   ${grouped(fall?.[index] ?? 0, 4)} % below the peak`,
  });
  return (
    <>
      <Plot name="Equity over time" columns={columns} spec={main} height={130} />
      <Plot name="Fall of equity below its peak" columns={falls} spec={under} height={90} />
    </>
  );
}
