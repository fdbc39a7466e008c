/** The effective configuration with the layer that won, and what this page itself remembers. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { setTheme, theme, type Theme } from '../state/theme.ts';
import { useResource } from '../state/resource.ts';
import type { Health, SettingsAnswer } from '../wire/types.ts';
import { Badge, Card, Choice, Pairs } from '../ui/parts.tsx';
import { WhenThere } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { stampSeconds, switchZone, zone, zoneName, type Zone } from '../ui/time.ts';
import { plural } from '../ui/number.ts';

type Setting = SettingsAnswer['settings'][number];
const THEMES = [
  { id: 'system', text: 'System' },
  { id: 'light', text: 'Light' },
  { id: 'dark', text: 'Dark' },
] as const;
const ZONES = [
  { id: 'UTC', text: 'UTC' },
  { id: 'local', text: 'This machine' },
] as const;

export function Settings(): VNode {
  const answer = useResource<SettingsAnswer>('settings');
  const health = useResource<Health>('health');
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
        <span class="muted">read only: the configuration is changed in its file or on the command line</span>
      </div>
      <div class="settings-grid">
        <Card title="This page">
          <div class="body">
            <Pairs
              rows={[
                ['Colours', <Choice<Theme> name="Colours" tabs={THEMES} selected={theme.value} onSelect={setTheme} />],
                [
                  'Times',
                  <Choice<Zone>
                    name="Time zone"
                    tabs={ZONES}
                    selected={zone.value}
                    onSelect={(wanted) => (wanted === zone.value ? undefined : switchZone())}
                  />,
                ],
                ['Zone now', zoneName(Date.now())],
              ]}
            />
          </div>
        </Card>
        <Card title="This server">
          <WhenThere of={health} what="The server's state">
            {({ version, startedAt, clients }) => (
              <div class="body">
                <Pairs
                  rows={[
                    ['Version', version],
                    ['Since', `${stampSeconds(startedAt)} ${zoneName(startedAt)}`],
                    ['Open pages', plural(clients, 'stream')],
                    [
                      'Charts',
                      <a
                        href="https://www.tradingview.com/lightweight-charts/"
                        rel="noreferrer noopener"
                        target="_blank"
                      >
                        Lightweight Charts by TradingView
                      </a>,
                    ],
                  ]}
                />
              </div>
            )}
          </WhenThere>
        </Card>
      </div>
      <WhenThere of={answer} what="The configuration">
        {({ settings }) => <Configuration settings={settings} />}
      </WhenThere>
    </>
  );
}

function Configuration({ settings }: SettingsAnswer): VNode {
  const [filter, setFilter] = useState('');
  const [layer, setLayer] = useState('all');
  const layers = ['all', ...new Set(settings.map((setting) => setting.layer))];
  const rows = settings.filter(
    (setting) =>
      (layer === 'all' || setting.layer === layer) &&
      `${setting.path} ${setting.about ?? ''}`.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <Card
      title="Configuration"
      note={`${rows.length} of ${settings.length}, secrets are left out`}
      actions={
        <span class="row">
          <input
            class="input compact"
            type="search"
            aria-label="Filter"
            placeholder="filter"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <select
            class="input compact"
            aria-label="Layer"
            value={layer}
            onChange={(event) => setLayer(event.currentTarget.value)}
          >
            {layers.map((each) => (
              <option key={each} value={each}>
                {each === 'all' ? 'all layers' : each}
              </option>
            ))}
          </select>
        </span>
      }
    >
      <Table
        name="Configuration"
        columns={settings.some(({ about }) => about !== null) ? [...COLUMNS, ABOUT] : COLUMNS}
        rows={rows}
        keyOf={({ path }) => path}
        empty="No setting of this name"
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Setting>[] = [
  {
    head: 'Setting',
    cell: ({ path }) => (
      <span class="mono">
        {path.split('.').map((part, index) => (index === 0 ? part : [<wbr key={part} />, `.${part}`]))}
      </span>
    ),
    isText: true,
  },
  {
    head: 'Value',
    cell: ({ value }) => <span class="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</span>,
    isText: true,
  },
  { head: 'Layer', cell: ({ layer }) => <Badge tone={layer === 'default' ? 'plain' : 'ok'}>{layer}</Badge> },
];
const ABOUT: Column<Setting> = {
  head: 'What it does',
  cell: ({ about }) => <span class="muted">{about ?? ''}</span>,
  isText: true,
  isMinor: true,
};
