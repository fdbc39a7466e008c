/**
 * All sessions and subscriptions. Applies push faults; closes sessions that are idle (port time) or whose key is dead.
 */
import type { Cancel } from '../../model/ports.ts';
import { isExpired } from '../core/identity/keys.ts';
import { fitsPattern } from '../faults.ts';
import type { HubPorts } from './hub-ports.ts';
import type { PushSink, Topic } from './publisher.ts';
import { SocketSession, type ServerConnection } from './socket-session.ts';

const SWEEP_MS_MAX = 1000;
const SESSIONS_MAX = 10_000;

export class SocketHub implements PushSink {
  readonly ports: HubPorts;
  readonly #sessions = new Set<SocketSession>();
  readonly #listeners = new Map<string, Set<SocketSession>>();
  readonly #stopSweep: Cancel;

  constructor(ports: HubPorts) {
    this.ports = ports;
    const { clock, idleCloseMs } = ports.settings;
    this.#stopSweep = clock.every(Math.min(SWEEP_MS_MAX, idleCloseMs / 4), () => this.#sweep());
  }

  /** Undefined when there are too many. */
  attach(connection: ServerConnection, address: string): SocketSession | undefined {
    if (this.#sessions.size >= SESSIONS_MAX) return undefined;
    const session = new SocketSession(this, connection, address);
    this.#sessions.add(session);
    return session;
  }

  forget(session: SocketSession): void {
    this.#sessions.delete(session);
    for (const key of session.topics.keys()) this.#unlist(key, session);
    session.topics.clear();
  }

  add(session: SocketSession, topic: Topic): void {
    const { key } = topic;
    session.topics.set(key, topic);
    let listeners = this.#listeners.get(key);
    if (listeners === undefined) this.#listeners.set(key, (listeners = new Set()));
    listeners.add(session);
    const snapshot = this.ports.snapshot(topic);
    if (snapshot !== undefined) session.deliver(snapshot, 0);
  }

  remove(session: SocketSession, topic: Topic): void {
    const { key } = topic;
    session.topics.delete(key);
    this.#unlist(key, session);
  }

  wants(topic: Topic): boolean {
    return this.#listeners.has(topic.key);
  }

  push(topic: Topic, text: string): void {
    const listeners = this.#listeners.get(topic.key);
    if (listeners === undefined) return;
    const { faults } = this.ports;
    const rule = faults.forPush(topic.channel);
    const disconnects = rule?.fault === 'disconnect';
    if (rule !== undefined && !disconnects && rule.fault !== 'delay') return;
    const told = faults.pushTold(topic.channel, text);
    for (const session of listeners) {
      if (disconnects) session.terminate();
      else if (topic.userId !== null && this.#isDead(session)) expel(session);
      else session.deliver(told, rule?.ms ?? 0);
    }
  }

  /** Undefined: all sockets. */
  disconnect(pattern: string | undefined): void {
    for (const session of this.#sessions) {
      const hit = [...session.topics.values()].some((topic) => fitsPattern(pattern, topic.channel));
      if (pattern === undefined || hit) session.terminate();
    }
  }

  expelDeadKeys(): void {
    for (const session of this.#sessions) if (this.#isDead(session)) expel(session);
  }

  stop(): void {
    this.#stopSweep();
    for (const session of this.#sessions) session.close(1001, 'the sandbox stops');
  }

  #isDead({ key }: SocketSession): boolean {
    return key !== null && (key.state !== 'active' || isExpired(key, this.ports.now()));
  }

  #unlist(key: string, session: SocketSession): void {
    const listeners = this.#listeners.get(key);
    listeners?.delete(session);
    if (listeners?.size === 0) this.#listeners.delete(key);
  }

  #sweep(): void {
    const { clock, idleCloseMs } = this.ports.settings;
    const oldest = clock.now() - idleCloseMs;
    for (const session of this.#sessions) {
      if (session.lastHeardMs <= oldest) session.close(1000, 'idle');
    }
    this.expelDeadKeys();
  }
}

function expel(session: SocketSession): void {
  session.close(1008, 'key not active');
}
