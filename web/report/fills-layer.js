// What is drawn over the prices: limit orders as lines from sending to their end, each fill at its time and price, and notes of
// the strategy as flags at the foot. A layer of our own, since the markers of the library know neither times between bars nor
// hollow shapes. Of an exchange a fill is solid, a simulated one hollow; several results of a comparison have each a shape.
// Where marks would touch, a number beside the prices counts those of a stretch of time; zoomed in, each has its mark.
(() => {
  'use strict';

  const { tidewireReport: report } = window;
  const { css } = report;
  /** Room of one mark; where there is less on average, they are counted in stretches of `CELL_PX`. */
  const PX_A_MARK = 8;
  const CELL_PX = 28;
  const PILL_HEIGHT = 12;
  const PILL_FONT = '9px ui-sans-serif, system-ui, sans-serif';

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
    /** Numbers as last drawn. */
    #pills = [];

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

    /** The number under a point, as one fill; else the fill within a few pixels of it, or nothing. */
    near(x, y) {
      const pill = this.#pills.find(
        (each) => Math.abs(each.x - x) <= each.width / 2 && Math.abs(each.y - y) <= PILL_HEIGHT / 2,
      );
      if (pill !== undefined) return summed(pill.fills);
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
        this.#drawFills(context, mediaSize);
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

    #drawFills(context, { width, height }) {
      const seen = [];
      for (const fill of this.#prices.fills) {
        const x = this.xOf(fill.time);
        if (x !== null && x >= -8 && x <= width + 8)
          seen.push({ x, y: this.#series.priceToCoordinate(fill.price), fill });
      }
      // Marks that touch would hide the prices: then those of a stretch of time are one number beside them.
      const isDense = seen.length > width / PX_A_MARK;
      const groups = isDense ? [...cellsOf(seen, width).values()] : seen.map((mark) => [mark]);
      const isSingle = (marks) => marks.length === 1 && marks[0].fill.count === 1;
      this.#drawSingle(context, groups.filter(isSingle).flat());
      this.#pills = groups
        .filter((marks) => !isSingle(marks))
        .map((marks) => ({
          x: isDense ? (Math.floor(marks[0].x / CELL_PX) + 0.5) * CELL_PX : marks[0].x,
          y: isDense ? this.#beside(marks, height) : marks[0].y,
          side: marks[0].fill.side,
          fills: marks.map(({ fill }) => fill),
        }));
      for (const pill of this.#pills) this.#drawPill(context, pill, width);
    }

    #drawSingle(context, marks) {
      const size = marks.length > 100 ? 3 : 4;
      for (const [index, { isReal }] of this.#sources.entries()) {
        for (const side of ['buy', 'sell']) {
          context.beginPath();
          for (const { x, y, fill } of marks) {
            if (fill.side === side && sourceOf(fill) === index) {
              SHAPES[index % SHAPES.length](context, x, y, size, side === 'buy');
            }
          }
          this.#paint(context, side, isReal);
        }
      }
    }

    /** Of an exchange it is solid, simulated it is hollow: as the legend says. */
    #paint(context, side, isReal) {
      context.fillStyle = isReal ? this.#colours[side] : this.#colours.card;
      context.strokeStyle = this.#colours[side];
      context.lineWidth = 1.2;
      context.fill();
      context.stroke();
    }

    /** Bought is counted below the prices of its stretch, sold above them; several sources stand over each other. */
    #beside(marks, height) {
      const { fill, x } = marks[0];
      const { low, high } = this.#rangeOf(Math.floor(x / CELL_PX) * CELL_PX);
      const places = marks.map(({ y }) => y);
      const away = PILL_HEIGHT + sourceOf(fill) * (PILL_HEIGHT + 1);
      const y = fill.side === 'buy' ? Math.max(low, ...places) + away : Math.min(high, ...places) - away;
      return Math.min(height - PILL_HEIGHT / 2 - 1, Math.max(PILL_HEIGHT / 2 + 1, y));
    }

    /** Where the prices of a stretch that begins at a pixel reach to. */
    #rangeOf(left) {
      const { high, low } = this.#prices;
      const scale = this.#chart.timeScale();
      const barAt = (x) => Math.min(high.length - 1, Math.max(0, Math.round(scale.coordinateToLogical(x) ?? 0)));
      const [from, to] = [barAt(left), barAt(left + CELL_PX)];
      let highest = -Infinity;
      let lowest = Infinity;
      for (let i = from; i <= to; i++) {
        highest = Math.max(highest, high[i]);
        lowest = Math.min(lowest, low[i]);
      }
      return { high: this.#series.priceToCoordinate(highest), low: this.#series.priceToCoordinate(lowest) };
    }

    #drawPill(context, pill, width) {
      const { y, side, fills } = pill;
      const { name, isReal } = this.#sources[sourceOf(fills[0])];
      const number = countOf(fills);
      const text = `${this.#sources.length > 1 ? name : ''}${number < 1000 ? number : `${Math.round(number / 1000)}k`}`;
      context.font = PILL_FONT;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      pill.width = Math.max(PILL_HEIGHT, context.measureText(text).width + 6);
      pill.x = Math.min(width - pill.width / 2 - 1, Math.max(pill.width / 2 + 1, pill.x));
      context.beginPath();
      context.roundRect(pill.x - pill.width / 2, y - PILL_HEIGHT / 2, pill.width, PILL_HEIGHT, PILL_HEIGHT / 2);
      this.#paint(context, side, isReal);
      context.fillStyle = isReal ? this.#colours.card : this.#colours[side];
      context.fillText(text, pill.x, y + 0.5);
    }
  }

  const sourceOf = (fill) => fill.source ?? 0;

  /** Those of a side and a source in each stretch. */
  function cellsOf(seen, width) {
    const inside = seen.filter(({ x }) => x >= 0 && x <= width);
    return Map.groupBy(inside, ({ x, fill }) => `${fill.side}/${sourceOf(fill)}/${Math.floor(x / CELL_PX)}`);
  }

  const countOf = (fills) => fills.reduce((sum, { count }) => sum + count, 0);

  /** Several fills as one: their sum at their average price. */
  function summed(fills) {
    const quantity = fills.reduce((sum, fill) => sum + fill.quantity, 0);
    const paid = fills.reduce((sum, fill) => sum + fill.quantity * fill.price, 0);
    return {
      side: fills[0].side,
      quantity: Number(quantity.toPrecision(10)),
      price: quantity > 0 ? paid / quantity : fills[0].price,
      count: countOf(fills),
    };
  }

  Object.assign(report, { FillsLayer, indexAt });
})();
