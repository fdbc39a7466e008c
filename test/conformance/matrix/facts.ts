/**
 * Turns what the raw client saw (`../sightings.ts`) into facts about rows: paths become names of endpoints, channel
 * names become kinds. Two sightings of the same thing are one fact. Pure.
 */
import { createChannelTable } from '../../../src/exchange/interface/channels.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';

const endpoints = createEndpointTable();
const channels = createChannelTable();

function endpointOf(method: string, path: string): string | undefined {
  return endpoints.match(method, path)?.endpoint.name;
}

function restFacts(method: string, path: string, status: string, code: string): readonly string[] {
  const name = endpointOf(method, path);
  const outcome = Number(status) < 400 ? 'ok' : code === '' ? status : code;
  const refusal = outcome === 'ok' ? [] : [`refusal ${outcome} ${status}`];
  if (name !== undefined) return [`endpoint ${name} ${outcome}`, ...refusal];
  return path.startsWith('/sandbox/') ? [`control ${path} ${outcome}`, ...refusal] : [`upgrade ${path} ${status}`];
}

function moveFacts(thing: string, from: string, to: string, by: readonly string[]): readonly string[] {
  const [method = '', path = ''] = by;
  const mover = by.length === 1 ? method : (endpointOf(method, path) ?? 'other');
  return [`move ${thing} ${from} ${to}`, `move ${thing} ${from} ${to} by ${mover}`];
}

function channelFact(name: string, outcome: string): string {
  return `channel ${channels.parse(name)?.kind ?? 'unknown'} ${outcome}`;
}

export function factsOf(sighting: string): readonly string[] {
  const [kind = '', ...words] = sighting.split(' ');
  const [first = '', second = '', third = '', ...rest] = words;
  switch (kind) {
    case 'rest':
      return restFacts(first, second, third, rest.join(' '));
    case 'move':
      return moveFacts(first, second, third, rest);
    case 'push':
      return [channelFact(first, 'push')];
    case 'channel':
      return [channelFact(first, second), `refusal ${second} socket`];
    case 'message':
      return [sighting, `refusal ${second} socket`];
    default:
      return [sighting];
  }
}
