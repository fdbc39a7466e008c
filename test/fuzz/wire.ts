/**
 * Decoders alone: every frame through the socket's reader and both frame decoders, or through the reader of the P2P socket,
 * every body through classification and the schemas of its endpoint. Laws: nothing throws, nothing decodes to NaN or infinity, nothing but an empty list is an
 * empty list, and a refusal is only what a 4xx or 501 says.
 */
import { classifyResult } from '../../src/exchange/client/classify.ts';
import { decodeObject, decodePage } from '../../src/exchange/wire/body.ts';
import { readErrorBody } from '../../src/exchange/wire/error-body.ts';
import { readP2pFrame } from '../../src/exchange/wire/p2p/p2p-frames.ts';
import { decodePrivateFrame } from '../../src/exchange/wire/private-frames.ts';
import { decodePublicFrame } from '../../src/exchange/wire/market/public-frames.ts';
import { readClientMessage, readServerMessage } from '../../src/exchange/wire/socket-messages.ts';
import type { Random } from '../../src/model/ports.ts';
import { instruments } from '../exchange/wire/samples.ts';
import { schemasOf, type Corpus } from './corpus.ts';
import { impossibleIn, type Findings } from './findings.ts';
import { mutateText } from './mutate.ts';

const STATUSES = [200, 200, 200, 201, 204, 302, 400, 401, 403, 404, 409, 418, 429, 500, 501, 503] as const;
const EMPTY_LIST = /\[\s*\]/;

export function fuzzWire(count: number, corpus: Corpus, random: Random, findings: Findings): void {
  const { bodies, p2pFrames } = corpus;
  const frames = [...corpus.frames.map(({ text }) => text), ...corpus.otherFrames];
  for (let index = 0; index < count; index++) {
    const kind = random.next();
    if (kind < 0.45) {
      frameOf(mutateText(frames[Math.floor(random.next() * frames.length)] ?? '', random), findings);
    } else if (kind < 0.52) {
      p2pFrameOf(mutateText(p2pFrames[Math.floor(random.next() * p2pFrames.length)] ?? '', random), findings);
    } else {
      const body = bodies[Math.floor(random.next() * bodies.length)];
      const status = STATUSES[Math.floor(random.next() * STATUSES.length)] ?? 200;
      if (body !== undefined) bodyOf(mutateText(body.text, random), status, schemasOf(body.endpoint), findings);
    }
  }
}

function frameOf(text: string, findings: Findings): void {
  findings.holds(text, () => {
    readClientMessage(text);
    const message = readServerMessage(text);
    findings.saw(`frame ${message.kind}`);
    if (message.kind !== 'push') return;
    const { channel, seq, ts, data } = message;
    const frame = { channel, seq, ts, data, receiveUs: 1_767_225_600_000_000, generation: 1 };
    for (const decoded of [decodePublicFrame(frame, instruments), decodePrivateFrame(frame)]) {
      findings.saw(`push ${decoded.kind}`);
      if (decoded.kind === 'failure' || decoded.kind === 'ignored') continue;
      const values =
        decoded.kind === 'events' ? decoded.events.map((event) => ({ ...event, instrument: null })) : decoded;
      const impossible = impossibleIn(values);
      if (impossible !== null) findings.broken(`a push decodes to ${impossible}`, text);
    }
  });
}

function p2pFrameOf(text: string, findings: Findings): void {
  findings.holds(text, () => {
    const frame = readP2pFrame(text);
    findings.saw(`p2p ${frame.kind === 'event' ? frame.event.kind : frame.kind}`);
    const impossible = impossibleIn(frame);
    if (impossible !== null) findings.broken(`a P2P frame decodes to ${impossible}`, text);
  });
}

type Schemas = ReturnType<typeof schemasOf>;

function bodyOf(text: string, status: number, schemas: Schemas, findings: Findings): void {
  findings.holds(text, () => {
    readErrorBody(status, text);
    const result = classifyResult({ kind: 'response', status, headers: {}, body: text });
    findings.saw(`body ${result.kind}`);
    if (result.kind === 'ok' && (status < 200 || status > 299)) findings.broken(`status ${status} is ok`, text);
    if (result.kind === 'refused' && (status < 400 || (status > 499 && status !== 501)))
      findings.broken(`status ${status} is a refusal`, text);
    if (result.kind !== 'ok') return;
    for (const schema of schemas) {
      const page = decodePage(schema, 'fuzz', result.json);
      findings.saw(`page ${page.kind}`);
      const object = decodeObject(schema, 'fuzz', result.json);
      findings.saw(`object ${object.kind}`);
      const impossible = impossibleIn([page, object]);
      if (impossible !== null) findings.broken(`a body decodes to ${impossible}`, text);
      if (page.kind === 'value' && page.value.items.length === 0 && !EMPTY_LIST.test(text))
        findings.broken('a body without an empty list reads as none', text);
    }
  });
}
