/** Records a socket's frames, connects and disconnects. */
import type { ExchangeSocket } from '../../exchange/client/sockets/socket.ts';
import type { Cancel } from '../../model/ports.ts';
import type { Recorder } from '../../recording/frames/recorder.ts';

export function recordSocket(socket: ExchangeSocket, recorder: Recorder, connection: 'public' | 'private'): Cancel {
  const untap = socket.onRaw((text, receiveUs, generation) => recorder.frame(connection, text, receiveUs, generation));
  const unlisten = socket.listen({
    frame: () => {},
    state: (state) => {
      if (state.kind === 'open') recorder.note({ note: 'connected', connection }, state.generation);
      if (state.kind === 'lost') recorder.note({ note: 'lost', connection, reason: state.reason }, state.generation);
    },
  });
  return () => {
    untap();
    unlisten();
  };
}
