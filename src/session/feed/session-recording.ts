/** A session's recording: raw frames, REST polls as frames, witness notes. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isTidewireError } from '../../model/errors.ts';
import type { DepthEvent } from '../../model/market/market-event.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { hasManifest, readManifest } from '../../recording/frames/manifest.ts';
import { SESSION_NOTES_FORMAT } from '../../recording/frames/note.ts';
import { snapshotFrame } from '../../recording/frames/polled-frame.ts';
import { createRecorder, type Recorder } from '../../recording/frames/recorder.ts';
import { Witness } from '../replay/witness.ts';
import type { SessionOptions } from '../store/running-session.ts';
import { sessionFiles } from '../store/store.ts';
import type { FollowedSymbols } from './followed-symbols.ts';

export class SessionRecording {
  readonly raw: Recorder;
  readonly witness: Witness;
  /** Records a frame after pending notes. */
  readonly read: Pick<Recorder, 'frame'> = {
    frame: (kind, text, receiveUs, generation) => {
      this.witness.flush();
      this.raw.frame(kind, text, receiveUs, generation);
    },
  };

  constructor(options: SessionOptions, followed: FollowedSymbols, clock: Pick<Clock, 'nowUs'>) {
    const { config, connection, strategies, seed } = options;
    this.raw = rawRecorder(options, followed.all);
    this.witness = new Witness({ recorder: this.raw, clock, real: connection.clock });
    followed.each((symbol) => {
      const instrument = connection.instruments.find(symbol);
      if (instrument !== undefined) this.raw.cover(instrument.spec);
    });
    this.witness.begin({
      note: 'session',
      format: SESSION_NOTES_FORMAT,
      seed,
      account: config.recording.private,
      strategies: strategies.map(({ tag, file, loaded, params }) => ({ tag, file, code: loaded.hash, params })),
    });
  }

  /** A book over REST is about to be delivered. */
  readonly fetched = (snapshot: DepthEvent): void => {
    this.read.frame('public', snapshotFrame(snapshot), snapshot.receiveUs, 0);
  };

  async close(logger: Logger): Promise<void> {
    this.witness.flush();
    const { failure } = await this.raw.close();
    if (failure !== null) logger.error({ code: failure.code }, failure.message);
  }
}

function rawRecorder({ config, connection, folder, logger }: SessionOptions, symbols: readonly string[]): Recorder {
  const all = connection.instruments.all();
  const dir = join(folder.path, sessionFiles.recording);
  const create = (): Recorder => {
    const before = hasManifest(dir) ? readManifest(dir).symbols : [];
    const named = all.filter(({ symbol }) => symbols.includes(symbol) || before.includes(symbol));
    return createRecorder({
      dir,
      clock: connection.clock,
      instruments: (named.length === 0 ? all : named).map(({ spec }) => spec),
      compress: config.recording.compress,
      private: config.recording.private,
      onFailure: (failure) => logger.error({ code: failure.code }, failure.message),
    });
  };
  try {
    return create();
  } catch (thrown) {
    if (!isTidewireError(thrown) || !ASIDE.has(thrown.code)) throw thrown;
    const aside = freeName(dir);
    renameSync(dir, aside);
    logger.warn({ aside }, `${thrown.message}: it is kept as ${aside}, and a new one begins`);
    return create();
  }
}

/** What an earlier process recorded must not keep the next one from its orders. */
const ASIDE: ReadonlySet<string> = new Set(['recording_exists', 'recording_manifest_invalid']);

function freeName(dir: string): string {
  for (let no = 1; ; no++) if (!existsSync(`${dir}-${no}`)) return `${dir}-${no}`;
}
