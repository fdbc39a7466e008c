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
  /** Above this many the fills are dots. */
  const MAX_ARROWS = 120;
  /** What is drawn now. @type {{ paper: (on: boolean) => void, remove: () => void }[]} */
  let drawn = [];

  /** @param {string} name */
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** Axis numbers with as many decimals as the step between ticks has. */
  function axisNumbers(_, ticks) {
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 1;
    let decimals = 0;
    while (decimals < 10 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
    return ticks.map((tick) => grouped(tick, decimals));
  }

  /** Axis times: 24 hours, UTC; the date where it changes, or alone when ticks are days apart. */
  function axisTimes(_, ticks, axis, space, step) {
    let day = '';
    return ticks.map((tick) => {
      const [date, clock] = new Date(tick).toISOString().slice(0, 23).split('T');
      if (step >= 28 * 86_400_000) return date.slice(0, 7);
      if (step >= 86_400_000) return date;
      const text = clock.slice(0, step >= 60_000 ? 5 : step >= 1000 ? 8 : 12);
      const changed = date !== day;
      day = date;
      return changed ? `${text}\n${date}` : text;
    });
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

  /** Room for the widest of some labels, px. */
  const roomFor = (texts) => 18 + 6.8 * texts.reduce((most, text) => Math.max(most, text.length), 4);

  /** Axes of one panel: times below (or hidden), values with their unit at the left, in a gutter of `size` px. */
  function axes(showTime, label, size) {
    const common = { stroke: css('--muted'), font: FONT, ticks: { show: false }, border: { show: false } };
    const time = { ...common, space: 84, grid: { show: false } };
    return [
      showTime ? { ...time, size: 36, values: axisTimes } : { ...time, size: 8, values: () => [] },
      {
        ...common,
        size,
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

  /** Refits a chart whenever its box changes, until it is removed; `paper` is told when printing starts and ends. */
  function keep(box, fit, remove, paper = () => fit()) {
    const observer = new ResizeObserver(fit);
    observer.observe(box);
    const stop = () => {
      observer.disconnect();
      remove();
    };
    drawn.push({ paper, remove: stop });
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
        padding: [10, 30, 0, 0],
        ...options,
      },
      values,
      box,
    );
    keep(
      box,
      () => plot.setSize({ width: box.clientWidth, height }),
      () => plot.destroy(),
    );
  }

  /** Fitted to the curve with a little air; a flat one gets a thousandth around it. */
  function equityRange(_, low, high) {
    const air = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.001 || 1;
    return [low - air, high + air];
  }

  function drawEquity() {
    const { ts, equity, drawdown } = data.equity;
    const accent = css('--accent');
    const loss = css('--loss');
    const decimals = decimalsOf(equity);
    const cursor = { sync: { key: 'equity' }, y: false, points: { size: 6 }, drag: { x: true, y: false } };
    const scales = { x: { time: true } };
    const gutter = roomFor([grouped(equity[0], Math.min(3, decimals)), '−0.0000']);
    const text = (i) => `${stamp(ts[i])}   ${grouped(equity[i], decimals)} ${data.currency}`;
    mount('equity', 260, [ts, equity], {
      cursor,
      scales: { ...scales, y: { range: equityRange } },
      axes: axes(false, data.currency, gutter),
      series: [{}, { stroke: accent, width: 1.5, points: { show: false } }],
      plugins: [readout(text)],
    });
    mount('drawdown', 132, [ts, drawdown], {
      cursor,
      scales: { ...scales, y: { range: (_, low) => [low < 0 ? low * 1.08 : -1, 0] } },
      axes: axes(true, '%', gutter),
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
    mount('pnl', 300, [starts, positive, negative], {
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
      scales: {
        x: { time: true, range: (_, low, high) => [low - step * 0.6, high + step * 0.6] },
        y: { range: (_, low, high) => [Math.min(0, low) * 1.1, Math.max(0, high) * 1.1] },
      },
      axes: axes(true, data.currency, roomFor(pnl.map((value) => grouped(value, 1)))),
      series: [{}, series(gain), series(loss)],
      plugins: [readout((i) => `${stamp(starts[i]).slice(0, 19)}   ${grouped(pnl[i], decimals)} ${data.currency}`)],
    });
  }

  /** @param {PriceChart} prices */
  function drawPrice(prices) {
    const box = document.getElementById('price');
    if (box === null || prices === undefined) return;
    const chart = LightweightCharts.createChart(box, {
      width: box.clientWidth,
      height: box.clientHeight,
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
    if (prices.fills.length > MAX_ARROWS) addDots(chart, prices);
    else LightweightCharts.createSeriesMarkers(series, prices.fills.map(arrow));
    chart.timeScale().fitContent();
    const picture = () => box.querySelector('.picture');
    const fit = () => {
      if (document.body.classList.contains('paper')) return;
      chart.resize(box.clientWidth, box.clientHeight);
      chart.timeScale().fitContent();
    };
    // This library repaints in the next frame, which is too late for paper: a picture takes its place.
    const paper = (on) => {
      if (!on) picture()?.remove();
      else if (picture() === null) box.append(Object.assign(chart.takeScreenshot(), { className: 'picture' }));
    };
    keep(box, fit, () => chart.remove(), paper);
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

  /** @param {FillMark} fill */
  function arrow({ time, side, price }) {
    const buy = side === 'buy';
    return {
      time,
      price,
      position: buy ? 'atPriceBottom' : 'atPriceTop',
      shape: buy ? 'arrowUp' : 'arrowDown',
      color: css(buy ? '--accent' : '--sell'),
      size: 0.8,
    };
  }

  /** Many fills: a dot of each side a bar, small enough to leave the price visible. */
  function addDots(chart, prices) {
    for (const side of ['buy', 'sell']) {
      const dots = chart.addSeries(LightweightCharts.LineSeries, {
        color: css(side === 'buy' ? '--accent' : '--sell'),
        lineVisible: false,
        pointMarkersVisible: true,
        pointMarkersRadius: prices.fills.length > 600 ? 1.2 : 2.2,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerVisible: false,
      });
      dots.setData(
        prices.fills.filter((fill) => fill.side === side).map(({ time, price }) => ({ time, value: price })),
      );
    }
  }

  function draw() {
    for (const chart of drawn) chart.remove();
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
  for (const [event, paper] of [
    ['beforeprint', true],
    ['afterprint', false],
  ]) {
    addEventListener(event, () => {
      document.body.classList.toggle('paper', paper);
      for (const chart of drawn) chart.paper(paper);
    });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
})();
