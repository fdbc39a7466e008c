/**
 * What has to be met: each row of src/exchange/interface/ with its success and each of its failures, as the facts that
 * prove them (`facts.ts`). Made from the tables alone, so that a new row asks for its tests by itself.
 */
import { channelRows } from '../../../src/exchange/interface/channels.ts';
import {
  clientMessageRows,
  closeRows,
  frameErrors,
  p2pEventRows,
} from '../../../src/exchange/interface/client-messages.ts';
import { conventions, frameConventions, sandboxPromises } from '../../../src/exchange/interface/conventions.ts';
import type { EndpointRow, Provenance } from '../../../src/exchange/interface/endpoint-row.ts';
import { endpointRefusals } from '../../../src/exchange/interface/endpoint-refusals.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';
import { invalidSignatureCauses, keyIssuanceRules, signatureRules } from '../../../src/exchange/interface/key-rules.ts';
import { limitRows } from '../../../src/exchange/interface/limits.ts';
import {
  accessLevelRows,
  accountTypeRows,
  permissionCategoryRows,
} from '../../../src/exchange/interface/permissions.ts';
import {
  businessRefusals,
  keyRefusals,
  loginRefusals,
  serviceRefusals,
  subscribeRefusals,
} from '../../../src/exchange/interface/refusals.ts';
import { documentedResources, type FieldRow } from '../../../src/exchange/interface/resources.ts';
import { stateMachines, type StateMachine } from '../../../src/exchange/interface/state-machines.ts';
import { transactionTypes } from '../../../src/exchange/interface/states.ts';
import { faultKinds } from '../../../src/sandbox/faults.ts';

export interface Requirement {
  readonly kind: string;
  readonly row: string;
  readonly provenance: Provenance;
  /** Success or failure that has to be met, by one of these facts. */
  readonly outcomes: readonly { readonly name: string; readonly anyOf: readonly string[] }[];
}

function one(name: string, ...anyOf: readonly string[]): Requirement['outcomes'][number] {
  return { name, anyOf };
}

/** Key refusals show at each private operation; the table has the one that depends on the operation. */
function accessOutcomes({ name, access }: EndpointRow): Requirement['outcomes'] {
  if (access.kind === 'jwt-only')
    return [one('closed to keys', `endpoint ${name} route not allowed for API key access`)];
  if (access.kind !== 'permission') return [];
  return [one('permission', `endpoint ${name} insufficient permissions for this route`)];
}

function endpointRequirement(row: EndpointRow & { readonly name: keyof typeof endpointRefusals }): Requirement {
  const { name, provenance } = row;
  const refusals = endpointRefusals[name].map((code) => one(code, `endpoint ${name} ${code}`));
  const outcomes = [one('ok', `endpoint ${name} ok`), ...accessOutcomes(row), ...refusals];
  return { kind: 'operation', row: name, provenance, outcomes };
}

function channelRequirement({ kind, access, anyOf, provenance }: (typeof channelRows)[number]): Requirement {
  const outcomes = [one('ok', `channel ${kind} ok`), one('push', `channel ${kind} push`)];
  if (access === 'private') outcomes.push(one('login_required', `channel ${kind} login_required`));
  if (anyOf.length > 0) outcomes.push(one('permission', `channel ${kind} insufficient_permissions`));
  return { kind: 'channel', row: kind, provenance, outcomes };
}

function messageRequirement({ method, errors, provenance }: (typeof clientMessageRows)[number]): Requirement {
  const prefix = method === 'auth' ? 'login' : `message ${method}`;
  const outcomes = ['ok', ...errors].map((outcome) => one(outcome, `${prefix} ${outcome}`));
  return { kind: 'message', row: method, provenance, outcomes };
}

/** Alone between two states, the move itself is proof; otherwise it has to be seen by its own mover. */
function transitionRequirements({ thing, transitions, movers }: StateMachine): readonly Requirement[] {
  return transitions.map(({ from, to, trigger, provenance }) => {
    const path = `move ${thing} ${from ?? 'none'} ${to}`;
    const rivals = transitions.filter((other) => other.from === from && other.to === to);
    const mover = movers[trigger];
    const itself = mover === 'liquidation' ? mover : 'time';
    const by = typeof mover === 'object' ? mover : [itself];
    const anyOf = rivals.length === 1 ? [path] : by.map((name) => `${path} by ${name}`);
    const row = `${thing}: ${from ?? '(none)'} → ${to} (${trigger})`;
    return { kind: 'transition', row, provenance, outcomes: [one('seen', ...anyOf)] };
  });
}

const jsonTypes: Readonly<Record<string, readonly string[]>> = { 'date-time': ['string', 'null'] };

function fieldOutcome(resource: string, { field, type }: FieldRow): Requirement['outcomes'][number] {
  const name = type.split(' ')[0] ?? type;
  const types = jsonTypes[name] ?? [name];
  return one(field, ...types.map((each) => `field ${resource} ${field} ${each}`));
}

