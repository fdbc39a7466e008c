// Curves over time and bars by period: equity with its drawdown, the curves of a comparison, P&L.
(() => {
  'use strict';

  const { uPlot, tidewireReport: report } = window;
  const { axes, css, decimalsOf, grouped, mount, readout, roomFor, stamp } = report;

  /** Fitted to the curve with a little air; a flat one gets a thousandth around it. */
  function fitted(_, low, high) {
    const air = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.001 || 1;
    return [low - air, high + air];
  }

  const underRange = (_, low) => [low < 0 ? low * 1.08 : -1, 0];
  const cursor = () => ({ sync: { key: 'time' }, y: false, points: { size: 6 }, drag: { x: true, y: false } });
  const hidden = { points: { show: false } };

  /** The highest value so far, at each point. */
  function peaksOf(values) {
    let peak = -Infinity;
    return values.map((value) => (peak = Math.max(peak, value)));
  }

  /** A step function read at the times of another; before its first point it is `first`. */
  function readAt(ts, curve, first) {
    let at = -1;
    return ts.map((time) => {
      while (at + 1 < curve.ts.length && curve.ts[at + 1] <= time) at++;
      return at < 0 ? first : curve.value[at];
    });
  }

  /** Tells others what is shown of the time, when it changes. */
  function telling(onRange) {
    return {
      hooks: {
        setScale: (plot, key) => {
          if (key !== 'x') return;
          const { min, max } = plot.scales.x;
          const ts = plot.data[0];
          onRange(min, max, min <= ts[0] && max >= ts[ts.length - 1]);
        },
      },
    };
  }

  /** The curves of a result, read once. */
  function readCurves(data) {
    const ts = report.unpack(data.equity.ts);
    const equity = report.unpack(data.equity.value);
    const peak = peaksOf(equity);
    const drawdown = equity.map((value, i) => (peak[i] > 0 ? (value / peak[i] - 1) * 100 : 0));
    const hold = data.benchmark;
    const benchmark =
      hold === null ? null : readAt(ts, { ts: report.unpack(hold.ts), value: report.unpack(hold.value) }, equity[0]);
    return { ts, equity, peak, drawdown, benchmark };
  }

  function drawEquity(read, currency, onRange) {
    const { ts, equity, peak, drawdown, benchmark } = read;
    const decimals = decimalsOf(equity);
    // The axis may show any of the range, with as many digits.
    const ends = [equity.reduce((a, b) => Math.min(a, b)), equity.reduce((a, b) => Math.max(a, b))];
    const gutter = roomFor([...ends.map((value) => grouped(value, Math.min(4, decimals))), '−0.0000']);
    const describe = (i) => {
      const held = benchmark === null ? '' : `   buy and hold ${grouped(benchmark[i], decimals)}`;
      return `${stamp(ts[i])}   ${grouped(equity[i], decimals)} ${currency}${held}`;
    };
    const curves = [
      { stroke: css('--accent'), width: 1.5, ...hidden },
      { stroke: 'transparent', fill: css('--loss-soft'), width: 0, ...hidden },
    ];
    if (benchmark !== null) curves.push({ stroke: css('--price'), width: 1, dash: [4, 3], ...hidden });
    const plot = mount('equity', 280, [ts, equity, peak, ...(benchmark === null ? [] : [benchmark])], {
      cursor: cursor(),
      scales: { x: { time: true }, y: { range: fitted } },
      axes: axes(false, currency, gutter),
      series: [{}, ...curves],
      bands: [{ series: [2, 1], fill: css('--loss-soft') }],
      plugins: [readout(describe), telling(onRange)],
    });
    holdSwitch(plot, read);
    mount('drawdown', 132, [ts, drawdown], {
      cursor: cursor(),
      scales: { x: { time: true }, y: { range: underRange } },
      axes: axes(true, '%', gutter),
      series: [{}, { stroke: css('--loss'), width: 1, fill: css('--loss-soft'), ...hidden }],
      plugins: [readout((i) => `${stamp(ts[i])}   ${grouped(drawdown[i], 4)} %`)],
    });
  }

  /** Several curves on one axis of time: each is read at every time of any, and is nothing outside its own period. */
  function joined(curves) {
    const times = [...new Set(curves.flatMap(({ ts }) => [...ts]))].sort((a, b) => a - b);
    const columns = curves.map((curve) => {
      const last = curve.ts[curve.ts.length - 1];
      return readAt(times, curve, null).map((value, i) => (times[i] > last ? null : value));
    });
    return [times, ...columns];
  }

  /** Where buying and holding moves so much more that the equity would be a flat line beside it, it is shown when asked for. */
  function holdSwitch(plot, { equity, benchmark }) {
    const box = document.getElementById('show-hold');
    if (box === null || plot === undefined || benchmark === null) return;
    const show = () => plot.setSeries(3, { show: box.checked });
    if (box.dataset.asked === undefined) box.checked = spanOf(benchmark) <= 5 * spanOf(equity);
    box.onchange = () => {
      box.dataset.asked = 'yes';
      show();
    };
    show();
  }

  const spanOf = (values) => {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  };

  /** The curves of a comparison, in percent of each start, and how far each is below its peak. */
  function drawComparison(data) {
    const curves = data.curves.map(({ ts, value }) => ({ ts: report.unpack(ts), value: report.unpack(value) }));
    const rebased = joined(
      curves.map(({ ts, value }) => ({ ts, value: value.map((v) => (value[0] > 0 ? (v / value[0] - 1) * 100 : 0)) })),
    );
    const under = joined(
      curves.map(({ ts, value }) => {
        const peak = peaksOf(value);
        return { ts, value: value.map((v, i) => (peak[i] > 0 ? (v / peak[i] - 1) * 100 : 0)) };
      }),
    );
    const at = data.isElapsed ? elapsed : stamp;
    const letters = data.curves.map(({ letter }) => letter);
    const lines = data.curves.map((_, k) => ({ stroke: css(`--c${k}`), width: 1.5, ...hidden }));
    const gap = [rebased[0], ...rebased.slice(2).map((column) => column.map((v, i) => less(v, rebased[1][i])))];
    panel('equity', 300, rebased, { letters, lines, range: fitted, at });
    panel('gap', 150, gap, { letters: letters.slice(1), lines: lines.slice(1), range: fitted, at });
    panel('drawdown', 150, under, { letters, lines, range: underRange, at });
  }

  const less = (value, first) => (value === null || first === null ? null : value - first);

  /** One panel of a comparison, in percent. `at` prints a time of it. */
  function panel(id, height, columns, { letters, lines, range, at }) {
    const [time, value] = axes(id === 'drawdown', '%', roomFor(['−00.0000']));
    const isElapsed = at === elapsed;
    if (isElapsed) time.incrs = ELAPSED_STEPS;
    if (isElapsed && id === 'drawdown') time.values = (_, ticks) => ticks.map(elapsed);
    const describe = (i) =>
      [at(columns[0][i])]
        .concat(
          letters.flatMap((letter, k) =>
            columns[k + 1][i] === null ? [] : [`${letter} ${grouped(columns[k + 1][i], 4)} %`],
          ),
        )
        .join('   ');
    mount(id, height, columns, {
      cursor: cursor(),
      scales: { x: { time: !isElapsed }, y: { range } },
      axes: [time, value],
      series: [{}, ...lines],
      plugins: [readout(describe)],
    });
  }

  const ELAPSED_STEPS = [1, 10, 100]
    .concat([1, 2, 5, 10, 15, 30].map((s) => s * 1000))
    .concat([1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * 60_000))
    .concat([1, 2, 5, 7, 14, 30, 60, 90, 180, 365, 730].map((days) => days * 86_400_000));

  /** Time since the start. */
  function elapsed(ms) {
    const units = [
      [86_400_000, 'd'],
      [3_600_000, 'h'],
      [60_000, 'min'],
      [1000, 's'],
    ];
    const [unit, name] = units.find(([length]) => ms >= length) ?? [1, 'ms'];
    return `${Number((ms / unit).toFixed(2))} ${name}`;
  }

  /** One label in so many bars, under its bar: the same number of periods from one to the next. */
  function barLabels(starts, step) {
    const isMonths = step >= 28 * DAY;
    const monthOf = (start) => new Date(start).getUTCFullYear() * 12 + new Date(start).getUTCMonth();
    const numberOf = (start) =>
      isMonths ? monthOf(start) - monthOf(starts[0]) : Math.round((start - starts[0]) / step);
    const room = step >= DAY ? 84 : 64;
    return {
      splits: (plot, _axis, low, high) => {
        const barPx = (step / (high - low)) * plot.over.clientWidth;
        const every = Math.max(1, Math.ceil(room / barPx));
        return starts.filter((start) => start >= low && start <= high && numberOf(start) % every === 0);
      },
      values: (plot, ticks) => report.axisTimes(plot, ticks, 0, 0, step),
    };
  }

  const DAY = 86_400_000;

  function drawPnl({ starts, pnl }, currency) {
    const decimals = decimalsOf(pnl);
    const bars = uPlot.paths.bars({ size: [0.72, 34, 1], align: 0 });
    const positive = pnl.map((value) => (value >= 0 ? value : null));
    const negative = pnl.map((value) => (value < 0 ? value : null));
    const gaps = starts.slice(1).map((start, i) => start - starts[i]);
    const step = gaps.length > 0 ? Math.min(...gaps) : 1000;
    const [time, value] = axes(true, currency, roomFor(pnl.map((each) => grouped(each, Math.min(4, decimals)))));
    const series = (colour) => ({ stroke: colour, fill: colour, width: 0, paths: bars, ...hidden });
    mount('pnl', 300, [starts, positive, negative], {
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      scales: {
        x: { time: true, range: (_, low, high) => [low - step * 0.6, high + step * 0.6] },
        y: { range: (_, low, high) => [Math.min(0, low) * 1.15, Math.max(0, high) * 1.15] },
      },
      axes: [{ ...time, ...barLabels(starts, step) }, value],
      series: [{}, series(css('--accent')), series(css('--loss'))],
      plugins: [readout((i) => `${stamp(starts[i]).slice(0, 19)}   ${grouped(pnl[i], decimals)} ${currency}`)],
    });
  }

  Object.assign(report, { barLabels, drawComparison, drawEquity, drawPnl, readCurves });
})();
