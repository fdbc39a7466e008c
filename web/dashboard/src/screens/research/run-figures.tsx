/** Figures and parameters of a run; of several strategies a row each, and the figures of all or of the chosen one. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { metricGroups } from '../../../../../src/research/report/metric-table.ts';
import { percent, whole } from '../../ui/number.ts';
import { Card, Pairs } from '../../ui/parts.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { RunDocument, StrategyPart } from './documents.ts';
import { flatParams, paramsOf, paramText, partsOf } from './parts-of.ts';
import { statText } from './stats.ts';

const ALL = '';

export function RunFigures({ of }: { readonly of: RunDocument }): VNode {
  const [tag, setTag] = useState(ALL);
  const parts = partsOf(of);
  const chosen = parts.find(({ strategy }) => strategy === tag);
  const stats = chosen?.stats ?? of.stats;
  const params = chosen === undefined ? flatParams(of) : paramsOf(of, chosen.strategy);
  return (
    <>
      {parts.length === 0 ? null : (
        <Card
          title="Strategies"
          note="each by its own fills, fees and funding"
          actions={
            <select
              class="input compact"
              aria-label="Figures and parameters of"
              value={tag}
              onChange={(event) => setTag(event.currentTarget.value)}
            >
              <option value={ALL}>all strategies</option>
              {parts.map(({ strategy }) => (
                <option key={strategy} value={strategy}>
                  {strategy}
                </option>
              ))}
            </select>
          }
        >
          <Table
            name="Strategies"
            rows={parts}
            keyOf={({ strategy }) => strategy}
            empty="No strategy"
            columns={columnsOf(tag, setTag)}
          />
        </Card>
      )}
      <div class="two">
        <Card title="Figures" note={chosen === undefined ? 'definitions: docs/metrics.md' : `of ${chosen.strategy}`}>
          <div class="scroll tall" tabIndex={0} role="region" aria-label="Figures">
            <table>
              <tbody>
                {metricGroups.map(({ title, rows }) => [
                  <tr key={title}>
                    <th colSpan={2} scope="rowgroup">
                      {title}
                    </th>
                  </tr>,
                  ...rows
                    .filter(({ name }) => stats[name] !== undefined)
                    .map(({ name, label, convention }) => (
                      <tr key={name}>
                        <td title={convention}>{label}</td>
                        <td class="num">{statText(name, stats[name])}</td>
                      </tr>
                    )),
                ])}
              </tbody>
            </table>
          </div>
        </Card>
        <Card title="Parameters" note={chosen === undefined ? '' : `of ${chosen.strategy}`}>
          <div class="body">
            <Pairs
              rows={Object.entries(params).map(([name, value]) => [name, <code>{paramText(value)}</code>] as const)}
            />
          </div>
        </Card>
      </div>
    </>
  );
}

function columnsOf(chosen: string, choose: (tag: string) => void): readonly Column<StrategyPart>[] {
  const stat = (head: string, name: string, isMinor = false): Column<StrategyPart> => ({
    head,
    cell: ({ stats }) => statText(name, stats[name]),
    isNumber: true,
    isMinor,
  });
  return [
    {
      head: 'Strategy',
      cell: ({ strategy, name }) => (
        <button
          type="button"
          class={`button small ${strategy === chosen ? 'main' : ''}`}
          title={name}
          aria-pressed={strategy === chosen}
          onClick={() => choose(strategy === chosen ? ALL : strategy)}
        >
          {strategy}
        </button>
      ),
    },
    { head: 'Share', cell: ({ share }) => (share === null ? '–' : percent(share, 0)), isNumber: true, isMinor: true },
    { head: 'Fills', cell: ({ fills }) => whole(fills), isNumber: true, isMinor: true },
    stat('Net P&L', 'netPnl'),
    stat('Sharpe', 'sharpe', true),
    stat('Deepest fall', 'maxDrawdownPct'),
    stat('Trades', 'trades'),
    stat('Fees', 'fees', true),
  ];
}
