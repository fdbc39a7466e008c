/** The session whose stream is open. Screens of one session share it; another one takes its place. */
import { signal } from '@preact/signals';
import type { SubscribeMessage } from '../wire/types.ts';
import { SessionStore } from './session-store.ts';

export const DEPTH = 200;
const TOPICS: SubscribeMessage['topics'] = ['entries', 'equity', 'book', 'health'];

export const openSession = signal<SessionStore | null>(null);

export function openTo(id: string): SessionStore {
  const held = openSession.peek();
  if (held?.id === id) return held;
  held?.close();
  const store = new SessionStore(id, { type: 'subscribe', topics: TOPICS, depth: DEPTH });
  openSession.value = store;
  return store;
}
