/**
 * The public stream: frames into the book of a running market. Laws: nothing throws; a book that is shown is not crossed
 * and has whole, positive prices; a depth frame of the channel that cannot be decoded leaves no book standing; and of two whole
 * snapshots one shows exactly itself, whatever came before.
 */
import type { ChannelListener, ChannelSource } from '../../src/exchange/client/sockets/channel-source.ts';
import { readServerMessage } from '../../src/exchange/wire/socket-messages.ts';
import { decodePublicFrame } from '../../src/exchange/wire/market/public-frames.ts';
import type { Random } from '../../src/model/ports.ts';
import { createPublicStream, type PublicStream } from '../../src/streams/public.ts';
import { instruments } from '../exchange/wire/samples.ts';
import { FakeClock } from '../streams/fake-clock.ts';
import type { Corpus } from './corpus.ts';
import type { Findings } from './findings.ts';
import { mutateText } from './mutate.ts';

const SYMBOL = 'BTCUSDT';
const DEPTH = `${SYMBOL}@depth`;
/** Inputs on one stream. */
const ROUND = 500;
const SNAPSHOT_EVERY = 5;
const LATER_MS = 6_000;
/** After the frames of the corpus. */
const START_MS = Date.UTC(2026, 0, 2);

class QuietSource implements ChannelSource {
  readonly state = { kind: 'open', generation: 1 } as const;
  listener: ChannelListener | null = null;
  subscribe(): void {}
  unsubscribe(): void {}
  resubscribe(): void {}
  reconnect(): void {}
  listen(listener: ChannelListener): () => void {
    this.listener = listener;
    return () => {};
  }
}

export function fuzzBook(count: number, { frames }: Corpus, random: Random, findings: Findings): void {
  const material = frames.filter(({ channel }) => channel.startsWith(`${SYMBOL}@`));
  for (let done = 0; done < count; done += ROUND) {
    const clock = new FakeClock(START_MS);
    const source = new QuietSource();
    const stream = createPublicStream({ source, instruments, clock });
    stream.start();
    for (const feed of ['depth', 'trades', 'ticker'] as const) stream.demand(SYMBOL, feed);
    source.listener?.state({ kind: 'open', generation: 1 });
    const desk = new BookDesk(stream, source, clock, findings);
    for (let index = 0; index < Math.min(ROUND, count - done); index++) {
      if (index % SNAPSHOT_EVERY === 0) desk.snapshot(6_000_000 + index);
      const frame = material[Math.floor(random.next() * material.length)];
      if (frame !== undefined) desk.receive(mutateText(desk.next(frame.text), random));
    }
    stream.stop();
  }
}

class BookDesk {
  readonly #stream: PublicStream;
  readonly #source: QuietSource;
  readonly #clock: FakeClock;
  readonly #findings: Findings;
  #seq = 1_000_000;
  #isMissed = false;

  constructor(stream: PublicStream, source: QuietSource, clock: FakeClock, findings: Findings) {
    this.#stream = stream;
    this.#source = source;
    this.#clock = clock;
    this.#findings = findings;
  }

  /** The frame as the next of the running stream, so that it joins the book that stands. */
  next(text: string): string {
    const isDepth = text.startsWith(`{"channel":"${DEPTH}"`);
    if (isDepth) this.#seq++;
    const told = text.replace(/"ts":\d+/, `"ts":${this.#clock.now()}`);
    return isDepth ? told.replace(/"seq":\d+/, `"seq":${this.#seq}`) : told;
  }

  receive(text: string): void {
    this.#findings.holds(text, () => {
      const message = readServerMessage(text);
      if (message.kind !== 'push') return;
      const frame = { ...message, receiveUs: this.#clock.nowUs(), generation: 1 };
      const before = this.#stream.market.best(SYMBOL);
      this.#source.listener?.frame(frame);
      const decoded = decodePublicFrame(frame, instruments);
      this.#findings.saw(`${decoded.kind} with ${before === undefined ? 'no ' : 'a '}book`);
      this.#check(text);
      if (decoded.kind === 'failure' && message.channel === DEPTH && this.#stream.market.best(SYMBOL) !== undefined)
        this.#findings.broken('a book stands behind a depth frame that cannot be read', text);
    });
  }

  snapshot(bid: number): void {
    const price = (ticks: number): string => (ticks / 100).toFixed(2);
    this.#seq += 1_000;
    // The stream goes on as it should: later, with an update, then with the snapshot of a new subscription.
    this.#clock.advance(LATER_MS);
    this.#push(this.#seq - 1, { type: 'update', bids: [], asks: [] });
    const text = this.#push(this.#seq, { type: 'snapshot', bids: [[price(bid), '1']], asks: [[price(bid + 1), '2']] });
    const best = this.#stream.market.best(SYMBOL);
    const isShown = best?.bidTicks === bid && best.askTicks === bid + 1;
    // What was kept while the book waited may spoil one snapshot; the stream asks for another.
    if (!isShown && this.#isMissed)
      this.#findings.broken(`after two snapshots, of ${bid} the last, the book shows ${JSON.stringify(best)}`, text);
    this.#isMissed = !isShown;
  }

  #push(seq: number, data: object): string {
    const text = JSON.stringify({ channel: DEPTH, seq, ts: this.#clock.now(), data });
    this.receive(text);
    return text;
  }

  #check(text: string): void {
    const best = this.#stream.market.best(SYMBOL);
    if (best === undefined) return;
    const { bidTicks, askTicks, bidLots, askLots } = best;
    if (bidLots > 0 && askLots > 0 && bidTicks >= askTicks) this.#findings.broken('a crossed book is shown', text);
    for (const value of [bidLots, askLots]) {
      if (!Number.isSafeInteger(value) || value < 0) this.#findings.broken(`a book of ${value} lots is shown`, text);
    }
    if (bidLots > 0 && !(bidTicks > 0)) this.#findings.broken(`a bid of ${bidTicks} ticks is shown`, text);
  }
}
