/** The self-assessment as text, with a place to sign. Pure. */
import type { Json } from '../../model/text/json.ts';
import type { ControlEvent } from './journal-facts.ts';
import type { SelfCheck, SessionCheck } from './selfcheck.ts';

const SHOWN = 12;

export function selfCheckText({ from, to, sessions, problems }: SelfCheck): string {
  const time = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return [
    `Self-assessment of the controls, ${time(from)} to ${time(to)}: ${sessions.length} sessions`,
    '',
    ...(problems.length === 0 ? ['No problem found.'] : ['Problems', ...problems.map((problem) => `  ! ${problem}`)]),
    ...sessions.flatMap((session) => ['', ...sessionText(session)]),
    '',
    'Reviewed by ____________________   Date ____________   Limits approved until ____________',
  ].join('\n');
}

function sessionText({ session, mode, account, facts }: SessionCheck): readonly string[] {
  if (facts === null) return [`${session} (${mode}): could not be read`];
  const { boots, orders, fills, denials, alarms, overrides, interventions, flows, utilisation, controls } = facts;
  const used = utilisation
    .slice(0, SHOWN)
    .map(
      ({ check, whose, most, limit }) => `    ${(most * 100).toFixed(1).padStart(6)} % ${check} of ${whose} (${limit})`,
    );
  return [
    `${session} (${mode}${account === '' ? '' : `, account ${account}`}): ${boots} starts, ${fills} fills`,
    `  orders: ${counts(orders)}`,
    `  denials: ${counts(denials)}`,
    `  alarms: ${counts(alarms)}`,
    ...controls.flatMap(({ ts, data }, index) => controlsText(ts, data, controls[index - 1]?.data)),
    ...events('overrides', overrides),
    ...events('interventions', interventions),
    ...events('money in and out', flows),
    ...(used.length === 0 ? [] : ['  most that orders used of each limit', ...used]),
  ];
}

function counts(of: Readonly<Record<string, number>>): string {
  const parts = Object.entries(of).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function events(head: string, all: readonly ControlEvent[]): readonly string[] {
  if (all.length === 0) return [];
  return [`  ${head}`, ...all.map(({ ts, what, reason }) => `    ${new Date(ts).toISOString()}  ${what} (${reason})`)];
}

function controlsText(ts: number, now: Json, before: Json | undefined): readonly string[] {
  const head = `  limits and strategies from ${new Date(ts).toISOString()}`;
  const flat = flatten(now);
  if (before === undefined) {
    const versions = [...flat].filter(([path]) => /^strategies\.\d+\.(tag|name|version)$/.test(path));
    return [head, ...versions.map(([path, value]) => `    ${path} = ${value}`)];
  }
  const old = flatten(before);
  const names = new Set([...old.keys(), ...flat.keys()]);
  const changed = [...names].filter((path) => old.get(path) !== flat.get(path));
  return [
    `${head}, changed`,
    ...changed.map((path) => `    ${path}: ${old.get(path) ?? 'none'} → ${flat.get(path) ?? 'none'}`),
  ];
}

function flatten(value: Json, path = '', out = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) out.set(path, String(value));
  else for (const [key, part] of Object.entries(value)) flatten(part, path === '' ? key : `${path}.${key}`, out);
  return out;
}
