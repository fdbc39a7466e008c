/** Errors of the simulation (docs/errors.md). */
import { defineErrors } from '../model/errors.ts';

export const simulationErrors = defineErrors({
  livelock: {
    exit: 1,
    meaning: 'time cannot advance: more than 10,000 rounds of events happened at one timestamp',
    remedy: 'look for a timer of 0 ms that starts itself again, or for orders that answer each other without latency',
  },
  clock_backwards: {
    exit: 1,
    meaning: 'the virtual clock was asked to go back',
    remedy: 'this is a bug in the driver of the clock; report it with the session that shows it',
  },
  simulation_state: {
    exit: 5,
    meaning: 'the saved state of the simulated venue does not fit its instruments or contradicts itself',
    remedy: 'start a new session, or restore the journal that belongs to this configuration',
  },
  latency_unmeasured: {
    exit: 2,
    meaning: 'the latency model `measured` has no pairs of request and answer to go by, or they are out of order',
    remedy: 'name a session that sent orders with simulation.latency.session, or give simulation.latency.pairs',
  },
  simulation_listener: {
    exit: 1,
    meaning: 'the simulated venue was used without exactly one listener',
    remedy: 'call listen once, before start',
  },
});
