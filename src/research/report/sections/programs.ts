/** Order programs of the run, and their orders by leg. */
import type { ResultDocument, ResultOrder, ResultProgram } from '../../../session/result/result.ts';
import { count, duration, timeMs } from '../format.ts';
import { html, type Html } from '../html.ts';

/** Bounds the page; the newest are kept. */
const MAX_PROGRAMS = 1000;
const MAX_LEGS = 6;

/** Null without one. */
export function programSection({ programs, orders, period }: ResultDocument): Html | null {
  if (programs.length === 0) return null;
  const shown = programs.slice(-MAX_PROGRAMS);
  const legs = legsOf(orders);
  return html`<section class="card wide">
    <div class="title">
      <h2>Order programs</h2>
      <p>
        with their orders by
        leg${shown.length < programs.length ? `, the newest ${shown.length} of ${count(programs.length)}` : null}
      </p>
    </div>
    <div class="scroll">
      <table class="list sortable">
        <thead>
          <tr>
            <th>Ref</th>
            <th>Kind</th>
            <th>Symbol</th>
            <th>State</th>
            <th class="n">Filled</th>
            <th class="n">Average</th>
            <th>Began, UTC</th>
            <th class="n">Took</th>
            <th>Orders, filled of all</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((program) => row(program, legs.get(program.ref), period.to))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function row(program: ResultProgram, legs: readonly Leg[] | undefined, runTo: number): Html {
  const { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt } = program;
  const took = (endedAt ?? runTo) - startedAt;
  return html`<tr>
    <td title="${strategy}">${ref}</td>
    <td>${kind}</td>
    <td>${symbol}</td>
    <td class="${state === 'failed' ? 'loss' : ''}">
      ${reason === null || reason === state ? state : `${state}: ${reason}`}
    </td>
    <td class="n" data-key="${filled}">${quantity === null ? filled : `${filled} of ${quantity}`}</td>
    <td class="n" data-key="${averagePrice ?? ''}">${averagePrice ?? '–'}</td>
    <td data-key="${startedAt}">${timeMs(startedAt)}</td>
    <td class="n" data-key="${took}">${duration(took)}</td>
    <td>${legsText(legs ?? [])}</td>
  </tr>`;
}

interface Leg {
  readonly name: string;
  orders: number;
  filled: number;
}

function legsOf(orders: readonly ResultOrder[]): ReadonlyMap<string, readonly Leg[]> {
  const byParent = new Map<string, Leg[]>();
  for (const { parent, leg, state } of orders) {
    if (parent === null || leg === null) continue;
    let legs = byParent.get(parent);
    if (legs === undefined) byParent.set(parent, (legs = []));
    let known = legs.find(({ name }) => name === leg);
    if (known === undefined) legs.push((known = { name: leg, orders: 0, filled: 0 }));
    known.orders++;
    if (state === 'filled') known.filled++;
  }
  return byParent;
}

function legsText(legs: readonly Leg[]): string {
  const shown = legs.slice(0, MAX_LEGS).map(({ name, orders, filled }) => `${name} ${filled}/${orders}`);
  return [...shown, ...(legs.length > MAX_LEGS ? [`and ${legs.length - MAX_LEGS} legs`] : [])].join(', ');
}
