/**
 * docs/interface.md: the whole interface as a user of it reads it, made from src/exchange/interface/. Called by
 * `generate.ts` and by the test that holds page and tables equal.
 */
import { channelRows } from '../src/exchange/interface/channels.ts';
import { clientMessageRows, closeRows, frameErrors, p2pEventRows } from '../src/exchange/interface/client-messages.ts';
import { conventions, frameConventions } from '../src/exchange/interface/conventions.ts';
import { endpointRefusals } from '../src/exchange/interface/endpoint-refusals.ts';
import { endpointRows } from '../src/exchange/interface/endpoint-rows.ts';
import type { Access, EndpointArea } from '../src/exchange/interface/endpoint-row.ts';
import {
  invalidSignatureCauses,
  keyIssuanceRules,
  signatureRules,
  signedHeaders,
  type RuleRow,
} from '../src/exchange/interface/key-rules.ts';
import { limitRows } from '../src/exchange/interface/limits.ts';
import { accessLevelRows, accountTypeRows, permissionCategoryRows } from '../src/exchange/interface/permissions.ts';
import { refusalRemedies } from '../src/exchange/interface/refusal-remedies.ts';
import {
  businessRefusals,
  keyRefusals,
  loginRefusals,
  serviceRefusals,
  subscribeRefusals,
} from '../src/exchange/interface/refusals.ts';
import { documentedResources } from '../src/exchange/interface/resources.ts';
import { stateMachines, type StateMachine } from '../src/exchange/interface/state-machines.ts';
import { transactionTypes } from '../src/exchange/interface/states.ts';

const areaTitles: Readonly<Record<EndpointArea, string>> = {
  identity: 'Login and API keys',
  'market-data': 'Market data',
  orders: 'Orders and own trades',
  positions: 'Positions',
  account: 'Account, transfers, referral',
  fiat: 'Fiat applications',
  crypto: 'Crypto deposits and withdrawals',
  dictionary: 'Dictionaries',
  codes: 'Codes',
  overdraft: 'Overdraft',
  p2p: 'P2P',
};

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(\w+)>/g, '&lt;$1&gt;');
}

