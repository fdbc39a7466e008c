/**
 * The proof that no row is missing: the two contracts are parsed table by table and set against src/exchange/interface/,
 * both ways. They stand beside the repository and not in it; without them the tests are skipped and say so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { channelRows } from '../../../src/exchange/interface/channels.ts';
import { clientMessageRows } from '../../../src/exchange/interface/client-messages.ts';
import { conventions, frameConventions, sandboxPromises } from '../../../src/exchange/interface/conventions.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';
import {
  invalidSignatureCauses,
  keyIssuanceRules,
  signatureRules,
  signedHeaders,
} from '../../../src/exchange/interface/key-rules.ts';
import { limitRows } from '../../../src/exchange/interface/limits.ts';
import {
  accessLevelRows,
  accountTypeRows,
  permissionCategoryRows,
} from '../../../src/exchange/interface/permissions.ts';
import { businessRefusals, keyRefusals, loginRefusals } from '../../../src/exchange/interface/refusals.ts';
import { documentedResources } from '../../../src/exchange/interface/resources.ts';
import { stateMachines } from '../../../src/exchange/interface/state-machines.ts';
import {
  advertisementStatuses,
  p2pTradeStatuses,
  transactionStatuses,
  transactionTypes,
} from '../../../src/exchange/interface/states.ts';
import { faultKinds } from '../../../src/sandbox/faults.ts';
import { codesOf, numberedOf, sectionOf, tablesOf } from './markdown.ts';

const folder = join(import.meta.dirname, '../../../../shared/spec');
const present = existsSync(folder);
const note = present ? '' : ' (SKIPPED: the contracts are not beside this repository)';
const read = (name: string): string => (present ? readFileSync(join(folder, name), 'utf8') : '');
const document = read('exchange-interface.md');
const profile = read('wire-profile.md');

type Rows = readonly (readonly string[])[];

function fieldsOf(resource: (typeof documentedResources)[number]['resource']): Rows {
  const found = documentedResources.find((each) => each.resource === resource);
  return (found?.fields ?? []).map(({ field, type, meaning }) => [field, type, meaning]);
}

/** Spelled in a sentence below the table; the sentence itself is tested further down. */
const secondSpelling = new Set(['advertisementMaxCountActiveSell', 'advertisementMaxCountActiveBuy']);

/** What the document calls triggers and states, in the words of the tables. */
const triggerWords: Readonly<Record<string, string>> = {
  'create key': 'create',
  'time passes': 'time',
  'key deleted': 'delete',
  'deactivate operation': 'deactivate',
  'activate operation': 'activate',
  'delete operation': 'delete',
  'trades take all remaining liquidity': 'sell-out',
  'maker confirms start of the trade': 'start',
  '10 minutes pass': 'expire',
  'buyer pays': 'pay',
  '`POST /api/v1/p2p/client/trade/dispute`': 'dispute',
  '`POST /api/v1/processing/fiat-application`': 'create',
  '`PATCH /api/v1/processing/fiat-application`': 'confirm',
  '`POST /api/v1/processing/create-and-submit-fiat-application`': 'submit',
};

/** Documented moves that stand in a sentence and in no table. */
const movesInSentences: Readonly<Record<string, string>> = {
  'active block blocked': 'A key can also be blocked, which gives the same refusal as not active.',
  'dispute:open resolve-complete complete': '`complete` and `cancel` also result from dispute resolution.',
  'dispute:open resolve-cancel cancel': '`complete` and `cancel` also result from dispute resolution.',
};

function documentedMoves(thing: string): readonly string[] {
  const { transitions = [] } = stateMachines.find((each) => each.thing === thing) ?? {};
  const documented = transitions.filter((row) => row.provenance === 'documented');
  return documented
    .map(({ from, trigger, to }) => `${from ?? '(none)'} ${trigger} ${to}`)
    .filter((move) => movesInSentences[move] === undefined)
    .toSorted();
}

function movesOf(rows: Rows): readonly string[] {
  return rows
    .flatMap(([from = '', trigger = '', , to = '']) => {
      const target = to === 'not active' ? 'deleted' : to;
      return from.split(' or ').map((each) => `${each} ${triggerWords[trigger] ?? trigger} ${target}`);
    })
    .toSorted();
}

