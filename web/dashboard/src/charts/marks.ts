/** Own orders as lines, programs as zones, fills as triangles: buys point up and sells point down, so that no colour is needed. */
import type { FillRow, OrderRow, ProgramRow } from '../wire/types.ts';
import { indexAt, xOf, yOf, type Axis } from './axis.ts';
import type { Draw } from './layer.ts';
import { FONT, type Palette } from './palette.ts';

export interface MarksInput {
  readonly axis: Axis;
  readonly colours: Palette;
  readonly orders: readonly OrderRow[];
  readonly programs: readonly ProgramRow[];
  readonly fills: readonly FillRow[];
}

const SIZE = 4.5;
/** Nearer ones of one side are one mark with a number. */
const CELL_PX = 14;

export function zonesDraw(input: () => MarksInput | null): Draw {
  return (context, { width }) => {
    const given = input();
    if (given === null) return;
    const { axis, colours, programs, orders } = given;
    for (const program of programs) {
      const edges = edgesOf(program, orders).flatMap((price) => yOf(axis, price) ?? []);
      if (edges.length === 0) continue;
      const [top, bottom] = [Math.min(...edges), Math.max(...edges)];
      const left = Math.max(0, xOf(axis, program.startedAt) ?? 0);
      context.globalAlpha = 0.09;
      context.fillStyle = colours.amber;
      context.fillRect(left, top, width - left, Math.max(2, bottom - top));
      context.globalAlpha = 1;
      context.font = FONT;
      context.textAlign = 'left';
      context.textBaseline = 'bottom';
      context.fillStyle = colours.amber;
      context.fillText(`${program.kind} ${program.ref}`, left + 6, Math.max(12, top - 2));
    }
  };
}

/** Prices of its working orders and of its trigger. */
function edgesOf(program: ProgramRow, orders: readonly OrderRow[]): readonly number[] {
  const of = orders.filter(({ parent, price }) => parent === program.ref && price !== null);
  const prices = of.map(({ price }) => Number(price));
  return program.next.trigger === undefined ? prices : [...prices, Number(program.next.trigger)];
}

export function ordersDraw(input: () => MarksInput | null): Draw {
  return (context, { width }) => {
    const given = input();
    if (given === null) return;
    const { axis, colours, orders } = given;
    context.font = FONT;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const labelled: number[] = [];
    for (const order of orders) {
      const y = order.price === null ? null : yOf(axis, Number(order.price));
      if (y === null) continue;
      const at = Math.round(y) + 0.5;
      const colour = order.side === 'buy' ? colours.accent : colours.sell;
      context.strokeStyle = colour;
      context.setLineDash(order.state === 'open' || order.state === 'partially_filled' ? [] : [3, 3]);
      context.beginPath();
      context.moveTo(Math.max(0, xOf(axis, order.createdAt) ?? 0), at);
      context.lineTo(width, at);
      context.stroke();
      if (labelled.some((other) => Math.abs(other - y) < 14)) continue;
      labelled.push(y);
      label(context, colours, colour, `${order.side === 'buy' ? '▲' : '▼'} ${order.quantity}`, width - 6, y);
    }
    context.setLineDash([]);
  };
}

function label(
  context: CanvasRenderingContext2D,
  colours: Palette,
  colour: string,
  text: string,
  right: number,
  y: number,
): void {
  const wide = context.measureText(text).width + 10;
  context.fillStyle = colours.card;
  context.fillRect(right - wide, y - 8, wide, 16);
  context.strokeRect(Math.round(right - wide) + 0.5, Math.round(y - 8) + 0.5, Math.round(wide), 15);
  context.fillStyle = colour;
  context.fillText(text, right - 5, y + 0.5);
}

interface Mark {
  x: number;
  y: number;
  count: number;
}

export function fillsDraw(input: () => MarksInput | null): Draw {
  return (context, { width }) => {
    const given = input();
    if (given === null) return;
    const { axis, colours, fills } = given;
    for (const side of ['buy', 'sell'] as const) {
      const colour = side === 'buy' ? colours.accent : colours.sell;
      for (const mark of marksOf(axis, fills, side, width)) drawMark(context, mark, side, colour, colours.card);
    }
  };
}

function marksOf(axis: Axis, fills: readonly FillRow[], side: FillRow['side'], width: number): Iterable<Mark> {
  const cells = new Map<number, Mark>();
  for (const fill of fills) {
    if (fill.side !== side || indexAt(axis.times, fill.ts) < 0) continue;
    const x = xOf(axis, fill.ts);
    const y = yOf(axis, Number(fill.price));
    if (x === null || y === null || x < -SIZE || x > width + SIZE) continue;
    const cell = Math.floor(x / CELL_PX);
    const held = cells.get(cell);
    if (held === undefined) cells.set(cell, { x, y, count: 1 });
    else {
      held.x = (held.x * held.count + x) / (held.count + 1);
      held.y = (held.y * held.count + y) / (held.count + 1);
      held.count++;
    }
  }
  return cells.values();
}

function drawMark(
  context: CanvasRenderingContext2D,
  { x, y, count }: Mark,
  side: FillRow['side'],
  colour: string,
  paper: string,
): void {
  const way = side === 'buy' ? 1 : -1;
  const size = SIZE + Math.min(4, Math.log2(count));
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - size, y + way * size * 1.7);
  context.lineTo(x + size, y + way * size * 1.7);
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = paper;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
  if (count === 1) return;
  context.font = '10px ui-sans-serif, system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = way > 0 ? 'top' : 'bottom';
  context.fillStyle = colour;
  context.fillText(String(count), x, y + way * (size * 1.7 + 2));
}
