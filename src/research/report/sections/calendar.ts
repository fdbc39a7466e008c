/** Heat map of returns as a table, printable and accessible. */
import type { Calendar } from '../calendar.ts';
import { fixed } from '../format.ts';
import { html, type Html } from '../html.ts';

const TONES = 5;

export function calendarSection(calendar: Calendar | null): Html | null {
  if (calendar === null) return null;
  const { name, columns, rows } = calendar;
  const values = rows.flatMap(({ cells }) => cells.filter((cell) => cell !== null));
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  const places = most >= 10 ? 1 : most >= 0.1 ? 2 : 3;
  const text = (value: number): string => fixed(value, places);
  return html`<section class="card wide">
    <div class="title">
      <h2>Returns by ${name}</h2>
      <p>% of the equity at the start of each ${name}, UTC</p>
    </div>
    <div class="scroll">
      <table class="heat ${name}">
        <thead>
          <tr>
            <th></th>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            <th scope="col" class="sum">all</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ label, cells, total }) =>
              html`<tr>
                <th scope="row">${label}</th>
                ${cells.map((cell) =>
                  cell === null ? html`<td></td>` : html`<td class="${toneOf(cell, most)}">${text(cell)}</td>`,
                )}
                <td class="sum">${text(total)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** `g1` … `g5` for gains, `l1` … `l5` for losses, by size. */
function toneOf(value: number, most: number): string {
  if (value === 0 || most === 0) return 'flat';
  const level = Math.max(1, Math.ceil((Math.abs(value) / most) * TONES));
  return `${value > 0 ? 'g' : 'l'}${level}`;
}
