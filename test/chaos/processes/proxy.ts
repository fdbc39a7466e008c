/**
 * A TCP proxy on loopback between the bot and the exchange that does to real bytes what networks do: delays, slow lines,
 * cuts at any byte of a request or an answer, lines that swallow one direction, resets, refused connections, garbage,
 * segments split and merged, socket frames cut in the middle, idle connections closed as the next request leaves. What
 * strikes is drawn from a seed; timing is real.
 *
 * Stands in for a shorter signature window: a request whose timestamp is older than `WINDOW_MS` when it would be passed
 * on is cut off. The exchange holds the same law with 30 s, and a campaign cannot wait that long after every kill.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../../src/model/ports.ts';
import { Line } from './line.ts';
import { calm, type FaultRates } from './network-faults.ts';

export const WINDOW_MS = 1_000;

export class FaultyProxy {
  readonly reached = new Map<string, number>();
  #rates: FaultRates = calm;
  #random: Random;
  readonly #upstreamPort: number;
  readonly #lines = new Set<Line>();
  #server: Server | null = null;
  #port = 0;
  #outage: NodeJS.Timeout | null = null;

  constructor(upstreamPort: number, random: Random) {
    this.#upstreamPort = upstreamPort;
    this.#random = random;
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** From here on these faults strike, also on lines that stand. */
  set(rates: FaultRates, random: Random): void {
    this.#rates = rates;
    this.#random = random;
    if (rates.outage > 0 && random.next() < rates.outage) this.#scheduleOutage();
  }

  /** Nothing fails any more. Lines that a fault has already spoilt end: their owners would wait 26 s for that. */
  async heal(): Promise<void> {
    this.#rates = calm;
    if (this.#outage !== null) clearTimeout(this.#outage);
    this.#outage = null;
    for (const line of this.#lines) if (line.spoilt) line.reset();
    if (this.#server === null) await this.open();
  }

  async close(): Promise<void> {
    if (this.#outage !== null) clearTimeout(this.#outage);
    await this.#closeServer();
  }

  strikes(kind: keyof FaultRates): boolean {
    const rate = this.#rates[kind];
    if (rate === 0 || this.#random.next() >= rate) return false;
    this.reached.set(kind, (this.reached.get(kind) ?? 0) + 1);
    return true;
  }

  /** A whole number from `low` to `high`. */
  draw(low: number, high: number): number {
    return low + Math.floor(this.#random.next() * (high - low + 1));
  }

  #accept(client: Socket): void {
    if (this.strikes('resetAtConnect')) {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const line = new Line(this, client, connect({ port: this.#upstreamPort, host: '127.0.0.1', allowHalfOpen: true }));
    this.#lines.add(line);
    line.ended.then(
      () => this.#lines.delete(line),
      () => this.#lines.delete(line),
    );
  }

  /** Nobody listens for a while: connections are refused, and those that stand end. */
  #scheduleOutage(): void {
    this.#outage = setTimeout(
      () => {
        this.reached.set('outage', (this.reached.get('outage') ?? 0) + 1);
        void this.#closeServer();
        this.#outage = setTimeout(() => void this.open(), this.draw(200, 1500));
      },
      this.draw(300, 2500),
    );
  }

  async #closeServer(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const line of this.#lines) line.reset();
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