/** The service never shows a request, and no key but by its list, which is assumed. */
const sentOnly = new Set(['newApiKeyRequest', 'apiKey']);

const resourceRequirements: readonly Requirement[] = documentedResources
  .filter(({ resource }) => !sentOnly.has(resource))
  .map(({ resource, fields }) => ({
    kind: 'resource',
    row: resource,
    provenance: 'documented',
    outcomes: fields.map((field) => fieldOutcome(resource, field)),
  }));

/** What shows each limit at work. */
const limitFacts: Readonly<Record<(typeof limitRows)[number]['limit'], readonly string[]>> = {
  'active API keys per user': ['endpoint createApiKey too_many_keys'],
  'lifetime of key without whitelist': ['refusal api key expired 401'],
  'timestamp tolerance': ['refusal timestamp expired 401'],
  'WebSocket ping interval': ['witness limit/ping-interval'],
  'WebSocket idle close': ['close 1000'],
  'active P2P advertisements': ['endpoint p2pCreateAdvertisement limit_reached'],
  'simultaneous active P2P trades': ['endpoint p2pCreateTrade limit_reached'],
  'time for maker to confirm trade start': ['move p2pTrade open:wait-confirm cancel by time'],
  'page size': ['witness limit/page-size'],
};

function rules(kind: string, provenance: Provenance, rows: readonly { readonly id: string }[]): readonly Requirement[] {
  return rows.map(({ id }) => ({ kind, row: id, provenance, outcomes: [one('shown', `witness ${kind}/${id}`)] }));
}

function single(kind: string, row: string, provenance: Provenance, ...anyOf: readonly string[]): Requirement {
  return { kind, row, provenance, outcomes: [one('seen', ...anyOf)] };
}

const refusalRequirements: readonly Requirement[] = [
  ...keyRefusals.map(({ text, status }) => single('key refusal', text, 'documented', `refusal ${text} ${status}`)),
  ...loginRefusals.map((code) => single('login refusal', code, 'documented', `login ${code}`)),
  ...subscribeRefusals.map((code) => single('subscribe refusal', code, 'assumed', `message subscribe ${code}`)),
  ...frameErrors.map((code) => single('frame error', code, 'assumed', `refusal ${code} socket`)),
  ...businessRefusals.map(({ code, status }) =>
    single('business refusal', code, 'assumed', `refusal ${code} ${status}`),
  ),
  ...serviceRefusals
    .filter(({ code }) => code !== 'not_available')
    .map(({ code, status }) => single('service refusal', code, 'assumed', `refusal ${code} ${status}`)),
];

const permissionRequirements: readonly Requirement[] = [
  ...permissionCategoryRows.map(({ category, whitelistRequired }): Requirement => ({
    kind: 'permission',
    row: category,
    provenance: 'documented',
    outcomes: [
      ...accessLevelRows.map(({ level }) => one(level, `permission ${category} ${level} ok`)),
      ...(whitelistRequired ? [one('whitelist', `permission ${category} full whitelist_required`)] : []),
    ],
  })),
  ...accountTypeRows.map(({ account }) => single('account', account, 'documented', `account ${account}`)),
];

export const requirements: readonly Requirement[] = [
  ...createEndpointTable().rows.map(endpointRequirement),
  ...channelRows.map(channelRequirement),
  ...clientMessageRows.map(messageRequirement),
  ...refusalRequirements,
  ...closeRows.map(({ code }) => single('close code', String(code), 'assumed', `close ${code}`)),
  ...p2pEventRows.map(({ event }) => single('P2P event', event, 'assumed', `p2p ${event}`)),
  ...permissionRequirements,
  ...resourceRequirements,
  ...stateMachines.flatMap(transitionRequirements),
  ...transactionTypes.map((type) => single('transaction type', type, 'assumed', `transaction ${type}`)),
  ...limitRows.map(({ limit, provenance }) => single('limit', limit, provenance, ...limitFacts[limit])),
  ...rules('key-rule', 'documented', keyIssuanceRules),
  ...rules('signature', 'documented', signatureRules),
  ...rules('invalid-signature', 'documented', invalidSignatureCauses),
  ...rules('convention', 'assumed', conventions),
  ...rules('frame', 'assumed', frameConventions),
  ...rules('sandbox', 'assumed', sandboxPromises),
  ...faultKinds.map((fault) => single('fault', fault, 'assumed', `fault ${fault}`)),
];

const listed = new Set(
  Object.entries(endpointRefusals).flatMap(([name, codes]) => codes.map((code) => `endpoint ${name} ${code}`)),
);
const shared = new Set<string>([
  'ok',
  ...keyRefusals.map(({ text }) => text),
  ...serviceRefusals.filter(({ code }) => code !== 'login_failed').map(({ code }) => code),
  'rate_limited',
  'internal_error',
  'fault',
]);

/** A refusal that the table does not list for its operation. */
export function isUnlisted(fact: string): boolean {
  if (!fact.startsWith('endpoint ') || listed.has(fact)) return false;
  return !shared.has(fact.split(' ').slice(2).join(' '));
}