/** Names in backticks are left as they are but for the bar, which would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'public';
    case 'jwt-only':
      return 'login only';
    case 'any-key':
      return 'any key';
    case 'permission':
      return `${access.anyOf.map(code).join(' or ')}, ${code(access.level)}`;
  }
}

function operationsOf(area: EndpointArea): string {
  const rows = endpointRows.filter((row) => row.area === area);
  const lines = rows.map(({ name, method, path, access, provenance, purpose }) => [
    code(name),
    `${method} ${code(path)}`,
    cell(purpose),
    accessText(access),
    provenance === 'documented' ? 'documented' : `assumed; ${code(`endpoints.${name}`)}`,
    endpointRefusals[name].map(code).join(', '),
  ]);
  const header = ['operation', 'request', 'purpose', 'access', 'provenance and override', 'may refuse with'];
  return `### ${areaTitles[area]}\n\n${table(header, lines)}`;
}

const channelLines = channelRows.map(({ kind, template, access, content, provenance, anyOf }) => [
  code(template),
  content,
  access === 'public' ? 'public' : `private: ${anyOf.map(code).join(' or ')}`,
  provenance === 'documented' ? 'documented' : `assumed; ${code(`channels.${kind}`)}`,
]);

const messageLines = clientMessageRows.map(({ method, fields, reply, errors }) => [
  code(method),
  fields.map(({ field }) => code(field)).join(', '),
  cell(reply),
  errors.map(code).join(', '),
]);

function moverText({ movers }: StateMachine, trigger: string): string {
  const mover = movers[trigger];
  return typeof mover === 'object' ? mover.map(code).join(', ') : (mover ?? '');
}

function machineText(machine: StateMachine): string {
  const { title, states, statesProvenance, transitions } = machine;
  const lines = transitions.map(({ from, trigger, to, provenance }) => [
    from === null ? '' : code(from),
    trigger,
    moverText(machine, trigger),
    code(to),
    provenance,
  ]);
  return [
    `### ${title}`,
    `States (${statesProvenance}): ${states.map(code).join(', ')}.`,
    table(['from', 'move', 'by', 'to', 'provenance'], lines),
  ].join('\n\n');
}

function resourceText({ title, fields }: (typeof documentedResources)[number]): string {
  const lines = fields.map(({ field, type, meaning }) => [code(field), type, cell(meaning)]);
  return `### ${title}\n\n${table(['field', 'type', 'meaning'], lines)}`;
}

function numbered(rows: readonly RuleRow[]): string {
  return rows.map(({ rule }, index) => `${index + 1}. ${rule}`).join('\n');
}

function bullets(rows: readonly RuleRow[]): string {
  return rows.map(({ rule }) => `- ${rule}`).join('\n');
}

const keyLines = keyRefusals.map(({ text, condition, code: name }) => [code(text), condition, refusalRemedies[name]]);
const businessLines = [...businessRefusals, ...serviceRefusals].map(({ code: name, status, meaning }) => [
  code(name),
  String(status),
  meaning,
  refusalRemedies[name],
]);
const socketLines = [
  ...loginRefusals.map((name) => [code(name), 'login', 'documented', refusalRemedies[name]]),
  ...subscribeRefusals.map((name) => [code(name), 'subscribe', 'assumed', refusalRemedies[name]]),
  ...frameErrors.map((name) => [code(name), 'any frame', 'assumed', 'send a JSON object with a known `method`']),
];

const areas = [...new Set<EndpointArea>(endpointRows.map((row) => row.area))];
const count = (provenance: string): number => endpointRows.filter((row) => row.provenance === provenance).length;

const intro = `# The interface of the exchange

What client, sandbox and conformance tests go by, made from the tables in \`src/exchange/interface/\` by \`npm run docs\`.
**Documented** is what the exchange describes of itself; **assumed** is what it leaves open and tidewire has to choose
(wire profile \`assumed-v1\`). What is assumed can be replaced in the configuration, without code, under
\`exchange.overrides\`; what is documented cannot. What the sandbox assumes beyond names and paths: [sandbox](sandbox.md).
\`tidewire probe\` asks an exchange about what is assumed ([operations](operations.md#before-the-first-order-on-an-exchange)).

\`\`\`yaml
exchange:
  overrides:
    endpoints: { p2pProfile: { path: /api/v2/p2p/client/me } }
    channels: { volumeRatio: RATIO@volume }
\`\`\`

${count('documented')} operations are documented and ${count('assumed')} assumed.`;

export function interfacePage(): string {
  const permissions = permissionCategoryRows.map(({ category, covers, whitelistRequired }) => [
    code(category),
    covers,
    whitelistRequired ? 'yes' : 'no',
  ]);
  const parts = [
    intro,
    '## Operations',
    'Private operations also refuse with the [key refusals](#refusals-of-api-keys). `read_only` suffices to look, `full` is needed to change.',
    ...areas.map(operationsOf),
    '## Permissions',
    table(
      ['level', 'meaning'],
      accessLevelRows.map(({ level, meaning }) => [code(level), meaning]),
    ),
    table(['category', 'covers', 'needs an IP whitelist above `none`'], permissions),
    '## Key rules',
    numbered(keyIssuanceRules),
    '## Signature',
    table(
      ['header', 'value'],
      signedHeaders.map(({ header, value }) => [code(header), value]),
    ),
    numbered(signatureRules),
    'Causes of `invalid signature`:',
    bullets(invalidSignatureCauses),
    '## Accounts',
    table(
      ['account', 'meaning'],
      accountTypeRows.map(({ account, meaning }) => [code(account), meaning]),
    ),
    `Types of transactions (assumed): ${transactionTypes.map(code).join(', ')}.`,
    '## Channels',
    table(['channel', 'content', 'access', 'provenance and override'], channelLines),
    '## Messages of the client',
    table(['method', 'fields', 'reply', 'errors'], messageLines),
    '## Frames',
    bullets(frameConventions),
    '## Events of the P2P socket',
    table(
      ['event', 'meaning'],
      p2pEventRows.map(({ event, meaning }) => [code(event), meaning]),
    ),
    '## Refusals of API keys',
    'HTTP 401 with the bare text as body, tried in this order. All documented.',
    table(['text', 'condition', 'what to do'], keyLines),
    '## Refusals of the WebSocket',
    table(['code', 'of', 'provenance', 'what to do'], socketLines),
    table(
      ['close code', 'when (assumed)'],
      closeRows.map(({ code: name, when }) => [String(name), when]),
    ),
    '## Other refusals',
    'Bodies `{code, message, field?}`. All assumed.',
    table(['code', 'status', 'meaning', 'what to do'], businessLines),
    '## Limits',
    table(
      ['limit', 'value', 'applies to', 'provenance'],
      limitRows.map(({ limit, value, appliesTo, provenance }) => [limit, value, appliesTo, provenance]),
    ),
    '## States',
    ...stateMachines.map(machineText),
    '## Documented fields',
    'P2P trades carry `volume`, `amount` and `price` as integers in strings: divide by 10 to the power of the precision (RUB 2, USDT 4; price 4).',
    ...documentedResources.map(resourceText),
    '## Conventions',
    'All assumed.',
    bullets(conventions),
  ];
  return `${parts.join('\n\n')}\n`;
}
