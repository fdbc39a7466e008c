/** What the channels push within some seconds: names, envelope, snapshot and updates, sequence. */
import type { ChannelFrame } from '../../exchange/client/sockets/channel-source.ts';
import type { ExchangeSocket } from '../../exchange/client/sockets/socket.ts';
import type { ChannelKind, ChannelTable } from '../../exchange/interface/channels.ts';
import { isRecord, sampleOf } from '../../exchange/wire/decoded.ts';
import { schemaRows } from '../../exchange/wire/schema-table.ts';
import type { Clock } from '../../model/ports.ts';
import { seen, unasked, type Question, type Seen } from './question.ts';
import { READS, shapeOf, type Symbols } from './shapes.ts';

const FRAMES_MAX = 50;
/** Depth pushes from which its rules are seen. */
const DEPTH_MIN = 3;
const PUBLIC: readonly ChannelKind[] = ['depth', 'trades', 'candles', 'ticker', 'volumeRatio'];
const PRIVATE: readonly ChannelKind[] = [
  'spotBalances',
  'futuresBalances',
  'orderInfo',
  'orderHistory',
  'myTrades',
  'positions',
];

interface Heard {
  readonly frames: ReadonlyMap<string, readonly ChannelFrame[]>;
  readonly acknowledged: ReadonlySet<string>;
  readonly refused: ReadonlyMap<string, string>;
  /** Keys of the first push. */
  readonly envelope: readonly string[] | null;
  /** Why the socket was never open. */
  readonly lost: string | null;
}

export interface ListenWish {
  readonly socket: ExchangeSocket;
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly forMs: number;
  /** All that is wanted came; the time is then not waited out. */
  readonly isEnough: (heard: Heard) => boolean;
}

/** Listens until enough has arrived or the time is over. Stops the socket. */
function heardOn({ socket, names, clock, forMs, isEnough }: ListenWish): Promise<Heard> {
  const frames = new Map<string, ChannelFrame[]>();
  const acknowledged = new Set<string>();
  const refused = new Map<string, string>();
  let envelope: readonly string[] | null = null;
  let lost: string | null = 'no connection in time';
  return new Promise((resolve) => {
    let over = false;
    const heard = (): Heard => ({ frames, acknowledged, refused, envelope, lost });
    const end = (): void => {
      if (over) return;
      over = true;
      cancel();
      void socket.stop().then(() => resolve(heard()));
    };
    const changed = (): void => {
      if (isEnough(heard())) end();
    };
    const cancel = clock.after(forMs, end);
    socket.listen({
      frame: (frame) => {
        const list = frames.get(frame.channel) ?? [];
        frames.set(frame.channel, list);
        if (list.length < FRAMES_MAX) list.push(frame);
        changed();
      },
      state: (state) => {
        if (state.kind === 'open') lost = null;
        else if (state.kind !== 'connecting' && lost !== null) lost = state.reason;
        if (state.kind === 'stopped') end();
      },
      refused: (channel, error) => {
        refused.set(channel, error);
        changed();
      },
      acknowledged: (channels) => {
        for (const channel of channels) acknowledged.add(channel);
        changed();
      },
    });
    socket.onRaw((text) => {
      if (envelope === null && text.includes('"channel"')) envelope = keysOf(text);
    });
    socket.subscribe(names);
    socket.start();
  });
}

function keysOf(text: string): readonly string[] | null {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) && 'channel' in json ? Object.keys(json).toSorted() : null;
  } catch {
    return null;
  }
}

/** Decodes by the schema of the channel; one without a schema is only there. */
function pushed(kind: ChannelKind, frames: readonly ChannelFrame[]): Seen {
  const row = schemaRows.find(({ channels }) => channels.includes(kind));
  const [first] = frames;
  if (first === undefined) return seen(READS, 'taken, but nothing was pushed while it was listened to');
  if (row === undefined) return seen(READS, first.data);
  const found = frames.map(({ data }) => shapeOf(data, row));
  const evidence = `${frames.length} pushes, the first: ${sampleOf(first.data)}`;
  return found.find(({ text }) => text !== READS) ?? { ...found[0]!, evidence };
}

