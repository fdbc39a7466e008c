/** Starts the page: the token leaves the address bar first. */
import './state/locale.ts';
import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { enter } from './state/auth.ts';
import { startFleet } from './state/fleet.ts';
import { startKeys } from './state/keys.ts';
import { startClock } from './state/now.ts';
import { startTheme } from './state/theme.ts';

startTheme();
startClock();
startKeys();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void enter().then(startFleet);
