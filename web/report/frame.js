// What all charts of a report share: colours of the style sheet, axes, read-outs, mounting and refitting, and the reading of
// packed columns. Plain JavaScript, inlined as it is beside the libraries uPlot and LightweightCharts (globals). Each file of
// this folder puts what others need into `window.tidewireReport`. Times are Unix ms, shown in UTC.
(() => {
  'use strict';

  const { uPlot } = window;
  const FONT = '11px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  /** What is drawn now. @type {{ paper: (on: boolean) => void, remove: () => void }[]} */
  const drawn = [];

  /** @param {string} name */
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** Numbers that `packed.ts` wrote: whole steps above the lowest, 32 bits each. */
  function unpack({ low, step, data }) {
    const text = atob(data);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return Float64Array.from(new Uint32Array(bytes.buffer), (steps) => low + step * steps);
  }

  /** Axis numbers with as many decimals as the step between ticks has. */
  function axisNumbers(_, ticks) {
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 1;
    let decimals = 0;
    while (decimals < 10 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
    return ticks.map((tick) => grouped(tick, decimals));
  }

  /** Axis times: 24 hours, UTC; the date where it changes, or alone when ticks are days apart. */
  function axisTimes(_plot, ticks, _axis, _space, step) {
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

  /** Makes a plot as wide as its box and keeps it so; nothing where the page has no such box. */
  function mount(id, height, values, options) {
    const box = document.getElementById(id);
    if (box === null) return undefined;
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
    return plot;
  }

  function removeAll() {
    for (const chart of drawn.splice(0)) chart.remove();
  }

  function paperAll(on) {
    for (const chart of drawn) chart.paper(on);
  }

  window.tidewireReport = {
    css,
    unpack,
    grouped,
    decimalsOf,
    stamp,
    roomFor,
    axes,
    axisTimes,
    readout,
    keep,
    mount,
    removeAll,
    paperAll,
  };
})();