function onChannel(heard: Heard, name: string, read: (frames: readonly ChannelFrame[]) => Seen): Seen {
  const refusal = heard.refused.get(name);
  if (refusal === 'insufficient_permissions') return unasked('the key may not listen to it');
  if (refusal !== undefined) return seen(`refused: ${refusal}`, refusal);
  if (heard.lost !== null) return { kind: 'failed', why: heard.lost };
  const frames = heard.frames.get(name) ?? [];
  if (!heard.acknowledged.has(name) && frames.length === 0) return seen('no reply to the subscription', name);
  return read(frames);
}

function depthStart([first]: readonly ChannelFrame[]): Seen {
  if (first === undefined) return unasked('nothing was pushed');
  const type = isRecord(first.data) ? first.data['type'] : undefined;
  return seen(type === 'snapshot' ? 'a snapshot' : `type ${String(type)}`, first.data);
}

function depthForm([, ...later]: readonly ChannelFrame[]): Seen {
  if (later.length < DEPTH_MIN - 1) return unasked('too little was pushed');
  const types = new Set(later.map(({ data }) => (isRecord(data) ? String(data['type']) : 'none')));
  return seen(types.size === 1 && types.has('update') ? 'updates' : [...types].join(' and '), `${later.length} pushes`);
}

function depthSequence(frames: readonly ChannelFrame[]): Seen {
  if (frames.length < DEPTH_MIN) return unasked('too little was pushed');
  const seqs = frames.map(({ seq }) => seq);
  if (seqs.every((seq) => seq === null)) return seen('no seq', 'none of the pushes has one');
  const isOneByOne = seqs.every((seq, at) => at === 0 || seq === (seqs[at - 1] ?? 0) + 1);
  return seen(isOneByOne ? 'one more each' : 'with gaps', seqs);
}

function depthQuestions(name: string, heard: () => Promise<Heard>): readonly Question[] {
  const of = (read: (frames: readonly ChannelFrame[]) => Seen) => async (): Promise<Seen> =>
    onChannel(await heard(), name, read);
  return [
    {
      id: 'depth/start',
      question: 'what does the order book channel push first',
      asked: name,
      assumed: 'a snapshot',
      ask: of(depthStart),
    },
    { id: 'depth/form', question: 'and what after it', asked: name, assumed: 'updates', ask: of(depthForm) },
    {
      id: 'depth/seq',
      question: 'does seq count the pushes of a channel',
      asked: name,
      assumed: 'one more each',
      ask: of(depthSequence),
    },
  ];
}

export interface ChannelWish {
  readonly channels: ChannelTable;
  readonly clock: Clock;
  readonly forMs: number;
  readonly symbols: Symbols;
}

export function channelQuestions(
  access: 'public' | 'private',
  open: () => ExchangeSocket,
  { channels, clock, forMs, symbols }: ChannelWish,
): readonly Question[] {
  const kinds = access === 'public' ? PUBLIC : PRIVATE;
  const named = kinds.map((kind) => {
    const row = channels.get(kind);
    return { kind, row, name: channels.name(kind, row.template.includes('<SYMBOL>') ? symbols.spot : undefined) };
  });
  const names = named.map(({ name }) => name);
  const depth = named.find(({ kind }) => kind === 'depth')?.name;
  const isEnough = ({ acknowledged, refused, frames }: Heard): boolean =>
    names.every(
      (name) => refused.has(name) || (acknowledged.has(name) && (access === 'private' || frames.has(name))),
    ) &&
    (depth === undefined || (frames.get(depth)?.length ?? 0) >= DEPTH_MIN);
  let listened: Promise<Heard> | undefined;
  const heard = (): Promise<Heard> => (listened ??= heardOn({ socket: open(), names, clock, forMs, isEnough }));
  const questions = named.map(({ kind, row, name }): Question => {
    const what = row.provenance === 'assumed' ? 'name and pushes are assumed' : 'the pushes are assumed';
    return {
      id: `channel/${kind}`,
      question: `${row.content}: ${what}`,
      asked: name,
      assumed: READS,
      ask: async () => onChannel(await heard(), name, (frames) => pushed(kind, frames)),
    };
  });
  if (depth === undefined) return questions;
  const envelope: Question = {
    id: 'channel/envelope',
    question: 'what stands around a push',
    asked: 'all of these channels',
    assumed: 'channel, data, seq, ts',
    ask: async () => {
      const { envelope: keys, lost } = await heard();
      if (keys !== null) return seen(keys.join(', '), keys);
      return lost === null ? unasked('nothing was pushed') : { kind: 'failed', why: lost };
    },
  };
  return [...questions, envelope, ...depthQuestions(depth, heard)];
}
