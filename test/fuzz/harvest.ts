/**
 * What the exchange says in the areas that no strategy trades in, as material for mutations: bodies and frames of the random
 * commands of the model check (transfers, codes, fiat, crypto, loans, P2P, keys, perpetuals).
 */
import type { Reply } from '../../src/sandbox/reply.ts';
import { areaNames } from '../model-check/areas.ts';
import { Feed } from '../model-check/feed.ts';
import { search } from '../model-check/search.ts';
import type { Person, World } from '../model-check/world.ts';
import type { Body } from './stack.ts';

/** With these every kind of answer comes. */
const SEED = 1;
const SEQUENCES = 6;
const HOME = '127.0.0.1';
/** Of each kind, so that rare ones are as likely as busy ones. */
const KEPT = 15;

/** What nothing in the model check sets off. */
const RARE_P2P_FRAMES = [
  '{"event":"message","data":{"roomId":"a1","userId":"u1","text":"paid?","createdAt":1767225600000}}',
  '{"event":"error","data":{"code":"not_a_party"}}',
  '{"pong":1767225600000}',
];

export interface Harvest {
  readonly bodies: readonly Body[];
  /** Of the exchange's socket. */
  readonly frames: readonly string[];
  /** Of the P2P socket. */
  readonly p2pFrames: readonly string[];
}

class Basket {
  readonly bodies = new Map<string, Body[]>();
  readonly frames = new Map<string, string[]>();
  readonly p2pFrames = new Map<string, string[]>();

  watch(world: World): void {
    const { sandbox } = world;
    const handle = sandbox.handle.bind(sandbox);
    sandbox.handle = (request, respond) => {
      handle(request, (reply) => {
        this.#body(request.method, request.target, reply);
        respond(reply);
      });
    };
    for (const person of world.people) this.#listen(world, person);
  }

  #body(method: string, target: string, reply: Reply | null): void {
    if (reply === null) return;
    const [path = ''] = target.split('?');
    const kind = `${method} ${path.replaceAll(/[0-9a-f-]{6,}|\d+/g, '#')} ${reply.status}`;
    keep(this.bodies, kind, { method, path, status: reply.status, text: reply.body });
  }

  /** Sockets of our own beside those of the models. */
  #listen(world: World, person: Person): void {
    const { sandbox } = world;
    const socket = (into: Map<string, string[]>, kindOf: RegExp) => ({
      send: (text: string) => keep(into, kindOf.exec(text)?.[1] ?? 'control', text),
      bufferedBytes: 0,
      close: () => {},
      terminate: () => {},
    });
    const session = sandbox.hub.attach(socket(this.frames, /"channel":"([^"]+)"/), HOME);
    if (session === undefined) throw new Error('there is no room for a socket');
    const feed = new Feed(person.login);
    feed.send = (text) => session.receive(text);
    feed.open(person.key, world.now, [...sandbox.exchange.markets.keys()]);
    sandbox.p2pHub.attach(socket(this.p2pFrames, /"event":"([^"]+)"/), world.token(person));
  }
}

function keep<T>(into: Map<string, T[]>, kind: string, item: T): void {
  const kept = into.get(kind);
  if (kept === undefined) into.set(kind, [item]);
  else if (kept.length < KEPT) kept.push(item);
}

/** Throws when the exchange and its models disagree: that is a finding of `npm run model-check`. */
export function harvest(): Harvest {
  const basket = new Basket();
  for (const area of areaNames) {
    const { failure } = search({ area, sequences: SEQUENCES, seed: SEED, tamper: (world) => basket.watch(world) });
    if (failure !== null) throw new Error(`model check, area ${area}, seed ${SEED}: ${failure.message}`);
  }
  return {
    bodies: [...basket.bodies.values()].flat(),
    frames: [...basket.frames.values()].flat(),
    p2pFrames: [...[...basket.p2pFrames.values()].flat(), ...RARE_P2P_FRAMES],
  };
}
