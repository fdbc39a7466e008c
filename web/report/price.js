// The price chart: candles or the path of the mid, the layer of orders and fills, and what was held in a pane below.
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
    chart.panes()[0].setStretchFactor(4);
    chart.panes()[1].setStretchFactor(1);
  }

  /** Price, position and the fill under the pointer. */
  function addReadout(box, chart, layer, prices) {
    const label = Object.assign(document.createElement('div'), { className: 'readout left', hidden: true });
    box.append(label);
    chart.subscribeCrosshairMove(({ logical, point }) => {
      const index = Math.round(logical ?? -1);
      label.hidden = point === undefined || index < 0 || index >= prices.time.length;
      if (label.hidden) return;
      const parts = [stamp(prices.time[index] * 1000), grouped(prices.close[index], prices.precision)];
      if (prices.position.length > 0) parts.push(`holds ${prices.position[index]}`);
      const fill = layer.near(point.x, point.y);
      if (fill !== null) {
        const many = fill.count > 1 ? ` in ${fill.count} fills` : '';
        const price = grouped(fill.price, prices.precision);
        parts.push(`${fill.side === 'buy' ? 'bought' : 'sold'} ${fill.quantity} at ${price}${many}`);
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
    };
  }

  /** Draws the prices of one symbol; answers what shows a stretch of time (ms) of them. */
  function drawPrice(prices, sources) {
    const box = document.getElementById('price');
    if (box === null || prices === undefined) return () => {};
    const chart = LightweightCharts.createChart(box, options(box, prices));
    const layer = new report.FillsLayer(prices, sources);
    addPrices(chart, prices).attachPrimitive(layer);
    addPosition(chart, prices);
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
