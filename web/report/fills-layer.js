// What is drawn over the prices: limit orders as lines from sending to their end, each fill at its time and price, and notes of
// the strategy as flags at the foot. A layer
// of our own, since the markers of the library know neither times between bars nor hollow shapes. Of an exchange a fill is
// solid, a simulated one hollow; several results of a comparison have each a shape.
(() => {
  'use strict';

  const { tidewireReport: report } = window;
  const { css } = report;
  /** Fills in sight above which they are drawn together. */
  const MANY = 400;
  const CLUSTER_PX = 8;

  /** Index of the last of some growing times at or before `at`, or −1. */
  function indexAt(times, at) {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  const SHAPES = [triangle, circle, diamond, square];

  function triangle(context, x, y, size, isBuy) {
    const way = isBuy ? 1 : -1;
    context.moveTo(x, y);
    context.lineTo(x - size, y + way * size * 1.7);
    context.lineTo(x + size, y + way * size * 1.7);
    context.closePath();
  }

  function circle(context, x, y, size) {
    context.moveTo(x + size, y);
    context.arc(x, y, size, 0, Math.PI * 2);
  }

  function diamond(context, x, y, size) {
    context.moveTo(x, y - size * 1.2);
    context.lineTo(x + size * 1.2, y);
    context.lineTo(x, y + size * 1.2);
    context.lineTo(x - size * 1.2, y);
    context.closePath();
  }

  function square(context, x, y, size) {
    context.rect(x - size, y - size, size * 2, size * 2);
  }

  /** A primitive of the library, attached to the series of prices. */
  class FillsLayer {
    #prices;
    #sources;
    #chart;
    #series;
    #colours;

    constructor(prices, sources) {
      this.#prices = prices;
      this.#sources = sources;
      this.#colours = { buy: css('--accent'), sell: css('--sell'), card: css('--card'), note: css('--soft') };
    }

    attached({ chart, series }) {
      this.#chart = chart;
      this.#series = series;
    }

    paneViews() {
      return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.#draw(target) }) }];
    }

    /** Where a time (s) is, also between bars; nothing before the first bar and the one that would precede it. */
    xOf(time) {
      const { time: times, intervalMs } = this.#prices;
      const scale = this.#chart.timeScale();
      const index = indexAt(times, time);
      if (index < 0) return time * 1000 < times[0] * 1000 - intervalMs ? null : scale.logicalToCoordinate(0);
      const x = scale.logicalToCoordinate(index);
      const part = Math.min(1, ((time - times[index]) * 1000) / intervalMs);
      // A bar is drawn around its middle, and its time is its start.
      return x === null ? null : x + (part - 0.5) * scale.options().barSpacing;
    }

    /** The fill within a few pixels of a point, or nothing. */
    near(x, y) {
      let best = null;
      let least = 12;
      for (const fill of this.#prices.fills) {
        const dx = Math.abs((this.xOf(fill.time) ?? Infinity) - x);
        if (dx > least) continue;
        const distance = Math.hypot(dx, this.#series.priceToCoordinate(fill.price) - y);
        if (distance < least) [best, least] = [fill, distance];
      }
      return best;
    }

    /** The note within a few pixels of a place, or nothing. */
    noteNear(x) {
      let best = null;
      let least = 6;
      for (const note of this.#prices.notes) {
        const distance = Math.abs((this.xOf(note.time) ?? Infinity) - x);
        if (distance < least) [best, least] = [note, distance];
      }
      return best;
    }

    #draw(target) {
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        this.#drawNotes(context, mediaSize);
        this.#drawOrders(context, mediaSize.width);
        this.#drawFills(context, mediaSize.width);
      });
    }

    #drawNotes(context, { width, height }) {
      context.fillStyle = this.#colours.note;
      context.globalAlpha = 0.8;
      for (const note of this.#prices.notes) {
        const x = this.xOf(note.time);
        if (x === null || x < 0 || x > width) continue;
        context.beginPath();
        context.rect(Math.round(x), height - 14, 1, 12);
        context.moveTo(x, height - 14);
        context.lineTo(x + 7, height - 11);
        context.lineTo(x, height - 8);
        context.fill();
      }
      context.globalAlpha = 1;
    }

    #drawOrders(context, width) {
      const { orders } = this.#prices;
      context.lineWidth = 1;
      context.globalAlpha = orders.length > 300 ? 0.3 : 0.55;
      for (const side of ['buy', 'sell']) {
        context.beginPath();
        for (const order of orders) {
          if (order.side !== side) continue;
          const from = this.xOf(order.from / 1000) ?? 0;
          const to = this.xOf(order.to / 1000);
          if (to === null || to < 0 || from > width) continue;
          const y = Math.round(this.#series.priceToCoordinate(order.price)) + 0.5;
          context.moveTo(from, y);
          context.lineTo(Math.max(to, from + 1), y);
        }
        context.strokeStyle = this.#colours[side];
        context.stroke();
      }
      context.globalAlpha = 1;
    }

    #drawFills(context, width) {
      const seen = [];
      for (const fill of this.#prices.fills) {
        const x = this.xOf(fill.time);
        if (x !== null && x >= -8 && x <= width + 8) {
          seen.push({ x, y: this.#series.priceToCoordinate(fill.price), fill, count: 1 });
        }
      }
      // Thousands of marks would hide the prices: what lies within a few pixels is one mark, greater the more it is.
      const marks = seen.length > MANY ? clustered(seen) : seen;
      const size = seen.length > MANY / 4 ? 3 : 4;
      for (const [index, { isReal }] of this.#sources.entries()) {
        for (const side of ['buy', 'sell']) {
          context.beginPath();
          for (const { x, y, fill, count } of marks) {
            if (fill.side !== side || (fill.source ?? 0) !== index) continue;
            const shape = count > 1 ? circle : SHAPES[index % SHAPES.length];
            shape(context, x, y, count > 1 ? Math.min(7, 2 + Math.log2(count)) : size, side === 'buy');
          }
          const colour = this.#colours[side];
          context.globalAlpha = marks === seen ? 1 : 0.75;
          context.fillStyle = isReal || marks !== seen ? colour : this.#colours.card;
          context.strokeStyle = colour;
          context.lineWidth = 1.2;
          context.fill();
          context.stroke();
        }
      }
      context.globalAlpha = 1;
    }
  }

  /** One mark for the fills of a side and a source in each square of pixels, at their middle. */
  function clustered(seen) {
    const marks = new Map();
    for (const { x, y, fill } of seen) {
      const key = `${fill.side}/${fill.source ?? 0}/${Math.floor(x / CLUSTER_PX)}/${Math.floor(y / CLUSTER_PX)}`;
      const mark = marks.get(key) ?? { x: 0, y: 0, fill, count: 0 };
      mark.count += 1;
      mark.x += (x - mark.x) / mark.count;
      mark.y += (y - mark.y) / mark.count;
      marks.set(key, mark);
    }
    return [...marks.values()];
  }

  Object.assign(report, { FillsLayer, indexAt });
})();
