/** Mutants of sockets at their edges: half-open lines, frames that are torn or of an ended connection, numbers that begin again. */
import { answersEveryFill } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const LINK = 'src/exchange/client/sockets/reconnecting-link.ts';
const PRIVATE = 'src/exchange/private-stream.ts';
const BOOK = 'src/model/book/book-sync.ts';

export const socketMutants: readonly Mutant[] = [
  {
    id: 'refused-private-channel-left',
    catalogue: 'S04',
    what: 'a private channel that was refused once is not asked for again on a connection that stays',
    file: PRIVATE,
    find: '    this.#retry = this.#deps.clock.after(this.#retryMs, () => this.#askAgain());',
    replace: '    this.#retry = () => {};',
    calm: true,
    faults: { 'subscribe-refused': 0.3 },
  },
  {
    id: 'refused-public-channel-left',
    catalogue: 'S04',
    what: 'trades of a market that were refused once are not asked for again on a connection that stays',
    file: 'src/streams/freshness.ts',
    find: '    if (nowMs - subscription.actedMs < RETRY_MS_MIN) return;',
    replace: '    if (nowMs - subscription.actedMs >= 0) return;',
    calm: true,
    faults: { 'subscribe-refused': 0.3 },
  },
  {
    id: 'half-open-line-kept',
    catalogue: 'S01',
    what: 'a line on which nothing comes any more, pongs neither, is kept',
    file: 'src/exchange/client/sockets/link-health.ts',
    find: '    if (now - this.#receivedAt > SILENCE_MS_MAX) return `nothing received for ${SILENCE_MS_MAX / 1000} s`;\n    if (this.#pongDueAt !== null && now > this.#pongDueAt) return `no pong within ${PONG_WITHIN_MS / 1000} s`;\n',
    replace: '',
    calm: true,
    faults: { 'socket-half-open': 0.02 },
  },
  {
    id: 'torn-private-frame-ignored',
    catalogue: 'S20',
    what: 'a private frame that is torn counts as one that never was',
    file: PRIVATE,
    find: '    this.#missed(`a frame could not be read: ${problem}`);',
    replace: '    void problem;',
    calm: true,
    faults: { 'frame-garbage': 0.1 },
    knobs: [answersEveryFill],
  },
  {
    id: 'gap-after-login-ignored',
    catalogue: 'S11',
    what: 'what is missing among the first messages of a channel after a login goes unnoticed',
    file: PRIVATE,
    find: 'if (last === undefined || seq === last || seq === last + 1) return null;',
    replace:
      "const heard = ((this['heard'] ??= new Map()).get(`${channel} ${this.#generation}`) ?? 0) + 1;\n    this['heard'].set(`${channel} ${this.#generation}`, heard);\n    if (last === undefined || seq === last || seq === last + 1 || heard <= 4) return null;",
    calm: true,
    faults: { 'frame-lost': 0.15, 'socket-cut': 0.02 },
    knobs: [answersEveryFill],
  },
  {
    id: 'private-restart-ignored',
    catalogue: 'S15',
    what: 'after a private channel begins to count again, what is missing goes unnoticed until it has caught up',
    file: PRIVATE,
    find: '    this.#lastSeq.set(channel, seq);\n    if (last === undefined || seq === last || seq === last + 1) return null;',
    replace:
      '    this.#lastSeq.set(channel, Math.max(last ?? seq, seq));\n    if (last === undefined || seq <= last + 1) return null;',
    calm: true,
    faults: { 'sequence-reset': 0.05, 'frame-lost': 0.1 },
    knobs: [answersEveryFill],
  },
  {
    id: 'depth-restart-ignored',
    catalogue: 'S15',
    what: 'depth messages whose numbers began again count as old',
    file: BOOK,
    find: "    if (this.#isRepetition(event)) return 'old';\n    return this.#restart(",
    replace: "    if (event !== null) return 'old';\n    return this.#restart(",
    calm: true,
    faults: { 'sequence-reset': 0.02 },
  },
  {
    id: 'ended-connection-heard',
    catalogue: 'S06',
    what: 'frames of a connection that has ended are taken for those of the next',
    file: LINK,
    find: '    if (this.#socket !== socket) return;\n    const receiveUs',
    replace: '    const receiveUs',
    faults: { 'socket-cut': 0.05, 'frame-after-end': 0.8, 'frame-slow': 0.5 },
  },
];
