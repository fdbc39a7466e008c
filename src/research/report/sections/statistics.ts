/** All metrics by group, with conventions. */
import type { ResultDocument } from '../../../session/result/result.ts';
import { duration } from '../format.ts';
import { html, type Html } from '../html.ts';
import { metricGroups } from '../metric-table.ts';
import { valueHtml } from '../metric-value.ts';

export function statisticsSection(result: ResultDocument): Html {
  const groups = metricGroups.filter(
    ({ title, rows }) => title !== 'Overfitting' || rows.some(({ name }) => (result.stats[name] ?? null) !== null),
  );
  return html`<section class="card wide">
    <div class="title">
      <h2>Statistics</h2>
      <p>${conventionText(result)}</p>
    </div>
    <div class="groups">
      ${groups.map(
        ({ title, rows }) =>
          html`<table class="metrics">
            <caption>
              ${title}
            </caption>
            <tbody>
              ${rows.map(
                (row) =>
                  html`<tr>
                    <th scope="row">${row.label}<small>${row.convention}</small></th>
                    <td>${valueHtml(row, result.stats[row.name])}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
      )}
    </div>
  </section>`;
}

function conventionText({ conventions, currency }: ResultDocument): string {
  if (conventions === undefined) return `money in ${currency}`;
  const { samples, sampleMs, periodsPerYear, riskFreeRate, minimumReturn, annualised } = conventions;
  const period = sampleMs === 86_400_000 ? 'UTC days' : `periods of ${duration(sampleMs)}`;
  const rates = `rf ${riskFreeRate}, MAR ${minimumReturn}`;
  const scale = annualised ? `N = ${periodsPerYear} a year` : 'nothing annualised';
  return `money in ${currency} · ${samples} simple ${samples === 1 ? 'return' : 'returns'} over ${period} · ${scale} · ${rates} · – is undefined`;
}
