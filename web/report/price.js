// The price chart: candles or the path of the mid, the layer of orders, fills and notes, what was held in a pane below, and
// what the strategy plotted.
(() => {
  'use strict';

  const { LightweightCharts, tidewireReport: report } = window;
  const { css, grouped, keep, stamp } = report;

  const quiet = { priceLineVisible: false, lastValueVisible: false };

  function addPrices(chart, prices) {
    const priceFormat = { type: 'price', precision: prices.precision, minMove: 10 ** -prices.precision };
    if (prices.style === 'line') {
      const series = chart.addSeries(LightweightCharts.LineSeries, {
        ...quiet,
        priceFormat,
        color: css('--price'),
        lineWidth: 1,
        lineType: LightweightCharts.LineType.WithSteps,
      });
      series.setData(prices.time.map((time, i) => ({ time, value: prices.close[i] })));
      return series;
    }
    const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
      ...quiet,
      priceFormat,
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

  /** Long above the line, short below it. */
  function addPosition(chart, { time, position }) {
    if (position.length === 0) return;
    const series = chart.addSeries(
      LightweightCharts.BaselineSeries,
      {
        ...quiet,
        baseValue: { type: 'price', price: 0 },
        lineType: LightweightCharts.LineType.WithSteps,
        lineWidth: 1,
        topLineColor: css('--accent'),
        topFillColor1: css('--gain-soft'),
        topFillColor2: css('--gain-soft'),
        bottomLineColor: css('--sell'),
        bottomFillColor1: css('--loss-soft'),
        bottomFillColor2: css('--loss-soft'),
        priceFormat: { type: 'custom', minMove: 1e-12, formatter: (value) => String(Number(value.toPrecision(4))) },
      },
      1,
    );
    series.setData(time.map((at, i) => ({ time: at, value: position[i] })));
  }

  /** What the strategy plotted: over the prices, or in panes of their own below all others. */
  function addPlots(chart, { time, plots, precision }) {
    const panes = new Map([['price', 0]]);
    for (const { pane, colour, at, value } of plots) {
      if (!panes.has(pane)) panes.set(pane, chart.panes().length);
      const series = chart.addSeries(
        LightweightCharts.LineSeries,
        {
          ...quiet,
          color: css(`--c${colour}`),
          lineWidth: 1,
          crosshairMarkerVisible: false,
          ...(pane === 'price'
            ? { priceFormat: { type: 'price', precision, minMove: 10 ** -precision } }
            : {
                priceFormat: {
                  type: 'custom',
                  minMove: 1e-12,
                  formatter: (plotted) => String(Number(plotted.toPrecision(4))),
                },
              }),
        },
        panes.get(pane),
      );
      series.setData(at.map((bar, i) => ({ time: time[bar], value: value[i] })));
    }
    chart.panes().forEach((pane, index) => pane.setStretchFactor(index === 0 ? 4 : 1));
  }

  /** The last value of each plotted line at or before a bar. */
  function plottedAt({ plots }, bar) {
    return plots.flatMap(({ name, at, value }) => {
      const index = report.indexAt(at, bar);
      return index < 0 ? [] : [`${name} ${Number(value[index].toPrecision(8))}`];
    });
  }

  /** Price, position, plotted values, and the fill and the note under the pointer. */
  function addReadout(box, chart, layer, prices) {
    const label = Object.assign(document.createElement('div'), { className: 'readout left', hidden: true });
    box.append(label);
    chart.subscribeCrosshairMove(({ logical, point }) => {
      const index = Math.round(logical ?? -1);
      label.hidden = point === undefined || index < 0 || index >= prices.time.length;
      if (label.hidden) return;
      const parts = [stamp(prices.time[index] * 1000), grouped(prices.close[index], prices.precision)];
      if (prices.position.length > 0) parts.push(`holds ${prices.position[index]}`);
      parts.push(...plottedAt(prices, index));
      const fill = layer.near(point.x, point.y);
      if (fill !== null) {
        const many = fill.count > 1 ? ` in ${fill.count} fills` : '';
        const price = grouped(fill.price, prices.precision);
        parts.push(`${fill.side === 'buy' ? 'bought' : 'sold'} ${fill.quantity} at ${price}${many}`);
      }
      const note = layer.noteNear(point.x);
      if (note !== null) {
        const more = note.count - note.texts.length;
        parts.push(`“${note.texts.join('”, “')}”${more > 0 ? ` and ${more} more` : ''}`);
      }
      label.textContent = parts.join('   ');
    });
  }

  function options(box, prices) {
    return {
      width: box.clientWidth,
      height: box.clientHeight,
      layout: {
        background: { color: 'transparent' },
        textColor: css('--muted'),
        fontSize: 11,
        attributionLogo: false,
        panes: { separatorColor: css('--line'), separatorHoverColor: css('--line'), enableResize: false },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: css('--line') } },
      // Whole labels or none at the edges of a pane, and none that begins or ends outside of the chart.
      rightPriceScale: { borderVisible: false, entireTextOnly: true },
      timeScale: {
        borderVisible: false,
        fixLeftEdge: true,
        fixRightEdge: true,
        timeVisible: prices.intervalMs < 86_400_000,
        secondsVisible: prices.intervalMs < 60_000,
        minBarSpacing: 0.05,
      },
      crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
      handleScroll: { mouseWheel: false },
      handleScale: { mouseWheel: false },
    };
  }

  /** Draws the prices of one symbol; answers what shows a stretch of time (ms) of them. */
  function drawPrice(prices, sources) {
    const box = document.getElementById('price');
    if (box === null || prices === undefined) return () => {};
    box.classList.toggle(
      'panes',
      prices.plots.some(({ pane }) => pane !== 'price'),
    );
    const chart = LightweightCharts.createChart(box, options(box, prices));
    const layer = new report.FillsLayer(prices, sources);
    addPrices(chart, prices).attachPrimitive(layer);
    addPosition(chart, prices);
    addPlots(chart, prices);
    addReadout(box, chart, layer, prices);
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
    return (from, to, isWhole) => {
      const first = report.indexAt(prices.time, from / 1000);
      const last = report.indexAt(prices.time, to / 1000);
      if (isWhole) chart.timeScale().fitContent();
      else if (last > 0)
        chart.timeScale().setVisibleLogicalRange({ from: Math.max(0, first), to: Math.max(last, first + 1) });
    };
  }

  Object.assign(report, { drawPrice });
})();
