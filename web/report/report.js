// Draws the charts of a report from the data block of its page. Plain JavaScript, inlined as it is beside the libraries
// uPlot and LightweightCharts (globals). Colours come from the style sheet, so that light, dark and print agree; the
// charts are drawn anew when the scheme changes and resized with their boxes. Times are Unix ms, shown in UTC.
(() => {
  'use strict';

  /**
   * @typedef {{ time: number, side: 'buy' | 'sell', price: number, count: number, quantity: number }} FillMark
   * @typedef {{ symbol: string, note: string, style: 'candles' | 'line', intervalMs: number, precision: number,
   *   time: number[], open: number[], high: number[], low: number[], close: number[], fills: FillMark[] }} PriceChart
   * @typedef {{ currency: string, equity: { ts: number[], equity: number[], drawdown: number[] },
   *   pnl: { period: string, starts: number[], pnl: number[] }, prices: PriceChart[] }} ReportData
   */

  const { uPlot, LightweightCharts } = window;
  /** @type {ReportData} */
  const data = JSON.parse(document.getElementById('data').textContent);
  const FONT = '11px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  /** Undo functions of what is drawn now. @type {(() => void)[]} */
  let drawn = [];

  /** @param {string} name */
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** Compact axis numbers; as many decimals as the step between ticks needs. */
  function axisNumbers(_, ticks) {
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 1;
    const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)));
    return ticks.map((tick) => grouped(tick, decimals));
  }

  function grouped(value, decimals) {
    return value
      .toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      .replace('-', '−');
  }

  /** Digits that tell neighbouring values of a range apart. */
  function decimalsOf(values) {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high > low ? Math.min(8, Math.max(2, 3 - Math.floor(Math.log10(high - low)))) : 2;
  }

  const stamp = (ms) =>
    new Date(ms)
      .toISOString()
      .slice(0, 23)
      .replace('T', ' ')
      .replace(/\.000$/, '');

  /** Axes of one panel: time below (or hidden), values with their unit at the left. */
  function axes(showTime, label) {
    const common = { stroke: css('--muted'), font: FONT, ticks: { show: false }, border: { show: false } };
    return [
      {
        ...common,
        show: true,
        size: showTime ? 34 : 8,
        grid: { show: false },
        values: showTime ? undefined : () => [],
      },
      {
        ...common,
        size: (plot, values) =>
          values === null ? 64 : Math.max(64, 16 + 6.6 * Math.max(...values.map((v) => v.length))),
        space: 34,
        grid: { stroke: css('--line'), width: 1 },
        values: axisNumbers,
        label,
        labelFont: FONT,
        labelSize: 16,
        labelGap: 2,
      },
    ];
  }

  /** A label that follows the cursor. */
  function readout(describe) {
    const box = document.createElement('div');
    box.className = 'readout';
    box.hidden = true;
    return {
      hooks: {
        init: (plot) => plot.over.append(box),
        setCursor: (plot) => {
          const index = plot.cursor.idx;
          box.hidden = index === null || index === undefined || plot.cursor.left < 0;
          if (box.hidden) return;
          box.textContent = describe(index);
          box.classList.toggle('left', plot.cursor.left > plot.over.clientWidth / 2);
        },
      },
    };
  }

  /** Makes a plot as wide as its box and keeps it so. */
  function mount(id, height, values, options) {
    const box = document.getElementById(id);
    if (box === null) return;
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        ms: 1,
        tzDate: (ts) => uPlot.tzDate(new Date(ts), 'Etc/UTC'),
        legend: { show: false },
        padding: [10, 8, 0, 0],
        ...options,
      },
      values,
      box,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    observer.observe(box);
    drawn.push(() => {
      observer.disconnect();
      plot.destroy();
    });
  }

  function drawEquity() {
    const { ts, equity, drawdown } = data.equity;
    const accent = css('--accent');
    const loss = css('--loss');
    const decimals = decimalsOf(equity);
    const cursor = { sync: { key: 'equity' }, y: false, points: { size: 6 }, drag: { x: true, y: false } };
    const scales = { x: { time: true } };
    const text = (i) => `${stamp(ts[i])}   ${grouped(equity[i], decimals)} ${data.currency}`;
    mount('equity', 260, [ts, equity], {
      cursor,
      scales,
      axes: axes(false, data.currency),
      series: [{}, { stroke: accent, width: 1.5, points: { show: false } }],
      plugins: [readout(text)],
    });
    mount('drawdown', 132, [ts, drawdown], {
      cursor,
      scales: { ...scales, y: { range: (_, low) => [low < 0 ? low * 1.08 : -1, 0] } },
      axes: axes(true, '%'),
      series: [{}, { stroke: loss, width: 1, fill: css('--loss-soft'), points: { show: false } }],
      plugins: [readout((i) => `${stamp(ts[i])}   ${grouped(drawdown[i], 4)} %`)],
    });
  }

  function drawPnl() {
    const { starts, pnl } = data.pnl;
    const gain = css('--accent');
    const loss = css('--loss');
    const decimals = decimalsOf(pnl);
    const bars = uPlot.paths.bars({ size: [0.72, 34, 1], align: 0 });
    const positive = pnl.map((value) => (value >= 0 ? value : null));
    const negative = pnl.map((value) => (value < 0 ? value : null));
    const step = starts.length > 1 ? starts[1] - starts[0] : 1000;
    const series = (colour) => ({ stroke: colour, fill: colour, width: 0, paths: bars, points: { show: false } });
    mount('pnl', 240, [starts, positive, negative], {
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      scales: {
        x: { time: true, range: (_, low, high) => [low - step * 0.6, high + step * 0.6] },
        y: { range: (_, low, high) => [Math.min(0, low) * 1.1, Math.max(0, high) * 1.1] },
      },
      axes: axes(true, data.currency),
      series: [{}, series(gain), series(loss)],
      plugins: [readout((i) => `${stamp(starts[i]).slice(0, 19)}   ${grouped(pnl[i], decimals)} ${data.currency}`)],
    });
  }

  /** @param {PriceChart} prices */
  function drawPrice(prices) {
    const box = document.getElementById('price');
    if (box === null || prices === undefined) return;
    const chart = LightweightCharts.createChart(box, {
      autoSize: true,
      layout: {
        background: { color: 'transparent' },
        textColor: css('--muted'),
        fontSize: 11,
        attributionLogo: false,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: css('--line') } },
      rightPriceScale: { borderVisible: false },
      timeScale: {
        borderVisible: false,
        timeVisible: prices.intervalMs < 86_400_000,
        secondsVisible: prices.intervalMs < 60_000,
        minBarSpacing: 0.05,
      },
      crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
      handleScroll: { mouseWheel: false },
      handleScale: { mouseWheel: false },
    });
    const series = addPrices(chart, prices);
    LightweightCharts.createSeriesMarkers(series, prices.fills.map(marker(prices.fills.length)));
    chart.timeScale().fitContent();
    drawn.push(() => chart.remove());
  }

  function addPrices(chart, prices) {
    const priceFormat = { type: 'price', precision: prices.precision, minMove: 10 ** -prices.precision };
    const quiet = { priceFormat, priceLineVisible: false, lastValueVisible: false };
    if (prices.style === 'line') {
      const series = chart.addSeries(LightweightCharts.LineSeries, {
        ...quiet,
        color: css('--price'),
        lineWidth: 1,
        lineType: LightweightCharts.LineType.WithSteps,
      });
      series.setData(prices.time.map((time, i) => ({ time, value: prices.close[i] })));
      return series;
    }
    const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
      ...quiet,
      upColor: css('--candle-up'),
      downColor: css('--candle-down'),
      borderUpColor: css('--price'),
      borderDownColor: css('--price'),
      wickUpColor: css('--price'),
      wickDownColor: css('--price'),
    });
    series.setData(
      prices.time.map((time, i) => ({
        time,
        open: prices.open[i],
        high: prices.high[i],
        low: prices.low[i],
        close: prices.close[i],
      })),
    );
    return series;
  }

  /** Arrows at the fill price; dots when there are too many for arrows. */
  function marker(total) {
    const many = total > 120;
    return (/** @type {FillMark} */ { time, side, price }) => ({
      time,
      price,
      position: many ? 'atPriceMiddle' : side === 'buy' ? 'atPriceBottom' : 'atPriceTop',
      shape: many ? 'circle' : side === 'buy' ? 'arrowUp' : 'arrowDown',
      color: css(side === 'buy' ? '--accent' : '--sell'),
      size: many ? 0.35 : 0.8,
    });
  }

  function draw() {
    for (const undo of drawn) undo();
    drawn = [];
    const select = document.getElementById('price-symbol');
    const prices = data.prices[select === null ? 0 : Number(select.value)];
    const note = document.getElementById('price-note');
    if (note !== null && prices !== undefined) note.textContent = prices.note;
    drawEquity();
    drawPrice(prices);
    drawPnl();
  }

  document.getElementById('price-symbol')?.addEventListener('change', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
})();