interface Check {
  readonly columns: readonly number[];
  readonly rows: Rows;
}

const endpoints = createEndpointTable().rows;
const CREATE_KEY = '/api/v1/identity/client/api-key/create';
const messageRows = clientMessageRows.filter(({ method }) => method !== 'auth');
const authFields = clientMessageRows.find(({ method }) => method === 'auth')?.fields ?? [];
const requestFields = fieldsOf('newApiKeyRequest').map(([field = '', type = '', meaning = '']) => {
  const isOptional = meaning.startsWith('optional; ');
  return [field, type, isOptional ? 'no' : 'yes', meaning.replace('optional; ', '')];
});

/** Each table of the document by its place: which columns are compared, and the rows that they must equal. */
const S = 'Exchange Service Interface: Trading, Assets, P2P and API Keys';
const checks: Readonly<Record<string, Check>> = {
  'Resources and their fields / API key #1': { columns: [0, 1, 2], rows: fieldsOf('apiKey') },
  'Resources and their fields / Permission levels (`accessLevel`) #1': {
    columns: [0, 1],
    rows: accessLevelRows.map(({ level, meaning }) => [level, meaning]),
  },
  'Resources and their fields / Permission categories (`category`) #1': {
    columns: [0, 1, 2],
    rows: permissionCategoryRows.map((row) => [row.category, row.covers, row.whitelistRequired ? 'yes' : 'no']),
  },
  'Resources and their fields / Account types #1': {
    columns: [0, 1],
    rows: accountTypeRows.map(({ account, meaning }) => [account, meaning]),
  },
  'Resources and their fields / Advertisement (P2P), returned by the advertisement detail operation #1': {
    columns: [0, 1, 2],
    rows: fieldsOf('advertisement'),
  },
  'Resources and their fields / Market (trading-pair specification) #1': {
    columns: [0, 1, 2],
    rows: fieldsOf('market').filter(([field = '']) => !secondSpelling.has(field)),
  },
  'Resources and their fields / Trade (P2P), element of `trades` #1': {
    columns: [0, 1, 2],
    rows: fieldsOf('p2pTrade'),
  },
  'States and transitions / Fiat application #1': {
    columns: [0],
    rows: transactionStatuses.map((status) => [status]),
  },
  'Endpoints / Create API key #1': { columns: [0, 1, 2, 3], rows: requestFields },
  'Endpoints / Other operations #1': {
    columns: [0, 1],
    rows: endpoints
      .filter((row) => row.provenance === 'documented' && row.path !== CREATE_KEY)
      .map(({ method, path }) => [method, path]),
  },
  'Authentication / Request headers for REST with API key #1': {
    columns: [0, 1],
    rows: signedHeaders.map(({ header, value }) => [header, value]),
  },
  'Authentication / WebSocket authentication #1': {
    columns: [0, 1, 2],
    rows: authFields.map(({ field, type, value }) => [field, type, field === 'method' ? `\`${value}\`` : value]),
  },
  'Events / Client messages (JSON) #1': { columns: [0], rows: messageRows.map(({ method }) => [method]) },
  'Events / Channels #1': {
    columns: [0, 1, 2],
    rows: channelRows
      .filter((row) => row.provenance === 'documented')
      .map(({ template, access, content }) => [template, access, content]),
  },
  'Errors / REST with API key #1': {
    columns: [0, 1],
    rows: keyRefusals.map(({ text, condition }) => [text, condition]),
  },
  'Errors / WebSocket login #1': { columns: [0], rows: loginRefusals.map((code) => [code]) },
  'Limits #1': {
    columns: [0, 1, 2],
    rows: limitRows
      .filter((row) => row.provenance === 'documented')
      .map(({ limit, value, appliesTo }) => [limit, value, appliesTo]),
  },
};

const moveTables: Readonly<Record<string, string>> = {
  'States and transitions / API key #1': 'apiKey',
  'States and transitions / Advertisement #1': 'advertisement',
  'States and transitions / P2P trade #1': 'p2pTrade',
  'States and transitions / Fiat application #2': 'fiatApplication',
};

