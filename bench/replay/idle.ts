// Asks for nothing and never acts: what a backtest costs before its strategy. For the replay bench.
import { NEVER } from 'rxjs';
import { defineStrategy, z } from 'tidewire';

export default defineStrategy({ name: 'idle', params: z.object({}), setup: () => NEVER });
