/** External inputs on the paced clock: frames at receipt, venue events at arrival. */
import type { ChannelListener, ChannelSource } from '../../exchange/client/sockets/channel-source.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import type { Venue } from '../../model/venue.ts';
import type { PacedClock } from './paced-clock.ts';

/** `beforeFrame` runs after the timers due before the frame. */
export function pacedSource(
  source: ChannelSource,
  paced: PacedClock,
  real: Clock,
  beforeFrame: () => void = () => {},
): ChannelSource {
  return {
    subscribe: (channels) => source.subscribe(channels),
    unsubscribe: (channels) => source.unsubscribe(channels),
    resubscribe: (channel) => source.resubscribe(channel),
    reconnect: (reason) => source.reconnect(reason),
    get state() {
      return source.state;
    },
    listen: (listener: ChannelListener): Cancel =>
      source.listen({
        frame: (frame) =>
          paced.deliver(frame.receiveUs, () => {
            beforeFrame();
            listener.frame(frame);
          }),
        state: (state) => paced.deliver(real.nowUs(), () => listener.state(state)),
        unreadable: (problem) =>
          paced.deliver(real.nowUs(), () => {
            beforeFrame();
            listener.unreadable?.(problem);
          }),
        acknowledged: (channels) => paced.deliver(real.nowUs(), () => listener.acknowledged?.(channels)),
        refused: (channel, error) => paced.deliver(real.nowUs(), () => listener.refused?.(channel, error)),
      }),
  };
}

export function pacedVenue(venue: Venue, paced: PacedClock, real: Clock): Venue {
  return {
    query: venue.query,
    clientOrderIds: venue.clientOrderIds,
    printsOwn: venue.printsOwn,
    clockOffsetMs: () => venue.clockOffsetMs?.() ?? 0,
    listen: (listener) => venue.listen((events) => paced.deliver(real.nowUs(), () => listener(events))),
    send: (command, onDispatch) => venue.send(command, onDispatch),
    together: (run) => venue.together(run),
    start: () => venue.start(),
    stop: () => venue.stop(),
  };
}