const lines = (rows: Rows): readonly string[] => rows.map((row) => row.join(' | ')).toSorted();
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe.skipIf(!present)(`the tables of the interface document${note}`, () => {
  const tables = tablesOf(document).map((table) => ({ ...table, place: table.place.replace(`${S} / `, '') }));

  it('are all known here: a new one needs rows and a check', () => {
    const known = [...Object.keys(checks), ...Object.keys(moveTables)];
    expect(tables.map(({ place }) => place).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(checks))('%s: row for row, both ways', (place, { columns, rows }) => {
    const table = tables.find((each) => each.place === place);
    const stated = (table?.rows ?? []).map((row) => columns.map((column) => row[column] ?? ''));
    expect(lines(rows)).toEqual(lines(stated));
    expect(rows.length).toBe(table?.rows.length);
  });

  it.each(Object.entries(moveTables))('%s: move for move, both ways', (place, thing) => {
    const table = tables.find((each) => each.place === place);
    expect(documentedMoves(thing)).toEqual(movesOf(table?.rows ?? []));
    expect(table?.rows.length).toBeGreaterThan(0);
  });

  it('have the fields of the client messages', () => {
    const table = tables.find(({ place }) => place === 'Events / Client messages (JSON) #1');
    for (const [method = '', text = ''] of table?.rows ?? []) {
      const row = messageRows.find((each) => each.method === method);
      const named = codesOf(text.split('; reply')[0] ?? '').filter((code) => code !== method);
      expect([method, named]).toEqual([method, row?.fields.map(({ field }) => field)]);
    }
  });
});

describe.skipIf(!present)(`the sentences of the interface document${note}`, () => {
  it('with documented moves are there word for word', () => {
    for (const sentence of Object.values(movesInSentences)) expect(document).toContain(sentence);
    const documented = stateMachines.flatMap(({ transitions }) => transitions.filter(isDocumented));
    const inTables = Object.values(moveTables).flatMap(documentedMoves);
    expect(documented.length).toBe(inTables.length + Object.keys(movesInSentences).length);
  });

  it('with statuses name exactly those of the tables', () => {
    const advertisement = sectionOf(document, 'Advertisement').split('\n|')[0] ?? '';
    expect(codesOf(advertisement)).toEqual([...advertisementStatuses]);
    const trade = /Statuses: (.+?)\./.exec(sectionOf(document, 'P2P trade'))?.[1] ?? '';
    expect(codesOf(trade)).toEqual([...p2pTradeStatuses]);
  });

  it.each([
    ['Key issuance rules', keyIssuanceRules],
    ['Signature', signatureRules],
  ] as const)('%s: rule for rule', (heading, rows) => {
    expect(rows.map(({ rule }) => rule)).toEqual(numberedOf(sectionOf(document, heading)));
  });

  it('causes of `invalid signature`: each one', () => {
    const sentence = /Causes of `invalid signature` to check: (.+)\./.exec(document)?.[1] ?? '';
    expect(invalidSignatureCauses.map(({ rule }) => rule).join(', ')).toBe(sentence);
  });

  it.each([
    ['user', '`user` (maker): ', ['buy', 'sell', 'percent', 'negative', 'positive', 'maker']],
    ['paymentMethod', '`paymentMethods[]`: ', []],
    ['currency', '`quoteCurrency` and `baseCurrency`: ', ['false']],
    ['priceRule', '`marketPriceValidationRule`: ', ['anchor', 'spread', 'ask', 'bid', 'price']],
  ] as const)('%s: field for field', (resource, start, inner: readonly string[]) => {
    const paragraph = document.split('\n').find((line) => line.startsWith(start)) ?? '';
    const named = new Set(codesOf(paragraph.slice(start.length)));
    const fields = fieldsOf(resource).map(([field = '']) => field);
    expect([...named].filter((name) => !inner.includes(name)).toSorted()).toEqual(fields.toSorted());
  });

  it('with the second spelling of the active counts and the scales of P2P', () => {
    for (const field of secondSpelling) expect(document).toContain(`\`${field}\``);
    expect(document).toContain(
      'Precision for `volume` and `amount`: RUB 2, USDT 4 decimal places. Precision for `price`: 4 decimal places for RUB and USDT.',
    );
  });
});

function isDocumented({ provenance }: { readonly provenance: string }): boolean {
  return provenance === 'documented';
}

/** `/a/{id}/activate · /deactivate` are two paths, the second in place of the last segment of the first. */
function pathsOf(cell: string): readonly string[] {
  const [first = '', ...more] = cell.split(' · ').map((part) => part.replace(/\?.*$/, '').trim());
  const parent = first.slice(0, first.lastIndexOf('/'));
  return [first, ...more.map((part) => (part.startsWith('/api/') ? part : `${parent}${part}`))];
}

describe.skipIf(!present)(`the wire profile${note}`, () => {
  const tables = tablesOf(profile);
  const table = (heading: string): Rows => tables.find(({ place }) => place.includes(heading))?.rows ?? [];

  it('has no table that is not looked at here', () => {
    expect(tables.map(({ place }) => place.replace(/^.* \/ /, ''))).toEqual([
      'REST: assumed operations (besides the documented table) #1',
      'REST: assumed bodies of the documented money operations #1',
    ]);
  });

  it('assumes exactly the operations that the table has as assumed', () => {
    const stated = table('assumed operations').flatMap(([method = '', cell = '']) =>
      pathsOf(cell).map((path) => `${method} ${path}`),
    );
    const documented = new Set(endpoints.filter(isDocumented).map(({ method, path }) => `${method} ${path}`));
    const rows = endpoints.filter((row) => !isDocumented(row)).map(({ method, path }) => `${method} ${path}`);
    expect(rows.toSorted()).toEqual(stated.filter((row) => !documented.has(row)).toSorted());
  });

  it('gives bodies to documented operations alone', () => {
    const named = table('assumed bodies').flatMap(([cell = '']) => [...cell.matchAll(/[/…][\w/{}-]+/g)].map(String));
    for (const path of named.map((each) => each.replace('…', ''))) {
      const match = endpoints.find((row) => row.path.endsWith(path));
      expect([path, match?.provenance]).toEqual([path, 'documented']);
    }
    const cells = table('assumed bodies').map(([cell = '']) => cell);
    expect(cells.filter((cell) => !/[/…]\w/.test(cell) && !/^(PATCH|DELETE) the same$/.test(cell))).toEqual([
      'P2P trade',
    ]);
    expect([cells.length, named.length]).toEqual([24, 26]);
  });

  it('lists the business codes that the table has', () => {
    const list = /Business refusals use these codes: `([^`]+)`/.exec(flat(profile))?.[1]?.split(', ') ?? [];
    const inline = codesOf(flat(profile)).filter((code) => /^[a-z]+(_[a-z]+)+$/.test(code));
    const codes = businessRefusals.map(({ code }) => code);
    expect(list.filter((code) => !codes.some((each) => each === code))).toEqual([]);
    expect(list.length).toBeGreaterThan(15);
    const unstated = codes.filter((code) => !list.includes(code) && !inline.includes(code));
    expect(unstated).toEqual(['bad_request']);
  });

  it('has the transaction types, the order states and the faults', () => {
    expect(flat(profile)).toContain(`\`type\`: ${transactionTypes.join(', ')} |`);
    const order = stateMachines.find(({ thing }) => thing === 'order');
    expect(flat(profile)).toContain(`status: ${order?.states.join('|')}`);
    // Beyond the profile.
    const own: readonly string[] = ['falseCancel', 'falseRefusal'];
    const faults = faultKinds.filter((kind) => !own.includes(kind));
    expect(flat(profile)).toContain(`"fault": ${faults.map((kind) => `"${kind}"`).join('|')}`);
  });

  it.each([
    ['Conventions', conventions],
    ['WebSocket: assumed frames', frameConventions],
    ['Sandbox contract (what an outside client may rely on)', sandboxPromises],
  ] as const)('%s: sentence for sentence, nothing left over', (heading, rows) => {
    let text = flat(` ${sectionOf(profile, heading).replaceAll(/^- /gm, '')} `);
    for (const { id, rule } of rows) {
      expect([id, text.includes(rule)]).toEqual([id, true]);
      text = text.replace(rule, '');
    }
    expect(flat(text).replace('Details that a client may rely on:', '').trim()).toBe('');
  });
});
